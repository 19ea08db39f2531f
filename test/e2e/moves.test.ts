import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isApiError } from '../../src/cluster/api-error.ts';
import type { ResourceId } from '../../src/manifest/types.ts';
import { FaultProxy, type PassedRequest } from './chaos/proxy.ts';
import { auditOf } from './support/audit.ts';
import { documents, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, helm3, ok, type Program, type Ran, tshelm, tshelmPath } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('moves');
const audit = auditOf(admin);
const here = ['-n', admin.namespace];

/** Named by a value, so that the objects of two releases can have one name. */
const configMap = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.at }}-${name}\ndata:\n  value: {{ .Values.value | default "1" | quote }}\n`;
const claim =
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: {{ .Values.at }}-data\nspec:\n  accessModes: [ReadWriteOnce]\n  resources:\n    requests:\n      storage: 1Gi\n';

const whole = writeChart(directory, 'whole', {
  'templates/all.yaml': documents(configMap('stays'), configMap('goes'), claim),
});
const rest = writeChart(directory, 'rest', { 'templates/all.yaml': configMap('stays') });
const other = writeChart(directory, 'other', { 'templates/all.yaml': configMap('own') });
const grown = writeChart(directory, 'grown', {
  'templates/all.yaml': documents(configMap('own'), configMap('goes'), claim),
});

const idsOf = (at: string) =>
  [
    { apiVersion: 'v1', kind: 'ConfigMap', name: `${at}-goes` },
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: `${at}-data` },
  ].map((id) => ({ ...id, namespace: admin.namespace }));

const uidsOf = (at: string) =>
  Promise.all(idsOf(at).map(async (id) => (await admin.cluster().get(id))?.metadata.uid ?? 'gone'));

/** A claim stays for a moment: a controller takes its finalizer away. */
const isGone = (at: string) => expect.poll(() => uidsOf(at), { timeout: 30_000 }).toEqual(['gone', 'gone']);

const ownersOf = (at: string) =>
  Promise.all(
    idsOf(at).map(
      async (id) => (await admin.cluster().get(id))?.metadata.annotations?.['meta.helm.sh/release-name'] ?? 'none',
    ),
  );

/** Who owns fields of them, but for controllers. */
const managersOf = (at: string) =>
  Promise.all(
    idsOf(at).map(async (id) => {
      const entries = ((await admin.cluster().get(id))?.metadata.managedFields ?? []) as readonly {
        readonly manager: string;
        readonly operation: string;
      }[];
      const own = entries.filter(({ manager }) => !manager.startsWith('kube-'));
      return own.map(({ manager, operation }) => `${manager} ${operation}`).join(', ');
    }),
  );

const objectsOf = (at: string): string[] => [`ConfigMap/${at}-goes`, `PersistentVolumeClaim/${at}-data`];

const statuses = async (name: string, program: Program = helm): Promise<string[]> => {
  const history = await ok(program, ['history', name, '-o', 'json', ...here]);
  return (JSON.parse(history) as { revision: number; status: string }[]).map(
    ({ revision, status }) => `${revision} ${status}`,
  );
};

const deletions = async (): Promise<readonly string[]> =>
  (await audit.writes(({ verb, resource }) => verb === 'delete' && /configmaps|persistentvolumeclaims/.test(resource)))
    .map(({ object }) => object)
    .filter((object) => !object.includes('audit-mark'));

interface Way {
  readonly title: string;
  readonly by: Program;
  readonly flags: readonly string[];
}

const ways: readonly Way[] = [
  { title: 'Helm 4, server-side apply', by: helm, flags: [] },
  { title: 'Helm 4, client-side apply', by: helm, flags: ['--server-side=false'] },
  { title: 'Helm 3', by: helm3, flags: [] },
];

describe.each(ways)('releases of $title', ({ by, flags }) => {
  const id = `${by.name}${flags.length}`;
  const manager = by === helm && flags.length === 0 ? 'helm Apply' : 'helm Update';
  const upgradeFlags = flags.length === 0 ? [] : ['--server-side=auto'];
  const upgrade = (name: string, chart: string, at: string, value: string) =>
    ok(by, ['upgrade', name, chart, '--set', `at=${at}`, '--set', `value=${value}`, ...upgradeFlags, ...here]);

  test('move: both are upgraded and rolled back by Helm afterwards, and no object is deleted', async () => {
    const [a, b, at] = [`a-${id}`, `b-${id}`, `at-${id}`];
    await ok(by, ['install', a, whole, '--set', `at=${at}`, ...flags, ...here]);
    await ok(by, ['install', b, other, '--set', `at=${at}`, ...flags, ...here]);
    const uids = await uidsOf(at);
    audit.begin();
    await ok(tshelm, ['move', a, ...objectsOf(at), '--to', b, ...here]);
    expect(await statuses(a, by)).toEqual(['1 superseded', '2 deployed']);
    expect(await statuses(b, by)).toEqual(['1 superseded', '2 deployed']);
    expect(await ownersOf(at)).toEqual([b, b]);
    expect(await managersOf(at)).toEqual([manager, manager]);
    await upgrade(a, rest, at, 'two');
    await upgrade(b, grown, at, 'two');
    await ok(by, ['rollback', a, '2', ...here]);
    await ok(by, ['rollback', b, '2', ...here]);
    expect(await uidsOf(at)).toEqual(uids);
    expect(await deletions()).toEqual([]);
    await ok(tshelm, ['upgrade', b, grown, '--set', `at=${at}`, '--set', 'value=three', ...here]);
    await ok(by, ['uninstall', a, ...here]);
    expect(await uidsOf(at)).toEqual(uids);
    await ok(by, ['uninstall', b, ...here]);
    await isGone(at);
  });

  test('rename: Helm sees the history, upgrades and rolls back', async () => {
    const [old, name, at] = [`old-${id}`, `new-${id}`, `r-${id}`];
    await ok(by, ['install', old, whole, '--set', `at=${at}`, ...flags, ...here]);
    await upgrade(old, whole, at, 'two');
    const uids = await uidsOf(at);
    audit.begin();
    await ok(tshelm, ['rename', old, name, ...here]);
    expect(await statuses(name, by)).toEqual(['1 superseded', '2 superseded', '3 deployed']);
    expect(await admin.records(old)).toEqual([]);
    expect(await ownersOf(at)).toEqual([name, name]);
    expect(await managersOf(at)).toEqual([manager, manager]);
    await upgrade(name, whole, at, 'three');
    await ok(by, ['rollback', name, '1', ...here]);
    await ok(tshelm, ['rollback', name, '2', ...here]);
    expect(await uidsOf(at)).toEqual(uids);
    expect(await deletions()).toEqual([]);
    await ok(by, ['uninstall', name, ...here]);
    await isGone(at);
  });
});

test.each([
  ['client-side to server-side apply', ['--server-side=false'], []],
  ['server-side to client-side apply', [], ['--server-side=false']],
])('move from %s: the next upgrades meet no conflict', async (_what, from, to) => {
  const [a, b, at] = ['mixa', 'mixb', 'mixed'].map((name) => `${name}${from.length}`) as [string, string, string];
  await ok(helm, ['install', a, whole, '--set', `at=${at}`, ...from, ...here]);
  await ok(helm, ['install', b, other, '--set', `at=${at}`, ...to, ...here]);
  const uids = await uidsOf(at);
  await ok(tshelm, ['move', a, ...objectsOf(at), '--to', b, ...here]);
  for (const by of [helm, tshelm])
    await ok(by, ['upgrade', b, grown, '--set', `at=${at}`, '--set', `value=${by.name}`, ...here]);
  await ok(helm, ['upgrade', a, rest, '--set', `at=${at}`, ...here]);
  const [settings] = idsOf(at);
  expect((await admin.cluster().get(settings as never))?.['data']).toEqual({ value: 'tshelm' });
  expect(await uidsOf(at)).toEqual(uids);
});

/** Objects that belong to no release. */
const create = async (at: string): Promise<void> => {
  const metadata = (name: string) => ({ name, namespace: admin.namespace });
  const options = { fieldManager: 'helm' };
  await admin
    .cluster()
    .create(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(`${at}-goes`), data: { value: 'live' } },
      options,
    );
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await admin
    .cluster()
    .create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: metadata(`${at}-data`), spec }, options);
};

describe('objects that nobody owns', () => {
  test.each([helm, helm3])('become a release that $name upgrades', async (by) => {
    const [name, at] = [`adopted-${by.name}`, `ad-${by.name}`];
    await create(at);
    const uids = await uidsOf(at);
    await ok(tshelm, ['adopt', name, whole, ...objectsOf(at), '--set', `at=${at}`, ...here]);
    expect(await statuses(name, by)).toEqual(['1 deployed']);
    const [settings] = idsOf(at);
    expect((await admin.cluster().get(settings as never))?.['data']).toEqual({ value: 'live' });
    await ok(by, ['upgrade', name, whole, '--set', `at=${at}`, '--set', 'value=new', ...here]);
    expect((await admin.cluster().get(settings as never))?.['data']).toEqual({ value: 'new' });
    expect(await uidsOf(at)).toEqual(uids);
    await ok(by, ['rollback', name, '1', ...here]);
    await ok(by, ['uninstall', name, ...here]);
    await isGone(at);
  });

  test('become part of a release that is there', async () => {
    await create('more');
    await ok(helm, ['install', 'more', rest, '--set', 'at=more', ...here]);
    await ok(tshelm, ['adopt', 'more', whole, ...objectsOf('more'), '--set', 'at=more', ...here]);
    expect(await statuses('more')).toEqual(['1 superseded', '2 deployed']);
    expect(await ownersOf('more')).toEqual(['more', 'more']);
    await ok(helm, ['upgrade', 'more', whole, '--set', 'at=more', ...here]);
  });
});

test('uninstall --keep-objects: what stays keeps its uid, and is adopted by another release', async () => {
  const at = 'left';
  await ok(helm, ['install', 'left-a', whole, '--set', `at=${at}`, ...here]);
  const uids = await uidsOf(at);
  audit.begin();
  const text = await ok(tshelm, ['uninstall', 'left-a', `--keep-objects=${objectsOf(at).join(',')}`, ...here]);
  expect(text).toContain(`[PersistentVolumeClaim] ${at}-data\n`);
  expect(await deletions()).toEqual([`configmaps/${at}-stays`]);
  expect(await ownersOf(at)).toEqual(['none', 'none']);
  await ok(tshelm, ['adopt', 'left-b', whole, ...objectsOf(at), '--set', `at=${at}`, ...here]);
  await ok(helm, ['upgrade', 'left-b', whole, '--set', `at=${at}`, ...here]);
  expect(await uidsOf(at)).toEqual(uids);
});

describe('saved as a plan', () => {
  const writes = async (): Promise<readonly string[]> =>
    // A deletion says in its body that it is a dry run: what is there says more.
    (
      await audit.writes(
        ({ userAgent, verb, isNamespaced }) => userAgent === 'tshelm' && isNamespaced && verb !== 'delete',
      )
    ).map(({ verb, object }) => `${verb} ${object}`);

  test.each(['move', 'rename', 'adopt'])('a %s is carried out as it was shown, or nothing is written', async (verb) => {
    const at = `saved-${verb}`;
    const file = join(directory, `${at}.plan`);
    const words = {
      move: ['move', at, ...objectsOf(at), '--to', `${at}-new`],
      rename: ['rename', at, `${at}-new`],
      adopt: ['adopt', `${at}-new`, whole, ...objectsOf(at), '--set', `at=${at}`],
    }[verb] as string[];
    await (verb === 'adopt' ? create(at) : ok(tshelm, ['install', at, whole, '--set', `at=${at}`, ...here]));
    const [uids, owners] = [await uidsOf(at), await ownersOf(at)];
    audit.begin();
    await ok(tshelm, [...words, '--out', file, ...here]);
    expect(await ok(tshelm, ['show-plan', file])).toContain(`ConfigMap/${at}-goes`);
    expect(await writes()).toEqual([]);
    const kept = verb === 'adopt' ? [] : [`sh.helm.release.v1.${at}.v1`];
    expect([await admin.records(at), await uidsOf(at), await ownersOf(at)]).toEqual([kept, uids, owners]);
    const [settings] = idsOf(at) as [ResourceId, ResourceId];
    const mark = (release: string | null, uid?: string) =>
      admin.cluster().patch(settings, 'merge', {
        metadata: {
          annotations: {
            'meta.helm.sh/release-name': release,
            'meta.helm.sh/release-namespace': uid ?? admin.namespace,
          },
        },
      });
    await mark('thief');
    audit.begin();
    const refused = await tshelm.run(['apply', file]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/is out of date|belongs? to (?:another )?release/),
    ]);
    expect([await writes(), await admin.records(at)]).toEqual([[], kept]);
    await mark(owners[0] === 'none' ? null : (owners[0] as string));
    await ok(tshelm, ['apply', file]);
    expect(await uidsOf(at)).toEqual(uids);
    expect(await ownersOf(at)).toEqual([`${at}-new`, `${at}-new`]);
    expect(await deletions()).toEqual([]);
    audit.begin();
    expect(await tshelm.run(['apply', file])).toMatchObject({ code: 1 });
    expect(await writes()).toEqual([]);
    await ok(helm, ['upgrade', `${at}-new`, grown, '--set', `at=${at}`, ...here]);
    expect(await uidsOf(at)).toEqual(uids);
  });
});

/** tshelm as a process of its own, whose way to the API server leads through the proxy. */
let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await FaultProxy.open(process.env['KUBECONFIG'] ?? '');
  writeFileSync(join(directory, 'proxied'), proxy.kubeconfig);
});
afterAll(() => proxy.close());

const start = (words: readonly string[], kubeconfig?: string): { child: ChildProcess; ended: Promise<Ran> } => {
  const env = { ...process.env, ...(kubeconfig !== undefined && { KUBECONFIG: kubeconfig }) };
  const child = spawn(tshelmPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  return {
    child,
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? -1, ...text }))),
  };
};

const isWrite = ({ method }: PassedRequest): boolean => method !== 'GET';

/** Runs a command that is killed at its n-th write; false when it had ended before. */
async function killedAt(n: number, isLost: boolean, words: readonly string[]): Promise<boolean> {
  let writes = 0;
  let kill = (): void => {};
  proxy.begin((request) => {
    if (!isWrite(request)) return undefined;
    writes += 1;
    return writes === n ? { kind: 'run', task: () => kill(), isLost } : undefined;
  });
  const { child, ended } = start(words, join(directory, 'proxied'));
  kill = () => void child.kill('SIGKILL');
  const { code } = await ended;
  await proxy.idle();
  return code === -1;
}

const moments = [
  ['before the request arrives', false],
  ['before its answer comes back', true],
] as const;

describe.each(moments)('killed at each write, %s', (moment, isLost) => {
  const prefix = isLost ? 'l' : 'k';

  test('a move is finished by the next run', { timeout: 600_000 }, async () => {
    let kills = 0;
    for (let n = 1; ; n += 1) {
      const [a, b, at] = [`${prefix}a${n}`, `${prefix}b${n}`, `${prefix}m${n}`];
      await ok(tshelm, ['install', a, whole, '--set', `at=${at}`, ...here]);
      await ok(tshelm, ['install', b, other, '--set', `at=${at}`, ...here]);
      const uids = await uidsOf(at);
      audit.begin();
      const words = ['move', a, ...objectsOf(at), '--to', b, ...here];
      if (!(await killedAt(n, isLost, words))) break;
      kills += 1;
      await ok(tshelm, words);
      expect([n, moment, await statuses(a), await statuses(b)]).toEqual([
        n,
        moment,
        ['1 superseded', '2 deployed'],
        ['1 superseded', '2 deployed'],
      ]);
      expect(await ownersOf(at)).toEqual([b, b]);
      await ok(tshelm, ['upgrade', a, rest, '--set', `at=${at}`, ...here]);
      await ok(tshelm, ['upgrade', b, grown, '--set', `at=${at}`, ...here]);
      expect(await uidsOf(at)).toEqual(uids);
      expect(await deletions()).toEqual([]);
      await ok(tshelm, ['uninstall', a, b, ...here]);
    }
    console.log(`moves: a move killed at each of ${kills} writes, ${moment}`);
    expect(kills).toBeGreaterThanOrEqual(14);
  });

  test('a rename is finished by the next run', { timeout: 600_000 }, async () => {
    let kills = 0;
    for (let n = 1; ; n += 1) {
      const [old, name, at] = [`${prefix}o${n}`, `${prefix}n${n}`, `${prefix}r${n}`];
      await ok(tshelm, ['install', old, whole, '--set', `at=${at}`, ...here]);
      await ok(tshelm, ['upgrade', old, whole, '--set', `at=${at}`, ...here]);
      const uids = await uidsOf(at);
      audit.begin();
      const words = ['rename', old, name, ...here];
      if (!(await killedAt(n, isLost, words))) break;
      kills += 1;
      // The last write of all but the locks is the deletion of the last old record.
      if ((await admin.records(old)).length > 0) await ok(tshelm, words);
      expect([n, moment, await statuses(name)]).toEqual([n, moment, ['1 superseded', '2 superseded', '3 deployed']]);
      expect(await admin.records(old)).toEqual([]);
      expect(await ownersOf(at)).toEqual([name, name]);
      await ok(tshelm, ['upgrade', name, whole, '--set', `at=${at}`, ...here]);
      expect(await uidsOf(at)).toEqual(uids);
      expect(await deletions()).toEqual([]);
      await ok(tshelm, ['uninstall', name, ...here]);
    }
    console.log(`moves: a rename killed at each of ${kills} writes, ${moment}`);
    expect(kills).toBeGreaterThanOrEqual(14);
  });

  test('an adoption is finished by the next run', { timeout: 600_000 }, async () => {
    let kills = 0;
    for (let n = 1; ; n += 1) {
      const [name, at] = [`${prefix}h${n}`, `${prefix}d${n}`];
      await create(at);
      const uids = await uidsOf(at);
      audit.begin();
      const words = ['adopt', name, whole, ...objectsOf(at), '--set', `at=${at}`, ...here];
      if (!(await killedAt(n, isLost, words))) break;
      kills += 1;
      await ok(tshelm, words);
      expect([n, moment, await statuses(name), await ownersOf(at)]).toEqual([n, moment, ['1 deployed'], [name, name]]);
      await ok(tshelm, ['upgrade', name, whole, '--set', `at=${at}`, ...here]);
      expect(await uidsOf(at)).toEqual(uids);
      expect(await deletions()).toEqual([]);
      await ok(tshelm, ['uninstall', name, ...here]);
    }
    console.log(`moves: an adoption killed at each of ${kills} writes, ${moment}`);
    expect(kills).toBeGreaterThanOrEqual(8);
  });

  test('an uninstall that keeps objects is finished by the next run', { timeout: 600_000 }, async () => {
    let kills = 0;
    for (let n = 1; ; n += 1) {
      const [name, at] = [`${prefix}u${n}`, `${prefix}e${n}`];
      await ok(tshelm, ['install', name, whole, '--set', `at=${at}`, ...here]);
      const uids = await uidsOf(at);
      audit.begin();
      const words = ['uninstall', name, `--keep-objects=${objectsOf(at).join(',')}`, ...here];
      if (!(await killedAt(n, isLost, words))) break;
      kills += 1;
      await ok(tshelm, [...words, '--ignore-not-found']);
      expect([n, moment, await admin.records(name), await ownersOf(at)]).toEqual([n, moment, [], ['none', 'none']]);
      expect(await uidsOf(at)).toEqual(uids);
      // Once more where the run was killed before the answer came.
      expect(new Set(await deletions())).toEqual(new Set([`configmaps/${at}-stays`]));
    }
    console.log(`moves: an uninstall with --keep-objects killed at each of ${kills} writes, ${moment}`);
    expect(kills).toBeGreaterThanOrEqual(7);
  });
});

test('moved: in helmfile.yaml, killed at some of its writes: the next run finishes it', async () => {
  let kills = 0;
  for (let n = 3; ; n += 4) {
    const at = `stack${n}`;
    const release = (name: string, chart: string): string =>
      `  - {name: ${name}, namespace: ${admin.namespace}, chart: ${chart}, createNamespace: false, values: [{at: ${at}}]}\n`;
    await ok(tshelm, ['install', `so${n}`, whole, '--set', `at=${at}`, ...here]);
    const uids = await uidsOf(at);
    const file = join(directory, `${at}.yaml`);
    writeFileSync(
      file,
      `moved:\n  - {from: so${n}, to: sn${n}}\n  - {from: sn${n}, to: sp${n}, objects: [${objectsOf(at).join(', ')}]}\n` +
        `releases:\n${release(`sn${n}`, rest)}${release(`sp${n}`, grown)}`,
    );
    audit.begin();
    const words = ['stack', 'apply', '-f', file];
    if (!(await killedAt(n, false, words))) break;
    kills += 1;
    await ok(tshelm, words);
    expect([n, await uidsOf(at)]).toEqual([n, uids]);
    expect(await ownersOf(at)).toEqual([`sp${n}`, `sp${n}`]);
    expect(await deletions()).toEqual([]);
    expect((await tshelm.run(words)).stderr).not.toContain('moved:');
  }
  console.log(`moves: a stack with moved: killed at ${kills} writes`);
  expect(kills).toBeGreaterThanOrEqual(8);
});

test('no Helm changes a release in the middle of a move', async () => {
  const at = 'middle';
  await ok(tshelm, ['install', 'ma', whole, '--set', `at=${at}`, ...here]);
  await ok(tshelm, ['install', 'mb', other, '--set', `at=${at}`, ...here]);
  const words = ['move', 'ma', ...objectsOf(at), '--to', 'mb', ...here];
  // Two locks, two dry runs for each record and one for each object come first, then the two records.
  expect(await killedAt(11, false, words)).toBe(true);
  for (const by of [helm, helm3]) {
    const { code, stderr } = await by.run(['upgrade', 'ma', rest, '--set', `at=${at}`, ...here]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('another operation (install/upgrade/rollback) is in progress'),
    ]);
  }
  const { code, stderr } = await tshelm.run(['upgrade', 'mb', grown, '--set', `at=${at}`, ...here]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`tshelm ${words.slice(0, -2).join(' ')}`)]);
  await ok(tshelm, words);
});

describe('what the API server refuses', () => {
  const policy = (name: string): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}]
  # A dry run is let pass, as by a policy that comes between.
  validations: [{expression: "request.dryRun || object.metadata.name != 'refused-goes' || object.metadata.namespace != '${admin.namespace}'", message: no moves today}]
`;
  const binding = (name: string): string =>
    `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: ${name}}\nspec: {policyName: ${name}, validationActions: [Deny]}\n`;
  const statuses = async (name: string): Promise<string> =>
    (JSON.parse(await ok(tshelm, ['history', name, ...here, '-o', 'json'])) as { status: string }[])
      .map(({ status }) => status)
      .join(' ');

  test('in the middle is undone, and the release is not locked', async () => {
    const at = 'refused';
    await ok(tshelm, ['install', 'ra', whole, '--set', `at=${at}`, ...here]);
    await ok(tshelm, ['install', 'rb', other, '--set', `at=${at}`, ...here]);
    const name = `${admin.namespace}-moves`;
    const policies = writeChart(directory, 'policies', {
      'templates/all.yaml': documents(policy(name), binding(name)),
    });
    await ok(tshelm, ['install', 'policies', policies, ...here]);
    const [refused] = idsOf(at) as [ResourceId, ResourceId];
    const touch = () =>
      admin.cluster().patch(refused, 'merge', { metadata: { labels: { touched: String(Date.now()) } } });
    await expect.poll(() => touch().then(() => 'accepted', isApiError), { timeout: 30_000 }).toBe(true);
    const uids = await uidsOf(at);
    for (const words of [
      ['rename', 'ra', 'rc', ...here],
      ['move', 'ra', ...objectsOf(at).toReversed(), '--to', 'rb', ...here],
      ['adopt', 'rd', whole, ...objectsOf(at).toReversed(), '--take-ownership', '--set', `at=${at}`, ...here],
    ]) {
      const { code, stderr } = await tshelm.run(words);
      expect([code, stderr]).toEqual([1, expect.stringContaining('no moves today')]);
      expect([await statuses('ra'), await statuses('rb')]).toEqual(['deployed', 'deployed']);
      for (const fresh of ['rc', 'rd']) expect(await admin.records(fresh)).toEqual([]);
      expect([await ownersOf(at), await uidsOf(at)]).toEqual([['ra', 'ra'], uids]);
    }
    await ok(tshelm, ['uninstall', 'policies', ...here]);
    await expect.poll(() => touch().then(() => 'accepted', isApiError), { timeout: 30_000 }).toBe('accepted');
    await ok(helm, ['upgrade', 'ra', whole, '--set', `at=${at}`, ...here]);
  });

  test('a missing namespace: nothing is begun, and --create-namespace creates it', async () => {
    const placed = writeChart(directory, 'placed', {
      'templates/all.yaml': configMap('own').replace('metadata:', `metadata:\n  namespace: ${admin.namespace}`),
    });
    await ok(tshelm, ['install', 'na', placed, '--set', 'at=ns', ...here]);
    const to = `${admin.namespace}-new`;
    const words = ['rename', 'na', 'na', '--to-namespace', to, ...here];
    for (const flags of [['--dry-run'], []]) {
      const { code, stderr } = await tshelm.run([...words, ...flags]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`namespace "${to}" does not exist`)]);
      expect(await statuses('na')).toBe('deployed');
    }
    await ok(tshelm, [...words, '--create-namespace', '--dry-run']);
    expect(await statuses('na')).toBe('deployed');
    await ok(tshelm, [...words, '--create-namespace']);
    await ok(helm, ['upgrade', 'na', placed, '--set', 'at=ns', '-n', to]);
    await ok(tshelm, ['uninstall', 'na', '-n', to]);
  });

  test('moved: in helmfile.yaml into a new namespace', async () => {
    const placed = writeChart(directory, 'placed-stack', {
      'templates/all.yaml': configMap('own').replace('metadata:', `metadata:\n  namespace: ${admin.namespace}`),
    });
    await ok(tshelm, ['install', 'sa', placed, '--set', 'at=sns', ...here]);
    const to = `${admin.namespace}-stack`;
    const file = join(directory, 'new-namespace.yaml');
    const write = (creates: boolean): void =>
      writeFileSync(
        file,
        `moved:\n  - {from: ${admin.namespace}/sa, to: sa}\nreleases:\n  - {name: sa, namespace: ${to}, createNamespace: ${creates}, chart: ${placed}, values: [{at: sns}]}\n`,
      );
    write(false);
    for (const verb of ['plan', 'apply']) {
      const { code, stderr } = await tshelm.run(['stack', verb, '-f', file]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`namespace "${to}" does not exist`)]);
      expect(await statuses('sa')).toBe('deployed');
    }
    write(true);
    await ok(tshelm, ['stack', 'plan', '-f', file]);
    await ok(tshelm, ['stack', 'apply', '-f', file]);
    expect(await admin.records('sa')).toEqual([]);
    await ok(tshelm, ['uninstall', 'sa', '-n', to]);
  });
});
