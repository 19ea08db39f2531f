import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/cluster/connect.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import { openSandbox } from '../../src/sandbox/index.ts';
import { planFileText, readPlanFile } from '../../src/saved-plan/file.ts';
import { proofOf } from '../../src/saved-plan/proof.ts';
import type { SavedPlan, SavedRelease, SavedText, Sealed } from '../../src/saved-plan/types.ts';
import { ageDecrypt, ageEncrypt } from '../../src/support/age.ts';
import { openTestSandbox, type Ran, tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-saved-'));
const sandbox = openTestSandbox();
const { run } = sandbox;
afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true });
});

const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-settings}
data: {color: {{ .Values.color }}}
---
apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-auth}
stringData: {password: {{ .Values.password | quote }}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: 1
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec: {containers: [{name: main, image: "nginx:{{ .Values.color }}"}]}
`;

let count = 0;
/** A chart of its own for each test, and a name. */
function newCase(files: Readonly<Record<string, string>> = {}) {
  const name = `r${(count += 1)}`;
  const chart = join(folder, name);
  mkdirSync(join(chart, 'templates'), { recursive: true });
  const all = {
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'values.yaml': 'color: red\npassword: CANARY-default\n',
    'templates/all.yaml': template,
    ...files,
  };
  for (const [path, text] of Object.entries(all)) writeFileSync(join(chart, path), text);
  return { name, chart, file: join(folder, `${name}.plan`) };
}

const ok = async (...words: string[]): Promise<Ran> => {
  const ran = await run(...words);
  expect(ran.code, ran.stderr).toBe(0);
  return ran;
};

/** Works on the sandbox beside tshelm. */
async function beside<T>(task: (cluster: Cluster) => Promise<T>): Promise<T> {
  const server = await openSandbox({ directory: sandbox.directory });
  const cluster = await connect({
    apiServer: server.url,
    token: server.token,
    namespace: 'default',
    env: { KUBECONFIG: '/dev/null' },
  });
  try {
    return await task(cluster);
  } finally {
    cluster.close();
    // Another test may use this server.
    await server.alone();
    await server.close();
  }
}

const id = (apiVersion: string, kind: string, name: string) => ({ apiVersion, kind, namespace: 'default', name });
const revisions = async (name: string): Promise<number> =>
  (JSON.parse((await ok('history', name, '-o', 'json')).stdout) as unknown[]).length;

/** Installed, and an upgrade to blue that is saved. */
async function upgradeSaved(more: readonly string[] = []) {
  const one = newCase();
  await ok('install', one.name, one.chart);
  await ok('plan', 'upgrade', one.name, one.chart, '--set', 'color=blue', '--out', one.file, ...more);
  return one;
}

/** Refused, and nothing of the release has changed. */
async function isRefused(name: string, words: readonly string[], ...texts: readonly (string | RegExp)[]) {
  const before = await ok('get', 'all', name);
  const { code, stderr } = await run('apply', ...words);
  expect(code).toBe(1);
  for (const text of texts) expect(stderr).toMatch(text);
  expect(stderr).not.toContain('CANARY');
  expect((await ok('get', 'all', name)).stdout).toBe(before.stdout);
}

describe.concurrent('what is saved is applied', () => {
  test('install, upgrade, rollback and uninstall', async () => {
    const { name, chart, file } = newCase();
    const saved = await ok('plan', 'install', name, chart, '--out', file);
    expect(saved.stdout).toContain(`install ${name} in namespace default`);
    expect((await run('status', name)).code).toBe(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toMatch(/CANARY|Q0FOQVJZ/);
    expect((await ok('apply', file)).stdout).toContain('STATUS: deployed');
    await ok('plan', 'upgrade', name, chart, '--set', 'color=blue', '--out', file);
    expect((await ok('apply', file)).stdout).toContain('has been upgraded');
    expect((await ok('get', 'manifest', name)).stdout).toContain('nginx:blue');
    await ok('plan', 'rollback', name, '1', '--out', file);
    expect((await ok('apply', file)).stdout).toContain('Rollback was a success');
    expect((await ok('get', 'manifest', name)).stdout).toContain('nginx:red');
    await ok('plan', 'uninstall', name, '--out', file);
    expect(readFileSync(file, 'utf8')).not.toMatch(/CANARY|Q0FOQVJZ/);
    expect((await ok('apply', file)).stdout).toContain('uninstalled');
    expect((await run('status', name)).code).toBe(1);
  });

  test('options are saved with it, and plan -o and --out go together', async () => {
    const { name, chart, file } = newCase();
    const words = ['plan', name, chart, '--wait=ordered', '--description', 'by plan', '--out', file, '-o', 'json'];
    const { stdout } = await ok(...words);
    expect(JSON.parse(stdout)).toMatchObject({ action: 'install', strategy: 'ordered' });
    await ok('apply', file);
    expect((await ok('history', name)).stdout).toContain('by plan');
    // That the order is kept is said where --wait could still change it.
    const planned = await ok('plan', name, chart, '--set', 'color=blue', '--out', file);
    expect(planned.stderr).toContain('--wait=hookOnly turns it off');
    expect((await ok('apply', file)).stderr).not.toContain('--wait');
  });

  test('what would be refused is not saved, nor what --strict-plan refuses', async () => {
    const { name, chart, file } = newCase();
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-settings` } };
    await beside((cluster) => cluster.create(map));
    const { code, stderr } = await run('plan', 'install', name, chart, '--out', file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`release ${name} would be refused: ConfigMap/`)]);
    expect(existsSync(file)).toBe(false);
    const hazard = newCase({
      'templates/job.yaml':
        'apiVersion: batch/v1\nkind: Job\nmetadata: {name: early, annotations: {helm.sh/hook: pre-install}}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b, envFrom: [{configMapRef: {name: late}}]}]}}}\n',
      'templates/late.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: late}\n',
    });
    const words = ['plan', 'install', hazard.name, hazard.chart, '--strict-plan', '--out', hazard.file];
    expect((await run(...words)).stderr).toContain('a strict plan must have none');
    expect(existsSync(hazard.file)).toBe(false);
  });

  test('Secrets in hooks, in Lists and in what is no object are not kept', async () => {
    const { name, chart, file } = newCase({
      'templates/hook.yaml':
        'apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}-hook, annotations: {helm.sh/hook: pre-install}}\nstringData: {a: CNRY}\n',
      'templates/list.yaml':
        'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: {{ .Release.Name }}-listed}\n  stringData: {a: CNRY}\n',
      'templates/env.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-env}\ndata: {url: "db://me:{{ .Values.password }}@host"}\n',
    });
    await ok('plan', 'install', name, chart, '--out', file);
    expect(readFileSync(file, 'utf8')).not.toMatch(/CNRY|Q05SWQ|CANARY/);
    await ok('apply', file);
    expect((await ok('get', 'manifest', name)).stdout).toContain('CNRY');
  });

  test('--exit-code tells whether there are changes', async () => {
    const { name, chart } = await upgradeSaved();
    expect((await run('plan', 'upgrade', name, chart, '--exit-code')).code).toBe(0);
    expect((await run('plan', 'upgrade', name, chart, '--set', 'color=blue', '--exit-code')).code).toBe(2);
  });
});

