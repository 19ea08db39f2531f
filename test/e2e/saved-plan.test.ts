import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planFileText, readPlanFile } from '../../src/saved-plan/file.ts';
import type { SavedPlan } from '../../src/saved-plan/types.ts';
import { auditOf, type Write } from './support/audit.ts';
import { configMap, hook, job, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, tshelm } from './support/programs.ts';

/*
 * A plan that is saved and applied, by the API server's audit log: unchanged it sends what the direct run sends; where
 * something has changed, nothing is sent at all.
 */
const directory = scratchDirectory();
const admin = adminOf('saved-plan');
const audit = auditOf(admin);
const { namespace } = admin;
const here = ['-n', namespace];
/** The charts here have nothing that is cluster-wide. */
const isOurs = ({ userAgent, isNamespaced }: Write): boolean => userAgent === 'tshelm' && isNamespaced;

const secret = `apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-auth}
stringData: {password: {{ .Values.password | default "CANARY-default" }}}
`;
const chart = writeChart(directory, 'shop', {
  'Chart.yaml':
    'apiVersion: v2\nname: shop\nversion: 1.0.0\nannotations: {helm.sh/depends-on/subcharts: db}\ndependencies: [{name: db, version: 1.0.0}]\n',
  'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'charts/db/templates/db.yaml': workload('StatefulSet', 'db'),
  'templates/settings.yaml': configMap('settings', '{{ .Values.color | default "red" }}'),
  'templates/more.yaml': `{{ if .Values.more }}${configMap('more', 'x')}{{ end }}`,
  'templates/secret.yaml': secret,
  'templates/web.yaml': workload('Deployment', 'web'),
  ...Object.fromEntries(
    ['pre-install', 'post-upgrade', 'pre-rollback', 'post-delete'].map((event) => [
      `templates/${event}.yaml`,
      job(event, { annotations: hook(event, { policy: 'before-hook-creation,hook-succeeded' }) }),
    ]),
  ),
});

let count = 0;
const newName = (): string => `r${(count += 1)}`;
const fileOf = (release: string): string => join(directory, `${release}.plan`);

/** The writes of a run, with the release called R; records and leases by what is done to them, how often does not matter. */
async function writesOf(release: string): Promise<readonly string[]> {
  const plain = ({ verb, object, code }: Write): string => `${verb} ${object.replaceAll(release, 'R')} ${code}`;
  const writes = (await audit.writes(isOurs)).map(plain).filter((text) => !text.includes('leases'));
  const isRecord = (text: string): boolean => text.includes('sh.helm.release');
  const records = new Set(writes.filter(isRecord));
  return [...writes.filter((text) => !isRecord(text)), ...records].sort();
}

test.each([['--wait=hookOnly'], ['--wait=watcher'], ['--wait=ordered'], ['--server-side=false']])(
  'a whole life sends the same as directly, with %s',
  async (flag) => {
    const [direct, saved] = [newName(), newName()];
    const common = [...here, '--timeout', '120s'];
    const steps: readonly (readonly [string, (release: string) => readonly string[]])[] = [
      ['install', (release) => [release, chart, '--set', 'more=true', '--set', 'password=CANARY-given']],
      ['upgrade', (release) => [release, chart, '--set', 'color=blue', '--set', 'password=CANARY-given']],
      ['rollback', (release) => [release, '1']],
      ['uninstall', (release) => [release]],
    ];
    for (const [action, wordsOf] of steps) {
      const how = action === 'uninstall' && flag.startsWith('--server-side') ? common : [...common, flag];
      audit.begin();
      await ok(tshelm, [action, ...wordsOf(direct), ...how]);
      const sent = await writesOf(direct);
      await ok(tshelm, ['plan', action, ...wordsOf(saved), ...how, '--out', fileOf(saved)]);
      expect(readFileSync(fileOf(saved), 'utf8')).not.toMatch(/CANARY|Q0FOQVJZ/);
      audit.begin();
      const given = action === 'install' || action === 'upgrade' ? ['--set', 'password=CANARY-given'] : [];
      await ok(tshelm, ['apply', fileOf(saved), ...given]);
      expect(await writesOf(saved), action).toEqual(sent);
      expect(sent.length).toBeGreaterThan(3);
    }
  },
);

