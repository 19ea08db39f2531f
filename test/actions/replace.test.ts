import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionContext } from '../../src/actions/action-context.ts';
import { diffUpgrade } from '../../src/actions/diff.ts';
import { history } from '../../src/actions/history.ts';
import { install } from '../../src/actions/install.ts';
import type { UpgradeOptions } from '../../src/actions/options/upgrade.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { Context } from '../../src/change/context.ts';
import { ApiError } from '../../src/cluster/api-error.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import type { ExecutionEvent } from '../../src/execute/events.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { reviewMarkdown } from '../../src/show/changes/markdown.ts';
import { reviewOf } from '../../src/show/changes/review.ts';
import { reviewsText } from '../../src/show/changes/review-text.ts';
import { chartOf, configMap, openWorld } from './harness.ts';
import { openSandboxCluster } from './sandbox-cluster.ts';

let cluster: Cluster;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ cluster, close } = await openSandboxCluster());
});
afterAll(() => close());

const deployment = (name: string, label: string, annotations = ''): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}, annotations: {${annotations}}}\nspec:\n  selector: {matchLabels: {app: ${label}}}\n  template:\n    metadata: {labels: {app: ${label}}}\n    spec: {containers: [{name: main, image: nginx}]}\n`;
const claim = (size: string, mode: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {accessModes: [${mode}], resources: {requests: {storage: ${size}}}}\n`;