describe.concurrent('refused, naming it, and nothing is sent', () => {
  test('a new revision', async () => {
    const { name, chart, file } = await upgradeSaved();
    await ok('upgrade', name, chart);
    await isRefused(name, [file], /was at revision 1 \(deployed\) when the plan was made, and is at revision 2/);
    expect(await revisions(name)).toBe(2);
  });

  test('the same plan a second time', async () => {
    const { name, file } = await upgradeSaved();
    await ok('apply', file);
    await isRefused(name, [file], /is at revision 2/);
  });

  test('an object changed by hand, with field and writer; --allow takes it', async () => {
    const { name, file } = await upgradeSaved();
    await beside((cluster) =>
      cluster.patch(id('apps/v1', 'Deployment', name), 'merge', { spec: { replicas: 3 } }, { fieldManager: 'by-hand' }),
    );
    await isRefused(
      name,
      [file],
      new RegExp(`Deployment/${name} in default has changed: spec.replicas was 1`),
      /by by-hand/,
    );
    await isRefused(name, [file, '--allow', 'ConfigMap/other'], /spec.replicas/);
    await ok('apply', file, '--allow', `deployment/${name}`);
    expect((await ok('get', 'manifest', name)).stdout).toContain('nginx:blue');
  });

  test('a field that another manager took and gave back', async () => {
    const { name, file } = await upgradeSaved();
    const map = id('v1', 'ConfigMap', `${name}-settings`);
    const byHand = (color: string) => (cluster: Cluster) =>
      cluster.patch(map, 'merge', { data: { color } }, { fieldManager: 'by-hand' });
    await beside(byHand('green'));
    await beside(byHand('red'));
    await isRefused(name, [file], /ConfigMap\/.* has changed: data.color is now managed by by-hand /);
    await ok('apply', file, '--allow', `ConfigMap/${name}-settings`);
    expect((await beside((cluster) => cluster.get(map)))?.['data']).toEqual({ color: 'blue' });
  });

  test('fields that the change does not touch do not matter', async () => {
    const { name, file } = await upgradeSaved();
    await beside((cluster) =>
      cluster.patch(id('v1', 'ConfigMap', `${name}-settings`), 'merge', {
        metadata: { labels: { added: 'by-hand' } },
        data: { other: 'x' },
      }),
    );
    await ok('apply', file);
  });

  test('what is secret in an object, by its key', async () => {
    const { name, file } = await upgradeSaved();
    const data = { password: Buffer.from('CANARY-by-hand').toString('base64') };
    await beside((cluster) =>
      cluster.patch(id('v1', 'Secret', `${name}-auth`), 'merge', { data }, { fieldManager: 'by-hand' }),
    );
    await isRefused(name, [file], /Secret\/.* has changed secret data: data.password, by by-hand/);
  });

  test('an object that is gone, one that is new, one that was made anew', async () => {
    const { name, file } = await upgradeSaved();
    await beside((cluster) => cluster.delete(id('v1', 'ConfigMap', `${name}-settings`)));
    await isRefused(name, [file], /ConfigMap\/.* existed when the plan was made but is gone/);
    const other = newCase();
    await ok('plan', 'install', other.name, other.chart, '--out', other.file);
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${other.name}-settings` }, data: { a: 'b' } };
    await beside((cluster) => cluster.create(map, { fieldManager: 'by-hand' }));
    const { stderr } = await run('apply', other.file);
    expect(stderr).toMatch(/did not exist when the plan was made but does now: created by by-hand/);
    const third = await upgradeSaved();
    await beside(async (cluster) => {
      const live = id('v1', 'ConfigMap', `${third.name}-settings`);
      const found = await cluster.get(live);
      await cluster.delete(live);
      const { resourceVersion: _version, uid: _uid, ...metadata } = found?.metadata ?? { name: '' };
      await cluster.create({ ...map, ...found, metadata });
    });
    await isRefused(third.name, [third.file], /was deleted and recreated/);
  });

  test('a file of the chart, even one that renders nothing', async () => {
    const { name, chart, file } = await upgradeSaved();
    writeFileSync(join(chart, 'README.md'), 'new');
    writeFileSync(join(chart, 'values.yaml'), 'color: green\npassword: CANARY-default\n');
    await isRefused(name, [file], /file README.md is new/, /file values.yaml has changed/);
  });

  test('values that differ, and secrets that are not given again', async () => {
    const { name, file } = await upgradeSaved(['--set', 'password=CANARY-given']);
    expect(readFileSync(file, 'utf8')).not.toContain('CANARY');
    await isRefused(name, [file], /the values differ .*: password$/m, /different secret data/);
    await isRefused(name, [file, '--set', 'password=CANARY-other'], /the values differ/);
    await ok('apply', file, '--set', 'password=CANARY-given');
  });

  test('of a flag with a secret the file keeps the other keys, and the next command names the secret', async () => {
    const { name, chart, file } = newCase();
    await ok('install', name, chart);
    const given = 'color=green,password=CANARY-given';
    const { stderr } = await ok('plan', 'upgrade', name, chart, '--set', given, '--out', file);
    expect(stderr).toMatch(/^ {2}tshelm apply .* \(and --set password=… as before\)$/m);
    expect(stderr).toContain('--set password contains a secret');
    await isRefused(name, [file], /pass these again: password$/m);
    await ok('apply', file, '--set', 'password=CANARY-given');
  });

  test('a values file that has changed names what is rendered otherwise', async () => {
    const { name, chart, file } = newCase();
    const values = join(folder, `${name}.yaml`);
    writeFileSync(values, 'color: blue\n');
    await ok('install', name, chart);
    await ok('plan', 'upgrade', name, chart, '-f', values, '--out', file);
    writeFileSync(values, 'color: green\n');
    await isRefused(
      name,
      [file],
      /Deployment\/.* is rendered differently: spec.template.spec.containers\[name=main\].image/,
    );
  });

  const edited = async (change: (plan: SavedPlan) => SavedPlan) => {
    const { name, file } = await upgradeSaved();
    writeFileSync(file, planFileText(change(readPlanFile(readFileSync(file, 'utf8'), file))));
    return { name, file };
  };

  test('an edited file, one that is cut, and one of another format', async () => {
    const { name, file } = await upgradeSaved();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll('nginx:blue', 'nginx:evil'));
    await isRefused(name, [file], /was changed after it was written/);
    writeFileSync(file, text.slice(0, 1000));
    await isRefused(name, [file], /is not a JSON object/);
    writeFileSync(file, text.replace('saved-plan/v1', 'saved-plan/v9'));
    await isRefused(name, [file], /its format is tshelm.dev\/saved-plan\/v9/);
    await isRefused(name, [join(folder, 'none.plan')], /no such file/);
  });

  test('a plan that shows something else than it sends', async () => {
    const hides = await edited((plan) => {
      const [release] = plan.releases as [SavedRelease];
      const objects = release.review.objects.filter(({ id: { kind } }) => kind !== 'Deployment');
      return { ...plan, releases: [{ ...release, review: { ...release.review, objects } }] };
    });
    await isRefused(hides.name, [hides.file], /it sends changes of Deployment\/r/);
    expect((await ok('show-plan', hides.file, '-o', 'markdown')).stdout).toContain('image&#58; nginx&#58;blue');
    const shows = await edited((plan) => {
      const [release] = plan.releases as [SavedRelease];
      const text = JSON.stringify(release.review.objects).replaceAll('nginx:blue', 'nginx:good');
      return { ...plan, releases: [{ ...release, review: { ...release.review, objects: JSON.parse(text) as [] } }] };
    });
    await isRefused(shows.name, [shows.file], /it sends changes of Deployment\/r/);
    expect((await ok('show-plan', shows.file, '-o', 'markdown')).stdout).toContain('image&#58; nginx&#58;blue');
  });

  test('a program that the file names, where the environment trusts none', async () => {
    const { name, file } = await upgradeSaved(['--post-renderer', '/bin/cat']);
    const words = ['apply', file, '--sandbox-dir', sandbox.directory];
    const { code, stderr } = await tshelm(words, { env: { TSHELM_UNTRUSTED: 'true' } });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('runs the post-renderer /bin/cat, which is refused for untrusted files'),
    ]);
    expect(await revisions(name)).toBe(1);
  });

  test('a hook that the review leaves out', async () => {
    const { name, chart, file } = newCase({
      'templates/hook.yaml':
        'apiVersion: batch/v1\nkind: Job\nmetadata: {name: {{ .Release.Name }}-early, annotations: {helm.sh/hook: pre-upgrade}}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "{{ .Values.color }}", env: [{name: PASSWORD, value: "{{ .Values.password }}"}]}]}}}\n',
    });
    await ok('install', name, chart);
    await ok('plan', 'upgrade', name, chart, '--set', 'color=blue', '--set', 'password=CANARY-x', '--out', file);
    const plan = readPlanFile(readFileSync(file, 'utf8'), file);
    const [release] = plan.releases as [SavedRelease];
    const without = { ...release, review: { ...release.review, hooks: [] } };
    const other = join(folder, `${name}-other.plan`);
    writeFileSync(other, planFileText({ ...plan, releases: [without] }));
    const given = ['--set', 'password=CANARY-x'];
    await isRefused(name, [other, ...given], /Job\/.*-early in default is a hook that the plan does not show/);
    expect((await run('apply', file, ...given)).stderr).not.toContain('out of date');
  });

  test('an expired one, one of another version, one of another cluster', async () => {
    const expired = await edited((plan) => ({ ...plan, expiresAt: '2026-01-01T00:00:00Z' }));
    await isRefused(expired.name, [expired.file], /expired at 2026-01-01/);
    const version = await edited((plan) => ({ ...plan, tshelm: '9.9.9' }));
    await isRefused(version.name, [version.file], /made by tshelm 9.9.9/);
    const cluster = await edited(({ releases, ...plan }) => ({
      ...plan,
      releases: releases.map((release) => ({
        ...release,
        cluster: release.cluster.map((witness) => ({ ...witness, uid: 'other' })),
      })),
    }));
    await isRefused(
      cluster.name,
      [cluster.file],
      /made for another cluster: Namespace\/kube-system has a different uid/,
    );
    await isRefused(cluster.name, [cluster.file, '-n', 'kube-public'], /is for the namespace default, not kube-public/);
  });

  test('a chart that draws lots can be applied only where what was rendered is kept', async () => {
    const { name, chart, file } = newCase({
      'templates/lot.yaml':
        'apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}-lot}\nstringData: {lot: {{ randAlphaNum 20 }}}\n',
    });
    await ok('install', name, chart);
    const { stderr } = await ok('plan', 'upgrade', name, chart, '--out', file);
    expect(stderr).toMatch(/warning: shop\/templates\/lot.yaml .* save it encrypted/);
    await isRefused(name, [file], /Secret\/.*-lot renders different secret data/);
  });
});

test('an object that is called as a secret of a file of sops keeps its name in the plan', async () => {
  const named =
    'kind: ConfigMap\napiVersion: v1\nmetadata: {name: "{{ .Values.password }}"}\ndata: {a: "{{ .Values.password }}"}\n';
  const { name, chart, file } = newCase({ 'templates/all.yaml': named });
  const fixture = (one: string): string => join(import.meta.dirname, '../sops/fixtures', one);
  const env = { SOPS_AGE_KEY_FILE: fixture('keys.txt') };
  const given = ['-f', fixture('some.encrypted.yaml')];
  const planned = await sandbox.runWith({ env }, 'plan', name, chart, ...given, '--out', file);
  expect(planned).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).not.toMatch(/a: hunter2/);
  expect(await sandbox.runWith({ env }, 'apply', file)).toMatchObject({ code: 0 });
});

describe.concurrent('encrypted', () => {
  const lots = {
    'templates/lot.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}-lot}\nstringData: {lot: {{ randAlphaNum 20 }}}\n',
  };

  /** The file of an identity, and the flags that encrypt for it. A passphrase takes seconds. */
  async function keyPair(name: string) {
    const identity = await generateX25519Identity();
    const keys = join(folder, `${name}.key`);
    writeFileSync(keys, `# created for a test\n${identity}\n`);
    return { keys, to: ['--encrypt-to', await identityToRecipient(identity)] };
  }
  const identityIn = (keys: string): string => readFileSync(keys, 'utf8').trim().split('\n').at(-1) ?? '';

  test('for a recipient: what was rendered is sent, secrets and all', async () => {
    const { name, chart, file } = newCase(lots);
    const { keys, to } = await keyPair(name);
    await ok('plan', 'install', name, chart, '--set', 'password=CANARY-given', '--out', file, ...to);
    expect(readFileSync(file, 'utf8')).not.toContain('CANARY');
    expect((await run('apply', file)).stderr).toContain('fix    add --identity FILE');
    await ok('apply', file, '--identity', keys);
    const { stdout } = await ok('get', 'values', name, '-o', 'json');
    expect(JSON.parse(stdout)).toEqual({ password: 'CANARY-given' });
  });

  test.each(['randAlphaNum 5', 'now', 'now | date "2006"', 'genPrivateKey "ed25519" | sha256sum'])(
    'a template with %s is warned of, unless the plan keeps what it renders',
    async (lot) => {
      const { name, chart, file } = newCase({
        'templates/lot.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-lot}\ndata: {lot: "{{ ${lot} }}"}\n`,
      });
      const { to } = await keyPair(name);
      const warning =
        /warning: shop\/templates\/lot.yaml renders.*\n {2}fix {4}plan again with --passphrase-file FILE or --encrypt-to/;
      expect((await ok('plan', 'install', name, chart, '--out', file)).stderr).toMatch(warning);
      expect((await ok('plan', 'install', name, chart, '--out', file, ...to)).stderr).not.toMatch(warning);
    },
  );

  test('with a passphrase, and not with another one', async () => {
    const { name, chart, file } = newCase(lots);
    const [right, wrong] = [join(folder, 'right'), join(folder, 'wrong')];
    writeFileSync(right, 'CANARY-passphrase\n');
    writeFileSync(wrong, 'CANARY-other\n');
    const saved = await ok('plan', 'install', name, chart, '--out', file, '--passphrase-file', right);
    expect(saved.stderr).toContain(`  tshelm apply ${file} --passphrase-file=${right} `);
    expect((await run('apply', file, '--passphrase-file', wrong)).stderr).toMatch(/cannot be decrypted/);
    await ok('apply', file, '--passphrase-file', right);
  });

  test('a plan that somebody made from two with the recipient alone', async () => {
    const { name, chart, file } = newCase();
    const { keys, to } = await keyPair(name);
    const planned = async (color: string): Promise<SavedRelease> => {
      await ok('plan', 'install', name, chart, '--set', `color=${color}`, '--out', file, ...to);
      return readPlanFile(readFileSync(file, 'utf8'), file).releases[0] as SavedRelease;
    };
    const [evil, good] = [await planned('evil'), await planned('good')];
    const { texts, sealed, values } = evil;
    const proved = await Promise.all(
      texts.map(async ({ text }, index) => ({ ...(good.texts[index] as SavedText), proof: await proofOf(text) })),
    );
    const plan = readPlanFile(readFileSync(file, 'utf8'), file);
    const write = (release: SavedRelease): void => writeFileSync(file, planFileText({ ...plan, releases: [release] }));
    write({ ...good, texts: proved, sealed, values });
    const { code, stderr } = await run('apply', file, '--identity', keys);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ConfigMap\/.* is rendered differently: data.color/)]);
    expect((await run('status', name)).code).toBe(1);
  });

  test('what was put into the encrypted part must be what the chart renders', async () => {
    const { name, chart, file } = newCase(lots);
    const { keys, to } = await keyPair(name);
    await ok('plan', 'install', name, chart, '--out', file, ...to);
    const plan = readPlanFile(readFileSync(file, 'utf8'), file);
    const [release] = plan.releases as [SavedRelease];
    const open = JSON.parse(await ageDecrypt(release.sealed ?? '', { identities: [identityIn(keys)] })) as Sealed;
    const evil = (text: string): string => text.replaceAll('color: red', 'color: evil');
    const manifests = open.manifests.map(({ source, text }) => ({ source, text: evil(text) }));
    const sealed = await ageEncrypt(JSON.stringify({ ...open, manifests }), { recipients: [to[1] as string] });
    const texts = release.texts.map((one) => ({ ...one, text: evil(one.text) }));
    const diffs = JSON.parse(evil(JSON.stringify(release.review))) as SavedRelease['review'];
    const forged = { ...release, sealed, texts, review: diffs };
    writeFileSync(file, planFileText({ ...plan, releases: [forged] }));
    const { code, stderr } = await run('apply', file, '--identity', keys);
    const why = /ConfigMap\/.* in the encrypted part of the plan differs from what the chart renders: data.color/;
    expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
  });

  test('a chart that has changed is refused all the same, and a recipient that is none', async () => {
    const { name, chart, file } = newCase();
    const { keys, to } = await keyPair(name);
    await ok('install', name, chart);
    await ok('plan', 'upgrade', name, chart, '--out', file, ...to);
    const copy = join(folder, `${name}-copy`);
    cpSync(chart, copy, { recursive: true });
    writeFileSync(join(chart, 'templates/all.yaml'), '');
    await isRefused(name, [file, '--identity', keys], /file templates\/all.yaml has changed/);
    const { code, stderr } = await run('plan', 'upgrade', name, copy, '--out', file, '--encrypt-to', 'age1nobody');
    expect([code, stderr]).toEqual([1, expect.stringContaining('the plan cannot be encrypted')]);
  });
});

