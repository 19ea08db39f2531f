import { beforeEach, expect, test } from 'vitest';
import { isApiError } from '../../src/cluster/api-error.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import { kindsDefinedBy, waitUntilDeleted, waitUntilEstablished } from '../../src/cluster/wait.ts';
import type { KubernetesObject, ResourceId } from '../../src/manifest/types.ts';

/** What every implementation of the Cluster port does alike. `open` gives the same cluster to all tests of a run. */
export function keepsTheClusterContract(open: () => Promise<Cluster>): void {
  let cluster: Cluster;
  let namespace: string;
  let count = 0;

  beforeEach(async () => {
    cluster = await open();
    namespace = `contract-${Date.now().toString(36)}-${count++}`;
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    return async () => {
      await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: namespace });
    };
  });

  const configMap = (name: string, data: Record<string, string> = {}, metadata: object = {}): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, ...metadata },
    data,
  });
  const id = (name: string): ResourceId => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name });
  const reasonOf = async (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'no failure',
      (error: unknown) => (isApiError(error) ? error.failure.reason : String(error)),
    );

  test('apply creates; get reads what the server made of it', async () => {
    const applied = await cluster.apply(configMap('a', { x: '1' }));
    expect(applied.metadata).toMatchObject({
      name: 'a',
      namespace,
      uid: expect.any(String),
      resourceVersion: expect.any(String),
    });
    expect(await cluster.get(id('a'))).toMatchObject({
      kind: 'ConfigMap',
      data: { x: '1' },
      metadata: { uid: applied.metadata.uid },
    });
  });

  test('apply takes back what the same manager gave up, and leaves what others added', async () => {
    await cluster.apply(configMap('a', { mine: '1', shared: '1' }));
    await cluster.patch(id('a'), 'merge', { data: { theirs: '2' } }, { fieldManager: 'someone' });
    const applied = await cluster.apply(configMap('a', { shared: '2' }));
    expect(applied['data']).toEqual({ shared: '2', theirs: '2' });
  });

  test('a write is whole, whether its answer is or not', async () => {
    const written = [
      await cluster.create(configMap('a', { x: '1' }), { metadataOnly: true }),
      await cluster.replace(configMap('a', { x: '2' }), { metadataOnly: true }),
      await cluster.apply(configMap('b', { x: '2' }), { metadataOnly: true }),
    ];
    expect(written.map(({ metadata }) => metadata.name)).toEqual(['a', 'a', 'b']);
    expect(await cluster.get(id('a'))).toMatchObject({ data: { x: '2' } });
    expect(await cluster.get(id('b'))).toMatchObject({ data: { x: '2' } });
  });

  test('apply without a change changes no resource version', async () => {
    const first = await cluster.apply(configMap('a', { x: '1' }));
    const second = await cluster.apply(configMap('a', { x: '1' }));
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  test('apply tells of what was there just as it was sent', async () => {
    const apply = async (data: Record<string, string>): Promise<boolean> => {
      let isUnchanged = false;
      await cluster.apply(configMap('a', data), { metadataOnly: true, onUnchanged: () => (isUnchanged = true) });
      return isUnchanged;
    };
    expect([await apply({ x: '1' }), await apply({ x: '2' }), await apply({ x: '2' })]).toEqual([false, false, true]);
  });

  test('a dry run stores nothing', async () => {
    await cluster.apply(configMap('a'), { dryRun: true });
    expect(await cluster.get(id('a'))).toBeUndefined();
  });

  test('what is not there: undefined, false, a refusal', async () => {
    expect(await cluster.get(id('a'))).toBeUndefined();
    expect(await cluster.delete(id('a'))).toBe(false);
    expect(await reasonOf(cluster.replace(configMap('a')))).toBe('NotFound');
    expect(await reasonOf(cluster.patch(id('a'), 'merge', {}))).toBe('NotFound');
  });

  test('create refuses what is there already', async () => {
    await cluster.create(configMap('a'));
    const error = await cluster.create(configMap('a')).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: 'configmaps "a" already exists',
      failure: { status: 409, reason: 'AlreadyExists' },
    });
  });

  test('replace wants the newest resource version, where it is told one', async () => {
    const first = await cluster.create(configMap('a', { x: '1' }));
    expect((await cluster.replace({ ...first, data: { x: '2' } }))['data']).toEqual({ x: '2' });
    expect(await reasonOf(cluster.replace({ ...first, data: { x: '3' } }))).toBe('Conflict');
  });

  test('patches: merge and json', async () => {
    await cluster.create(configMap('a', { x: '1', y: '1' }));
    expect((await cluster.patch(id('a'), 'merge', { data: { x: null, z: '3' } }))['data']).toEqual({ y: '1', z: '3' });
    const steps = [
      { op: 'replace', path: '/data/y', value: '2' },
      { op: 'remove', path: '/data/z' },
    ];
    expect((await cluster.patch(id('a'), 'json', steps))['data']).toEqual({ y: '2' });
  });

  test('delete, and only the object that was meant', async () => {
    const created = await cluster.create(configMap('a'));
    expect(await reasonOf(cluster.delete(id('a'), { uid: '00000000-0000-0000-0000-000000000000' }))).toBe('Conflict');
    let isGone = false;
    const onGone = (): void => void (isGone = true);
    expect(await cluster.delete(id('a'), { uid: created.metadata.uid, onGone })).toBe(true);
    expect(isGone).toBe(true);
    expect(await cluster.get(id('a'))).toBeUndefined();
  });

  test('an object with a finalizer stays until the finalizer is done', async () => {
    await cluster.create(configMap('a', {}, { finalizers: ['example.com/slow'] }));
    let isGone = false;
    expect(await cluster.delete(id('a'), { onGone: () => void (isGone = true) })).toBe(true);
    expect(isGone).toBe(false);
    expect((await cluster.get(id('a')))?.metadata.deletionTimestamp).toEqual(expect.any(String));
    await cluster.patch(id('a'), 'json', [{ op: 'remove', path: '/metadata/finalizers' }]);
    expect(await cluster.get(id('a'))).toBeUndefined();
  });

  test('list by namespace and selector', async () => {
    await cluster.create(configMap('a', {}, { labels: { app: 'web', tier: 'x' } }));
    await cluster.create(configMap('b', {}, { labels: { app: 'db' } }));
    const names = async (labelSelector?: string, fieldSelector?: string): Promise<string[]> =>
      (await cluster.list('v1', 'ConfigMap', { namespace, labelSelector, fieldSelector }))
        .map(({ metadata }) => metadata.name)
        .filter((name) => name !== 'kube-root-ca.crt');
    expect(await names()).toEqual(['a', 'b']);
    expect(await names('app=web')).toEqual(['a']);
    expect(await names('app in (web,db),tier!=x')).toEqual(['b']);
    expect(await names('!tier,app')).toEqual(['b']);
    expect(await names(undefined, 'metadata.name=b')).toEqual(['b']);
    const listed = await cluster.list('v1', 'ConfigMap', { namespace });
    expect(listed.every(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'ConfigMap')).toBe(true);
  });

  test('a watch reports what is there, then what changes, and ends with its signal', async () => {
    await cluster.create(configMap('a', {}, { labels: { app: 'web' } }));
    const controller = new AbortController();
    const seen: string[] = [];
    const options = { namespace, labelSelector: 'app=web', signal: controller.signal };
    for await (const event of cluster.watch('v1', 'ConfigMap', options)) {
      seen.push(event.kind === 'synced' ? 'synced' : `${event.kind} ${event.object.metadata.name}`);
      if (event.kind === 'synced') await cluster.create(configMap('b', {}, { labels: { app: 'web' } }));
      if (seen.length === 3) await cluster.patch(id('a'), 'merge', { data: { x: '1' } });
      if (seen.length === 4) await cluster.delete(id('b'));
      if (seen.length === 5) controller.abort();
    }
    expect(seen).toEqual(['present a', 'synced', 'present b', 'present a', 'gone b']);
  });

  test('an object with its metadata alone is enough to see it go', async () => {
    await cluster.create(configMap('a'));
    const gone = waitUntilDeleted(cluster, [id('a')], { timeoutMs: 10_000 });
    await cluster.delete(id('a'));
    await gone;
  });

  test('a namespace in the id of a cluster-scoped object does not matter', async () => {
    expect(
      await cluster.get({ apiVersion: 'v1', kind: 'Namespace', namespace: 'elsewhere', name: namespace }),
    ).toMatchObject({
      metadata: { name: namespace },
    });
  });

  test('a generation counts the changes of the spec', async () => {
    const claim = (storage: string, labels: Record<string, string>): KubernetesObject => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'p', namespace, labels },
      spec: { minAvailable: storage, selector: { matchLabels: { app: 'web' } } },
    });
    expect((await cluster.apply(claim('50%', {}))).metadata.generation).toBe(1);
    expect((await cluster.apply(claim('50%', { a: 'b' }))).metadata.generation).toBe(1);
    expect((await cluster.apply(claim('60%', { a: 'b' }))).metadata.generation).toBe(2);
  });

  test('a kind that is not served', async () => {
    expect(await cluster.mapping('example.com/v1', 'Nothing')).toBeUndefined();
    const nothing = { apiVersion: 'example.com/v1', kind: 'Nothing', metadata: { name: 'x', namespace } };
    expect(await reasonOf(cluster.apply(nothing))).toBe('NotServed');
  });

  test('a kind of a CustomResourceDefinition', async () => {
    const group = `${namespace}.example.com`;
    const crd: KubernetesObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `widgets.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
      status: {
        conditions: [{ type: 'Established', status: 'True', reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' }],
      },
    };
    await cluster.apply(crd);
    await waitUntilEstablished(cluster, [crd.metadata.name], { kinds: kindsDefinedBy(crd), timeoutMs: 10_000 });
    const widget = {
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name: 'w', namespace },
      size: 3,
    };
    expect((await cluster.apply(widget))['size']).toBe(3);
    expect(await cluster.mapping(`${group}/v1`, 'Widget')).toMatchObject({ plural: 'widgets', namespaced: true });
    await cluster.delete({ apiVersion: crd.apiVersion, kind: crd.kind, namespace: '', name: crd.metadata.name });
  });

  test('the version', async () => {
    expect((await cluster.version()).gitVersion).toMatch(/^v1\.\d+\./);
  });
}