/** Installed, with an upgrade that is saved. */
async function upgradeSaved(from = chart): Promise<string> {
  const release = newName();
  await ok(tshelm, ['install', release, from, ...here, '--no-hooks']);
  await ok(tshelm, ['plan', 'upgrade', release, from, '--set', 'color=blue', ...here, '--out', fileOf(release)]);
  return release;
}

/** Refused in these words, and the API server got no write, no lock and no dry run. */
async function isRefused(release: string, words: readonly string[], ...texts: readonly RegExp[]): Promise<void> {
  audit.begin();
  const { code, stderr } = await tshelm.run(['apply', fileOf(release), ...words]);
  expect(code).toBe(1);
  for (const text of texts) expect(stderr).toMatch(text);
  expect(stderr).not.toMatch(/CANARY|Q0FOQVJZ/);
  expect(await audit.writes(isOurs)).toEqual([]);
  expect(await audit.dryRuns()).toEqual([]);
}

const patch = (apiVersion: string, kind: string, name: string, change: object): Promise<unknown> =>
  admin.cluster().patch({ apiVersion, kind, namespace, name }, 'merge', change, { fieldManager: 'kubectl-edit' });

test('an object changed by hand, a Secret too', async () => {
  const release = await upgradeSaved();
  await patch('v1', 'ConfigMap', `${release}-settings`, { data: { value: 'green' } });
  await isRefused(
    release,
    [],
    new RegExp(
      `ConfigMap/${release}-settings in ${namespace} has changed: data.value was "red" .* is now "green", by kubectl-edit`,
    ),
  );
  await patch('v1', 'ConfigMap', `${release}-settings`, { data: { value: 'red' } });
  await patch('v1', 'Secret', `${release}-auth`, { data: { password: Buffer.from('CANARY-x').toString('base64') } });
  await isRefused(release, [], /Secret\/.* has changed secret data: data.password, by kubectl-edit/);
});