const planIn = (file: string): SavedPlan => readPlanFile(readFileSync(file, 'utf8'), file);

function refusalOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.concurrent('signed', () => {
  const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const keyFile = (name: string, text: string | Buffer): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const keys = {
    secret: keyFile('own.pem', own.privateKey.export({ format: 'pem', type: 'pkcs8' })),
    public: keyFile('own.pub', own.publicKey.export({ format: 'pem', type: 'spki' })),
    other: keyFile('other.pub', other.publicKey.export({ format: 'pem', type: 'spki' })),
  };

  test('applied and shown with the public key, and with no other', async () => {
    const { name, chart, file } = newCase();
    await ok('plan', 'install', name, chart, '--out', file, '--sign-key', keys.secret);
    for (const command of ['apply', 'show-plan']) {
      const { code, stderr } = await run(command, file, '--verify-key', keys.other);
      expect([code, stderr]).toEqual([1, expect.stringContaining('none of the given keys')]);
    }
    const plan = JSON.parse(readFileSync(file, 'utf8')) as { plan: SavedPlan; signature: string };
    const unsigned = keyFile(`${name}-unsigned.plan`, planFileText(plan.plan));
    expect((await run('apply', unsigned, '--verify-key', keys.public)).stderr).toContain('it is not signed');
    const changed = JSON.parse(planFileText({ ...plan.plan, createdBy: 'somebody' })) as object;
    const forged = keyFile(`${name}-forged.plan`, JSON.stringify({ ...changed, signature: plan.signature }));
    expect((await run('apply', forged, '--verify-key', keys.public)).stderr).toContain('changed after it was signed');
    expect((await run('status', name)).code).toBe(1);
    await ok('show-plan', file, '--verify-key', keys.public);
    await ok('apply', file, '--verify-key', keys.other, '--verify-key', keys.public);
  });

  test('released by a key, and by no other text of its owner', async () => {
    const { name, chart, file } = newCase();
    await ok('plan', 'install', name, chart, '--out', file, '--sign-key', keys.secret);
    const trusted = { releaseKeys: [readFileSync(keys.public, 'utf8')] };
    const refusal = (): unknown => refusalOf(() => readPlanFile(readFileSync(file, 'utf8'), file, trusted));
    expect(refusal()).toMatchObject({ code: 'plan-unreleased', details: { path: file } });
    const released = await ok('plan', 'release', file, '--sign-key', keys.secret, '--verify-key', keys.public);
    expect(released.stdout).toContain(`the install of release "${name}"`);
    expect(refusal()).toBeUndefined();
    const others = { releaseKeys: [readFileSync(keys.other, 'utf8')] };
    expect(refusalOf(() => readPlanFile(readFileSync(file, 'utf8'), file, others))).toMatchObject({
      code: 'plan-unreleased',
    });
    const { digest, plan, ...rest } = JSON.parse(planFileText({ ...planIn(file), createdBy: 'x' }));
    const { released: kept } = JSON.parse(readFileSync(file, 'utf8')) as { released: object };
    writeFileSync(file, JSON.stringify({ ...rest, digest, released: kept, plan }));
    expect(refusal()).toMatchObject({ code: 'plan-unreleased' });
    expect((await run('plan', 'release', file)).stderr).toContain('--sign-key');
  });

  test('a plan that expired is not released', async () => {
    const { name, chart, file } = newCase();
    await ok('plan', 'install', name, chart, '--out', file);
    writeFileSync(file, planFileText({ ...planIn(file), expiresAt: '2020-01-01T00:00:00.000Z' }));
    const { code, stderr } = await run('plan', 'release', file, '--sign-key', keys.secret);
    expect([code, stderr]).toEqual([1, expect.stringContaining('expired at 2020-01-01')]);
  });

  test('a key that signs nothing, and flags without a plan', async () => {
    const { name, chart, file } = newCase();
    const words = ['plan', 'install', name, chart];
    expect((await run(...words, '--sign-key', keys.secret)).stderr).toContain('only a saved plan is signed');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const path = keyFile('rsa.pem', rsa.export({ format: 'pem', type: 'pkcs8' }));
    expect((await run(...words, '--out', file, '--sign-key', path)).stderr).toContain('must be an ed25519 key');
    expect(existsSync(file)).toBe(false);
  });
});