const ids = {
  ConfigMap: { apiVersion: 'v1', kind: 'ConfigMap' },
  Deployment: { apiVersion: 'apps/v1', kind: 'Deployment' },
  PersistentVolumeClaim: { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
} as const;
const live = (kind: keyof typeof ids, name: string): Promise<KubernetesObject | undefined> =>
  cluster.get({ ...ids[kind], namespace: 'default', name });
const uidOf = async (kind: keyof typeof ids, name: string): Promise<string | undefined> =>
  (await live(kind, name))?.metadata.uid;

interface Story {
  readonly context: Context;
  readonly events: ExecutionEvent[];
  readonly chart: (files: Readonly<Record<string, string>>) => ReturnType<typeof chartOf>;
  readonly run: (files: Readonly<Record<string, string>>, options?: Partial<UpgradeOptions>) => Promise<unknown>;
}

let releases = 0;
async function story(files: Readonly<Record<string, string>>, serverSide: boolean): Promise<Story & { name: string }> {
  const events: ExecutionEvent[] = [];
  const context = actionContext(cluster, { driver: 'memory', onEvent: (event) => events.push(event) });
  const name = `rel-${releases++}`;
  const chart = (parts: Readonly<Record<string, string>>) =>
    chartOf(Object.fromEntries(Object.entries(parts).map(([file, text]) => [`templates/${file}.yaml`, text])));
  await install(await chart(files), new Map(), { name, serverSide }, context);
  events.length = 0;
  const run = async (parts: Readonly<Record<string, string>>, options: Partial<UpgradeOptions> = {}) =>
    upgrade(await chart(parts), new Map(), { name, ...options }, context);
  return { context, events, chart, run, name };
}

const texts = (events: readonly ExecutionEvent[], kind: 'note' | 'warning'): readonly string[] =>
  events.flatMap((event) => (event.kind === kind ? [event.text] : []));

/** What became of each object, as a plan calls it. */
const endStates = (events: readonly ExecutionEvent[]): Readonly<Record<string, string>> => {
  const states: Record<string, string> = {};
  for (const event of events) {
    if (event.kind !== 'resource') continue;
    const { name } = event.id;
    if (event.state === 'created') states[name] = states[name] === 'deleted' ? 'replaced' : 'added';
    if (event.state === 'deleted' || event.state === 'unchanged') states[name] = event.state;
    if (event.state === 'configured') states[name] = 'changed';
  }
  return states;
};

describe.each([
  ['server-side', true],
  ['client-side', false],
] as const)('%s apply', (_method, serverSide) => {
  const objects = (index: string) => ({
    web: `web-${index}`,
    other: `other-${index}`,
  });

  test('an object that cannot be changed is replaced alone, by its name or because all may be', async () => {
    const { web, other } = objects(`one-${serverSide}`);
    const { run, events } = await story({ web: deployment(web, 'a'), other: configMap(other) }, serverSide);
    const [before, beside] = [await uidOf('Deployment', web), await live('ConfigMap', other)];
    const next = { web: deployment(web, 'b'), other: configMap(other) };
    await expect(run(next)).rejects.toMatchObject({
      problems: [
        expect.objectContaining({
          remedies: [{ kind: 'set-option', option: 'replaceObjects', value: `Deployment/${web}` }],
        }),
      ],
    });
    expect(await uidOf('Deployment', web)).toBe(before);
    await run(next, { replaceImmutable: true });
    const replaced = await live('Deployment', web);
    expect(replaced?.metadata.uid).not.toBe(before);
    expect(replaced).toMatchObject({ spec: { selector: { matchLabels: { app: 'b' } } } });
    expect((await live('ConfigMap', other))?.metadata).toMatchObject({
      uid: beside?.metadata.uid,
      resourceVersion: beside?.metadata.resourceVersion,
    });
    expect(texts(events, 'note')).toContain(
      `Deployment/${web} is deleted and recreated: spec.selector.matchLabels.app is immutable`,
    );
    await run({ web: deployment(web, 'a'), other: configMap(other) }, { replaceObjects: [`deployment/${web}`] });
    expect(await live('Deployment', web)).toMatchObject({ spec: { selector: { matchLabels: { app: 'a' } } } });
  });

  test('a rollback replaces as an upgrade does, and one after a failure what the upgrade replaced', async () => {
    const { web, other } = objects(`two-${serverSide}`);
    const own = { web: deployment(web, 'a'), other: configMap(other) };
    const { run, name, context } = await story(own, serverSide);
    await run({ ...own, web: deployment(web, 'b') }, { replaceObjects: [`Deployment/${web}`] });
    const wrong = { name, revision: 1, replaceObjects: [`ConfigMap/${other}`], dryRun: 'server' } as const;
    await expect(rollback(wrong, context)).rejects.toMatchObject({ code: 'preflight-refused' });
    await rollback({ name, revision: 1, replaceImmutable: true }, context);
    expect(await live('Deployment', web)).toMatchObject({ spec: { selector: { matchLabels: { app: 'a' } } } });
    const refused = 'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: refused}\nspec: {}\n';
    const broken = { web: deployment(web, 'c'), ingress: refused };
    const failing = run(broken, {
      replaceObjects: [`Deployment/${web}`],
      rollbackOnFailure: true,
      preflight: 'never',
      timeoutMs: 20_000,
    });
    await expect(failing).rejects.toMatchObject({ code: 'upgrade-rolled-back' });
    expect(await live('Deployment', web)).toMatchObject({ spec: { selector: { matchLabels: { app: 'a' } } } });
  });

  test('a new object that would be refused too is not deleted for it', async () => {
    const { web } = objects(`three-${serverSide}`);
    const { run } = await story({ web: deployment(web, 'a') }, serverSide);
    const before = await uidOf('Deployment', web);
    const wrong = deployment(web, 'b').replace('labels: {app: b}', 'labels: {app: else}');
    const refused = run({ web: wrong }, { replaceObjects: [`Deployment/${web}`] });
    await expect(refused).rejects.toThrow(/Deployment.apps "web-three-(true|false)" is invalid: .*does not match/s);
    expect(await uidOf('Deployment', web)).toBe(before);
  });

  test('data is replaced by its name and with a second word alone', async () => {
    const { run } = await story({ data: claim('1Gi', 'ReadWriteOnce') }, serverSide);
    const before = await uidOf('PersistentVolumeClaim', 'data');
    const next = { data: claim('1Gi', 'ReadWriteMany') };
    const name = 'PersistentVolumeClaim/data';
    const naming = { kind: 'set-option', option: 'replaceObjects', value: name, alsoSet: { allowDataLoss: 'true' } };
    for (const [options, remedies] of [
      [{ replaceImmutable: true, allowDataLoss: true }, [naming]],
      [{ onImmutable: { [name]: 'replace' }, allowDataLoss: true }, []],
    ] as const)
      await expect(run(next, options)).rejects.toMatchObject({
        problems: [{ code: 'field-immutable', cause: { fields: ['spec.accessModes[0]'] }, remedies }],
      });
    await expect(run(next, { replaceObjects: [name] })).rejects.toMatchObject({
      code: 'invalid-arguments',
      details: { remedies: [{ kind: 'set-option', option: 'allowDataLoss' }] },
    });
    expect(await uidOf('PersistentVolumeClaim', 'data')).toBe(before);
    await run(next, { replaceObjects: [name], allowDataLoss: true });
    expect(await uidOf('PersistentVolumeClaim', 'data')).not.toBe(before);
    await cluster.delete({ ...ids.PersistentVolumeClaim, namespace: 'default', name: 'data' });
  });
});

const hook = configMap('before', 'k: v', 'helm.sh/hook: pre-upgrade');

test.each([
  ['the run agrees to replacements', '', { replaceImmutable: true }, false],
  ['the run names one', '', { replaceObjects: ['Deployment/consent'] }, false],
  ['a hook of the chart comes first', '', { replaceImmutable: true }, true],
  ['the chart agrees', 'tshelm.dev/on-immutable: replace', {}, false],
  ['the chart agrees, and a hook of it comes first', 'tshelm.dev/on-immutable: replace', {}, true],
] as const)(
  'nothing is replaced where another object needs a further consent: %s',
  async (_case, note, options, hooked) => {
    const objects = (label: string, mode: string) => ({
      a: configMap('first', `k: ${label}`),
      web: deployment('consent', label, note),
      data: claim('1Gi', mode),
    });
    const { run, chart, name, context, events } = await story(objects('a', 'ReadWriteOnce'), true);
    const before = await uidOf('Deployment', 'consent');
    const next = { ...objects('b', 'ReadWriteMany'), ...(hooked && { hook }) };
    const planned = await diffUpgrade(await chart(next), new Map(), { name, ...options }, context);
    expect(planned.objects.filter(({ problem }) => problem !== undefined).map(({ id }) => id.kind)).toEqual([
      'PersistentVolumeClaim',
    ]);
    // A hook of a chart that agrees by itself runs, as with Helm: it may delete what is in the way.
    const runsHook = hooked && note !== '';
    for (const dryRun of runsHook ? (['none'] as const) : (['server', 'none'] as const))
      await expect(run(next, { ...options, dryRun })).rejects.toMatchObject({
        code: 'preflight-refused',
        problems: [{ code: 'field-immutable', subject: { id: { kind: 'PersistentVolumeClaim' } } }],
      });
    expect(await uidOf('Deployment', 'consent')).toBe(before);
    expect(await live('ConfigMap', 'first')).toMatchObject({ data: { k: 'a' } });
    expect((await live('ConfigMap', 'before')) !== undefined).toBe(runsHook);
    expect((await history({ name }, context)).map(({ info }) => info.status)).toEqual(
      runsHook ? ['deployed', 'failed'] : ['deployed'],
    );
    expect(events.some((event) => event.kind === 'resource' && event.state === 'deleted')).toBe(false);
    await uninstall({ name }, context);
    await cluster.delete({ ...ids.ConfigMap, namespace: 'default', name: 'before' }).catch(() => {});
  },
);

test.each([
  ['the annotation of the chart', 'replace', {}, true],
  ['it says to fail', 'fail', { replaceImmutable: true }, false],
  ['a name goes before it', 'fail', { replaceObjects: ['Deployment/annotated'] }, true],
  ['a rule for the kind goes before it', 'fail', { onImmutable: { 'Deployment/*': 'replace' } }, true],
  ['a rule against all goes before it', 'replace', { onImmutable: { '*': 'fail' } }, false],
] as const)('%s', async (_rule, choice, options, isReplaced) => {
  const annotation = `tshelm.dev/on-immutable: ${choice}`;
  const { run } = await story({ web: deployment('annotated', 'a', annotation) }, true);
  const before = await uidOf('Deployment', 'annotated');
  const running = run({ web: deployment('annotated', 'b', annotation) }, options);
  if (isReplaced) await running;
  else await expect(running).rejects.toMatchObject({ code: 'preflight-refused' });
  expect((await uidOf('Deployment', 'annotated')) !== before).toBe(isReplaced);
  await cluster.delete({ ...ids.Deployment, namespace: 'default', name: 'annotated' });
});

test('an ordered run finds in its first look that an object may be replaced', async () => {
  const { run } = await story({ web: deployment('ordered', 'a') }, true);
  const options = { wait: 'ordered', preflight: 'always', timeoutMs: 30_000 } as const;
  await expect(run({ web: deployment('ordered', 'b') }, options)).rejects.toMatchObject({ code: 'preflight-refused' });
  await run({ web: deployment('ordered', 'b') }, { ...options, onImmutable: { 'Deployment/*': 'replace' } });
  expect(await live('Deployment', 'ordered')).toMatchObject({ spec: { selector: { matchLabels: { app: 'b' } } } });
});

test.each([true, false])(
  'what is left to others keeps its value in the new object, with serverSide: %s',
  async (serverSide) => {
    const name = `left-${serverSide}`;
    const id = { ...ids.Deployment, namespace: 'default', name };
    const web = (label: string) => deployment(name, label).replace('spec:\n', 'spec:\n  replicas: 1\n');
    const { context, events, chart, run, name: release } = await story({ a: web('one') }, serverSide);
    await cluster.patch(id, 'merge', { spec: { replicas: 5 } }, { fieldManager: 'kube-controller-manager' });
    const options = { replaceImmutable: true, takeFields: ['Deployment:spec.replicas=leave'] };
    const left = expect.stringContaining('leaves spec.replicas to kube-controller-manager');
    const planned = await diffUpgrade(
      await chart({ a: web('two') }),
      new Map(),
      { name: release, ...options },
      context,
    );
    expect(planned.objects.find((one) => one.id.name === name)?.notes).toEqual(expect.arrayContaining([left]));
    const before = await uidOf('Deployment', name);
    await run({ a: web('two') }, options);
    expect(await live('Deployment', name)).toMatchObject({
      spec: { replicas: 5, selector: { matchLabels: { app: 'two' } } },
    });
    expect(await uidOf('Deployment', name)).not.toBe(before);
    expect(texts(events, 'note')).toEqual(expect.arrayContaining([left]));
  },
);

test.each([true, false])(
  'what is left to others survives a run that ends between, with serverSide: %s',
  async (serverSide) => {
    const name = `between-${serverSide}`;
    const id = { ...ids.Deployment, namespace: 'default', name };
    const web = (label: string) => deployment(name, label).replace('spec:\n', 'spec:\n  replicas: 1\n');
    const notes: string[] = [];
    const context = actionContext(cluster, {
      onEvent: (event) => void (event.kind === 'note' && notes.push(event.text)),
    });
    const chart = (label: string) => chartOf({ 'templates/a.yaml': web(label) });
    await install(await chart('one'), new Map(), { name, serverSide }, context);
    const scale = (replicas: number) =>
      cluster.patch(id, 'merge', { spec: { replicas } }, { fieldManager: 'kube-controller-manager' });
    await scale(5);
    let mayCreate = false;
    const dying = new Proxy(cluster, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        if (key !== 'create' && key !== 'apply') return value.bind(target) as unknown;
        return async (object: KubernetesObject, options?: { readonly dryRun?: boolean }) => {
          const isNew =
            object.kind === 'Deployment' && options?.dryRun !== true && (await cluster.get(id)) === undefined;
          if (isNew && !mayCreate) throw new Error('the run ends here');
          return Reflect.apply(value, target, [object, options]) as unknown;
        };
      },
    });
    const rules = { takeFields: ['Deployment:spec.replicas@kube-*=leave'] };
    const options = { name, replaceImmutable: true, ...rules };
    const ending = { ...context, cluster: async () => dying };
    await expect(upgrade(await chart('two'), new Map(), options, ending)).rejects.toThrow('the run ends here');
    await expect(upgrade(await chart('three'), new Map(), { name }, ending)).rejects.toThrow('the run ends here');
    expect(await live('Deployment', name)).toBeUndefined();
    const planned = await diffUpgrade(await chart('four'), new Map(), { name }, context);
    const note = 'leaves spec.replicas to kube-controller-manager (Deployment:spec.replicas@kube-*=leave)';
    expect(planned.objects.find((one) => one.id.name === name)).toMatchObject({ change: 'added', notes: [note] });
    mayCreate = true;
    await upgrade(await chart('four'), new Map(), { name }, context);
    expect(await live('Deployment', name)).toMatchObject({ spec: { replicas: 5 } });
    expect(notes).toContain(`Deployment/${name} in default: ${note}`);
    // It is there again: what it was before counts for nothing any more.
    await cluster.delete(id);
    await upgrade(await chart('four'), new Map(), { name }, context);
    expect(await live('Deployment', name)).toMatchObject({ spec: { replicas: 1 } });
  },
);