test('a field that another manager took and gave back, which would be a conflict', async () => {
  const release = await upgradeSaved();
  await patch('v1', 'ConfigMap', `${release}-settings`, { data: { value: 'green' } });
  await patch('v1', 'ConfigMap', `${release}-settings`, { data: { value: 'red' } });
  await isRefused(
    release,
    [],
    /ConfigMap\/.*-settings .* has changed: data.value is now managed by kubectl-edit \(20\d\d-/,
  );
  await ok(tshelm, ['apply', fileOf(release), '--allow', `ConfigMap/${release}-settings`]);
  expect(await admin.object('v1', 'ConfigMap', `${release}-settings`)).toMatchObject({ data: { value: 'blue' } });
});

test('what controllers write, and fields that the chart does not set, do not matter', async () => {
  const release = await upgradeSaved();
  await patch('apps/v1', 'Deployment', `${release}-web`, { metadata: { annotations: { note: 'by hand' } } });
  await ok(tshelm, ['apply', fileOf(release)]);
});

test('an object changed by hand that is allowed', async () => {
  const release = newName();
  const planned = ['--set', 'color=blue', '--out', fileOf(release)];
  await ok(tshelm, ['install', release, chart, ...here, '--no-hooks']);
  await ok(tshelm, ['plan', 'upgrade', release, chart, ...here, ...planned]);
  await patch('apps/v1', 'Deployment', `${release}-web`, { spec: { replicas: 2 } });
  await isRefused(release, [], /Deployment\/.*-web .*spec.replicas was 1 .* is now 2, by kubectl-edit \(20\d\d-/);
  await ok(tshelm, ['apply', fileOf(release), '--allow', `${namespace}/Deployment/${release}-web`]);
  const web = await admin.object('apps/v1', 'Deployment', `${release}-web`);
  expect(web).toMatchObject({ spec: { replicas: 1 } });
});

test("a new revision, of Helm's", async () => {
  const release = await upgradeSaved();
  await ok(helm, ['upgrade', release, chart, ...here, '--no-hooks']);
  await isRefused(release, [], /was at revision 1 \(deployed\) .* is at revision 2 \(deployed\) now/);
});

test('a file of the chart', async () => {
  const copy = join(directory, 'copied', 'shop');
  cpSync(chart, copy, { recursive: true });
  const release = await upgradeSaved(copy);
  writeFileSync(join(copy, 'charts/db/templates/db.yaml'), workload('StatefulSet', 'other'));
  await isRefused(release, [], /the chart's file charts\/db\/templates\/db.yaml has changed/);
});

test('kinds and a namespace that the release itself brings', async () => {
  const release = newName();
  const group = `${release}.saved-plan.example.com`;
  const custom = writeChart(directory, 'custom', {
    'crds/gadgets.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget, listKind: GadgetList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
    'templates/gadget.yaml': `apiVersion: ${group}/v1\nkind: Gadget\nmetadata: {name: one}\n`,
  });
  const there = `${namespace}-new`;
  const words = ['install', release, custom, '-n', there, '--create-namespace'];
  await ok(tshelm, ['plan', ...words, '--out', fileOf(release)]);
  await ok(tshelm, ['apply', fileOf(release)]);
  expect(await ok(tshelm, ['status', release, '-n', there])).toContain('STATUS: deployed');
  await ok(tshelm, ['uninstall', release, '-n', there]);
  for (const [apiVersion, kind, name] of [
    ['v1', 'Namespace', there],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', `gadgets.${group}`],
  ] as const)
    await admin.cluster().delete({ apiVersion, kind, namespace: '', name });
});

test('another cluster: the sandbox is one', async () => {
  const release = await upgradeSaved();
  await isRefused(release, ['--sandbox', '--sandbox-dir', join(directory, 'box')], /made for another cluster/);
});

test('an edited file, an expired one, one of another version', async () => {
  const release = await upgradeSaved();
  const text = readFileSync(fileOf(release), 'utf8');
  writeFileSync(fileOf(release), text.replaceAll('blue', 'evil'));
  await isRefused(release, [], /was changed after it was written/);
  const rewritten = (change: Partial<SavedPlan>): void =>
    writeFileSync(fileOf(release), planFileText({ ...readPlanFile(text, ''), ...change }));
  rewritten({ expiresAt: new Date(Date.now() - 1000).toISOString() });
  await isRefused(release, [], /expired at/);
  rewritten({ tshelm: '9.9.9' });
  await isRefused(release, [], /made by tshelm 9.9.9/);
});

test('encrypted with a passphrase, it sends what was rendered then', async () => {
  const release = newName();
  const drawn = writeChart(directory, 'drawn', {
    'templates/lot.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}-lot}\nstringData: {lot: CANARY-{{ randAlphaNum 20 }}}\n',
  });
  const key = join(directory, 'passphrase');
  writeFileSync(key, 'CANARY-correct-horse\n');
  await ok(tshelm, ['plan', 'install', release, drawn, ...here, '--out', fileOf(release), '--passphrase-file', key]);
  expect(readFileSync(fileOf(release), 'utf8')).not.toMatch(/CANARY|Q0FOQVJZ/);
  await isRefused(release, [], /the plan is encrypted/);
  await ok(tshelm, ['apply', fileOf(release), '--passphrase-file', key]);
  expect(await admin.names('v1', 'Secret')).toContain(`${release}-lot`);
});

test('the comment for a pull request holds no secret, and is the same each time', async () => {
  const release = await upgradeSaved();
  const words = ['plan', 'upgrade', release, chart, '--set', 'password=CANARY-new', ...here, '-o', 'markdown'];
  const { code, stdout } = await tshelm.run([...words, '--exit-code']);
  expect(code).toBe(2);
  expect(stdout).toContain(`| <code>${release}</code> | <code>${namespace}</code> | changed |`);
  expect(stdout).not.toMatch(/CANARY|Q0FOQVJZ/);
  expect((await tshelm.run(words)).stdout).toBe(stdout);
});