describe.concurrent('show-plan', () => {
  test('adds nothing to a review that shows everything, lists, texts and quantities too', async () => {
    const { name, chart, file } = newCase({
      'templates/more.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: {{ .Release.Name }}-more}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b, args: [x, "{{ .Values.color }}"], resources: {requests: {cpu: 1000m}}}]}}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-text}\ndata:\n  empty: ""\n  text: |\n    a: {{ .Values.color }}\n    b:\n    - c\n',
    });
    await ok('plan', 'install', name, chart, '--out', file);
    expect((await ok('show-plan', file, '-o', 'markdown')).stdout).not.toContain('not in the diff');
    await ok('apply', file);
    const planned = await ok('plan', 'upgrade', name, chart, '--set', 'color=blue', '-o', 'markdown', '--out', file);
    expect((await ok('show-plan', file, '-o', 'markdown')).stdout).toBe(planned.stdout);
  });

  test('tells what the plan replaces by its name, whatever its review says', async () => {
    const { name, chart, file } = newCase();
    await ok('install', name, chart);
    const words = ['plan', 'upgrade', name, chart, '--replace', `Deployment/${name}`, '--out', file];
    expect((await ok(...words)).stdout).toContain(`Deployment/${name}  (replace: asked for)`);
    const plan = readPlanFile(readFileSync(file, 'utf8'), file);
    const [release] = plan.releases as [SavedRelease];
    const forged = { ...release, review: { ...release.review, objects: [] } };
    writeFileSync(file, planFileText({ ...plan, releases: [forged] }));
    expect((await ok('show-plan', file)).stdout).toContain(`Deployment/${name}  (replace: asked for)`);
  });

  test('prints what plan prints, in every form, without secrets', async () => {
    const { name, chart, file } = newCase();
    await ok('install', name, chart);
    for (const form of ['tree', 'json', 'yaml', 'dot', 'mermaid', 'html', 'markdown']) {
      const words = ['--set', 'color=blue', '--set', 'password=CANARY-given', '-o', form];
      const planned = await ok('plan', 'upgrade', name, chart, ...words, '--out', file);
      const shown = await ok('show-plan', file, '-o', form);
      expect(shown.stdout).not.toContain('CANARY');
      if (form === 'tree') expect(shown.stdout.split('\n\n').slice(1).join('\n\n')).toBe(planned.stdout);
      else expect(shown.stdout).toBe(planned.stdout);
    }
    expect((await run('show-plan', file, '--exit-code')).code).toBe(2);
    expect((await run('show-plan', file, '--release', 'other')).stderr).toContain('the plan has no release other');
  });
});