test('what the server does not take in a new object gets the value of the chart, and is named', async () => {
  const web = (label: string) => deployment('left-lost', label).replace('spec:\n', 'spec:\n  replicas: 1\n');
  const { context, events, chart, name } = await story({ a: web('one') }, true);
  await cluster.patch({ ...ids.Deployment, namespace: 'default', name: 'left-lost' }, 'merge', {
    spec: { replicas: 5 },
  });
  const invalid = { status: 422, reason: 'Invalid', message: 'no', causes: [], method: 'POST', path: '/' };
  const refusing = new Proxy(cluster, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (key !== 'create') return value.bind(target) as unknown;
      return async (...given: unknown[]) => {
        const { spec } = given[0] as { spec?: { replicas?: number } };
        if (spec?.replicas === 5) throw new ApiError(invalid);
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
  const options = { name, replaceImmutable: true, takeFields: ['Deployment:spec.replicas=leave'] };
  const refused = { ...context, cluster: async () => refusing };
  await upgrade(await chart({ a: web('two') }), new Map(), options, refused);
  expect(await live('Deployment', 'left-lost')).toMatchObject({ spec: { replicas: 1 } });
  expect(texts(events, 'note')).toEqual(
    expect.arrayContaining([expect.stringContaining('spec.replicas cannot be left')]),
  );
});

test('what it owns stays where the chart says so', async () => {
  const orphan = 'tshelm.dev/on-immutable: orphan';
  const { run } = await story({ web: deployment('owner', 'a', orphan) }, true);
  const sets = async () =>
    (await cluster.list('apps/v1', 'ReplicaSet', { labelSelector: 'app=a' })).map(({ metadata }) => metadata);
  await expect.poll(async () => (await sets()).some(({ name }) => name.startsWith('owner-'))).toBe(true);
  await run({ web: deployment('owner', 'b', orphan) });
  const left = (await sets()).find(({ name }) => name.startsWith('owner-'));
  expect(left?.ownerReferences ?? []).toEqual([]);
  expect(left?.deletionTimestamp).toBeUndefined();
});

test('a claim of a StatefulSet grows, and is never asked for less than it asks for', async () => {
  const claims = (size: string): string =>
    `apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: sized}\nspec:\n  serviceName: x\n  selector: {matchLabels: {app: sized}}\n  template:\n    metadata: {labels: {app: sized}}\n    spec: {containers: [{name: main, image: nginx}]}\n  volumeClaimTemplates:\n  - metadata: {name: data}\n    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: ${size}}}}\n`;
  const { run, events, chart, name, context } = await story({ db: claims('1Gi') }, true);
  await expect.poll(() => live('PersistentVolumeClaim', 'data-sized-0')).toBeDefined();
  const resized = async (size: string) => {
    const options = { replaceImmutable: true };
    const { objects } = await diffUpgrade(await chart({ db: claims(size) }), new Map(), { name, ...options }, context);
    events.length = 0;
    await run({ db: claims(size) }, options);
    const ofClaim = (notes: readonly string[]) => notes.filter((note) => note.startsWith('PersistentVolumeClaim/'));
    expect(ofClaim(texts(events, 'note'))).toEqual(ofClaim(objects.flatMap(({ notes }) => notes)));
    const planned = objects.map(({ id, change, replaced }) => [id.name, replaced === undefined ? change : 'replaced']);
    expect(endStates(events)).toEqual(Object.fromEntries(planned));
    return [await live('PersistentVolumeClaim', 'data-sized-0'), ofClaim(texts(events, 'note'))] as const;
  };
  const asksFor = (storage: string) => ({ spec: { resources: { requests: { storage } } } });
  expect(await resized('2Gi')).toMatchObject([
    asksFor('2Gi'),
    ['PersistentVolumeClaim/data-sized-0 grows from 1Gi to 2Gi'],
  ]);
  expect(await resized('1536Mi')).toMatchObject([
    asksFor('2Gi'),
    ['PersistentVolumeClaim/data-sized-0 keeps 2Gi: 1536Mi is less'],
  ]);
  expect(await resized('2048Mi')).toMatchObject([asksFor('2Gi'), []]);
});

test('a replaced Job shows what its chart changes, and nothing of the name that it is tried under', async () => {
  const job = (image: string): string =>
    `apiVersion: batch/v1\nkind: Job\nmetadata: {name: again}\nspec:\n  template:\n    spec: {restartPolicy: Never, containers: [{name: main, image: ${image}}]}\n`;
  const { chart, name, context } = await story({ job: job('a:1') }, true);
  const diff = await diffUpgrade(
    await chart({ job: job('a:2') }),
    new Map(),
    { name, replaceImmutable: true },
    context,
  );
  const [reviewed] = reviewOf(diff).objects;
  expect(reviewed?.replacedFor).toEqual(['spec.template.spec.containers[0].image']);
  expect(reviewed?.fields).toEqual(['spec.template.spec.containers[name=main].image']);
  expect(reviewMarkdown([reviewOf(diff)])).toContain('| 0 | 0, 1 replaced | 0 |');
});

test('a StatefulSet that does not choose its pods any more says which are deleted', async () => {
  const set = (label: string): string =>
    `apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: chooses}\nspec:\n  serviceName: x\n  selector: {matchLabels: {app: ${label}}}\n  template:\n    metadata: {labels: {app: ${label}}}\n    spec: {containers: [{name: main, image: nginx}]}\n`;
  const { run, events, chart, name, context } = await story({ db: set('chooses-a') }, true);
  const pod = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'chooses-0' };
  await expect.poll(() => cluster.get(pod)).toBeDefined();
  const uid = (await cluster.get(pod))?.metadata.uid;
  const options = { replaceImmutable: true };
  const { objects } = await diffUpgrade(
    await chart({ db: set('chooses-b') }),
    new Map(),
    { name, ...options },
    context,
  );
  const note = 'Pod/chooses-0 is deleted, since the new selector does not choose it';
  expect(objects[0]?.notes).toEqual([note]);
  await run({ db: set('chooses-b') }, options);
  expect(texts(events, 'note').slice(1)).toEqual([note]);
  expect(texts(events, 'note').join()).not.toContain('without its pods');
  await expect.poll(async () => (await cluster.get(pod))?.metadata.uid, { timeout: 5_000 }).not.toBe(uid);
});

test('what fails between says what is missing, and the next run creates it', async () => {
  const world = openWorld();
  const chart = await chartOf({ 'templates/a.yaml': configMap('fixed') });
  await install(chart, new Map(), { name: 'web' }, world.context);
  const refused = (status: number, reason: string, causes: ApiError['failure']['causes']) =>
    new ApiError({ ...failureOf, status, reason, causes, message: reason });
  const failureOf = { about: 'configmaps', method: 'PATCH', path: '' };
  world.cluster.failOn(
    'apply',
    'fixed',
    refused(422, 'Invalid', [{ field: 'data', message: 'field is immutable' }]),
    1,
  );
  world.cluster.failOn('apply', 'fixed', refused(403, 'Forbidden', []), 1);
  const options = { name: 'web', replaceImmutable: true, preflight: 'never' } as const;
  const change = () => upgrade(chart, new Map(), options, world.context);
  await expect(change()).rejects.toMatchObject({ code: 'apply-failed' });
  expect(world.cluster.find('fixed')).toBeUndefined();
  expect(texts(world.events, 'warning')).toEqual([
    'ConfigMap/fixed was deleted and has not been recreated yet; the next upgrade or rollback creates it',
  ]);
  await change();
  expect(world.cluster.find('fixed')).toBeDefined();
  expect(texts(world.events, 'note')).toContain('ConfigMap/fixed was missing, so it is created again');
});

test('what a failed install did not come to is not said to be missing', async () => {
  const world = openWorld();
  const chart = await chartOf({ 'templates/a.yaml': configMap('late') });
  const about = { about: 'configmaps', method: 'PATCH', path: '', causes: [], message: 'no' };
  world.cluster.failOn('apply', 'late', new ApiError({ ...about, status: 403, reason: 'Forbidden' }), 1);
  await expect(install(chart, new Map(), { name: 'web' }, world.context)).rejects.toMatchObject({
    code: 'apply-failed',
  });
  await upgrade(chart, new Map(), { name: 'web' }, world.context);
  expect(world.cluster.find('late')).toBeDefined();
  expect(texts(world.events, 'note')).toEqual([]);
});

test('what has come to belong to another release is not deleted, whoever names it', async () => {
  const { run, chart, name, context } = await story({ web: deployment('lost', 'a') }, true);
  const id = { ...ids.Deployment, namespace: 'default', name: 'lost' };
  await cluster.patch(id, 'merge', { metadata: { annotations: { 'meta.helm.sh/release-name': 'other' } } });
  const before = await uidOf('Deployment', 'lost');
  const options = { replaceObjects: ['Deployment/lost'], forceConflicts: true };
  const why = 'Deployment/lost in default belongs to release other in default, so it is not replaced';
  await expect(run({ web: deployment('lost', 'a') }, options)).rejects.toThrow(why);
  const diff = await diffUpgrade(
    await chart({ web: deployment('lost', 'a') }),
    new Map(),
    { name, ...options },
    context,
  );
  expect(diff.objects).toMatchObject([{ problem: why }]);
  expect(await uidOf('Deployment', 'lost')).toBe(before);
  await run({ web: deployment('lost', 'a') }, { ...options, takeOwnership: true });
  expect(await uidOf('Deployment', 'lost')).not.toBe(before);
});

test('a plan says what is replaced, and which field forces it', async () => {
  const { chart, name, context } = await story({ web: deployment('planned', 'a'), map: configMap('beside') }, true);
  const next = await chart({ web: deployment('planned', 'b'), map: configMap('beside') });
  const reviewed = async (options: Partial<UpgradeOptions>) =>
    reviewOf(await diffUpgrade(next, new Map(), { name, ...options }, context)).objects;
  expect(await reviewed({ replaceImmutable: true })).toMatchObject([
    {
      id: { name: 'planned' },
      replacedFor: ['spec.selector.matchLabels.app'],
      notes: [],
    },
  ]);
  const review = reviewOf(await diffUpgrade(next, new Map(), { name, replaceImmutable: true }, context));
  const why = 'spec.selector.matchLabels.app is immutable';
  for (const text of [reviewsText([review]), reviewMarkdown([review], 10_000, '')])
    expect(text.split(why)).toHaveLength(2);
  expect(await reviewed({ replaceObjects: ['ConfigMap/beside'] })).toMatchObject([
    { id: { name: 'beside' }, change: 'changed', replacedFor: [], diff: '' },
    { id: { name: 'planned' }, problem: expect.stringContaining('field is immutable') as unknown },
  ]);
  expect(await live('Deployment', 'planned')).toMatchObject({ spec: { selector: { matchLabels: { app: 'a' } } } });
});

test.each([
  [
    { replaceObjects: ['Deployment/misplet'] },
    'the release has no object "Deployment/misplet" to replace; did you mean Deployment/misspelt?',
  ],
  [
    { replaceObjects: ['Deployment/other'] },
    'the release has no object "Deployment/other" to replace; of that kind it has Deployment/misspelt',
  ],
  [
    { replaceObjects: ['PersistentVolumeClaim/dat'] },
    'the release has no object "PersistentVolumeClaim/dat" to replace; of that kind it has PersistentVolumeClaim/data',
  ],
  [{ onImmutable: { web: 'replace' } }, 'onImmutable: "web" names no object; write Kind/name, Kind/* or *'],
] as const)('what names no object of the release is refused: %o', async (options, message) => {
  const objects = { web: deployment('misspelt', 'a'), data: claim('1Gi', 'ReadWriteOnce') };
  const { run } = await story(objects, true);
  await expect(run(objects, options)).rejects.toMatchObject({
    code: 'invalid-arguments',
    message,
  });
  await cluster.delete({ ...ids.Deployment, namespace: 'default', name: 'misspelt' });
  await cluster.delete({ ...ids.PersistentVolumeClaim, namespace: 'default', name: 'data' });
});

test('an annotation that says something else is refused with its template', async () => {
  const { run } = await story({ web: deployment('odd', 'a') }, true);
  await expect(run({ web: deployment('odd', 'a', 'tshelm.dev/on-immutable: never') })).rejects.toThrow(
    'app/templates/web.yaml: annotation tshelm.dev/on-immutable of Deployment/odd: "never" is not one of replace, orphan, fail',
  );
});
