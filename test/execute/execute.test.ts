import { describe, expect, test } from 'vitest';
import { upgradePatch } from '../../src/execute/apply/field-manager.ts';
import type { ExecutionContext } from '../../src/execute/context.ts';
import type { ExecutionEvent } from '../../src/execute/events.ts';
import { executePlan } from '../../src/execute/execute.ts';
import { parseManifests } from '../../src/manifest/parse.ts';
import type { Hook, HookEvent, KubernetesObject } from '../../src/manifest/types.ts';
import { planInstall, planUninstall, planUpgrade } from '../../src/plan/plan.ts';
import type { BatchNode, Plan } from '../../src/plan/types.ts';
import { causesOf, messageOf } from '../../src/support/errors.ts';
import { FakeCluster, refusal } from '../cluster/fake-cluster.ts';
import { hookOf, manifestsOf } from '../plan/manifests.ts';

const common = { release: 'web', namespace: 'default', strategy: 'hookOnly', hooks: [] } as const;

const run = (plan: Plan, cluster: FakeCluster, context: Partial<ExecutionContext> = {}) =>
  executePlan(plan, { cluster, ...context });

const object = (kind: string, name: string): KubernetesObject => ({ apiVersion: 'v1', kind, metadata: { name } });
const invalid = (name: string) => refusal(422, 'Invalid', object('ConfigMap', name), 'is invalid');

describe('applying', () => {
  test('no more requests at a time than allowed', async () => {
    const cluster = new FakeCluster();
    let now = 0;
    let most = 0;
    const apply = cluster.apply.bind(cluster);
    cluster.apply = async (...args) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return apply(...args);
    };
    const manifests = manifestsOf(...Array.from({ length: 20 }, (_, index) => `ConfigMap/m${index}`));
    await run(planInstall({ ...common, manifests }), cluster, { concurrency: 3 });
    expect(most).toBe(3);
  });

  test('an object that stands twice is applied in its order: the last one stays', async () => {
    const cluster = new FakeCluster();
    const sent: unknown[] = [];
    let calls = 0;
    const apply = cluster.apply.bind(cluster);
    cluster.apply = async (manifest, ...rest) => {
      // Beside the first, the second would overtake it.
      for (let pauses = calls++ === 0 ? 5 : 0; pauses > 0; pauses--) await new Promise(setImmediate);
      sent.push(manifest['data']);
      return apply(manifest, ...rest);
    };
    const map = (value: number): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata: {value: "${value}"}\n`;
    await run(planInstall({ ...common, manifests: parseManifests(`${map(1)}---\n${map(2)}`) }), cluster);
    expect(sent).toEqual([{ value: '1' }, { value: '2' }]);
    expect(cluster.find('twice')).toMatchObject({ data: { value: '2' } });
  });

  test('all mistakes of a wave are told in its order, and no further wave begins', async () => {
    const cluster = new FakeCluster();
    for (const name of ['b', 'a']) cluster.failOn('apply', name, invalid(name));
    const plan = planInstall({
      ...common,
      manifests: manifestsOf('ConfigMap/a', 'ConfigMap/b', 'ConfigMap/c', 'Pod/p'),
    });
    const told = (name: string): string =>
      `server-side apply failed for object default/${name} /v1, Kind=ConfigMap: configmaps "${name}" is invalid`;
    await expect(run(plan, cluster)).rejects.toMatchObject({
      code: 'apply-failed',
      message: `${told('a')}\n${told('b')}`,
      details: { failures: [told('a'), told('b')] },
    });
    expect(cluster.names()).toEqual(['ConfigMap/c']);
  });

  describe('CRDs among the resources', () => {
    const crd = (kind: string): string =>
      `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${kind.toLowerCase()}s.example.com}\n` +
      `spec: {group: example.com, scope: Namespaced, names: {kind: ${kind}, plural: ${kind.toLowerCase()}s}, versions: [{name: v1, served: true, storage: true}]}\n`;
    const planOf = (...texts: string[]) => planInstall({ ...common, manifests: parseManifests(texts.join('---\n')) });
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n';
    const widget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n';

    test('only objects of their kinds wait for them', async () => {
      const cluster = new FakeCluster();
      const apply = cluster.apply.bind(cluster);
      let answer: () => void = () => {};
      cluster.apply = async (object, ...options) => {
        if (object.kind === 'CustomResourceDefinition') await new Promise<void>((resolve) => (answer = resolve));
        return apply(object, ...options);
      };
      const ran = run(planOf(crd('Widget'), pod, widget), cluster);
      await cluster.sees('p');
      expect(cluster.seen).toEqual(['p']);
      answer();
      await cluster.sees('widgets.example.com');
      expect(cluster.seen).not.toContain('w');
      cluster.makeReady('widgets.example.com');
      await ran;
      expect(cluster.seen).toEqual(['p', 'widgets.example.com', 'w']);
    });

    test('those that are refused fail the run, before what else was wrong, and nothing of their kind is sent', async () => {
      const cluster = new FakeCluster();
      cluster.failOn('apply', 'widgets.example.com', invalid('widgets.example.com'));
      cluster.failOn('apply', 'a', invalid('a'));
      const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
      const failure = await run(planOf(crd('Widget'), map, widget), cluster).catch((error: unknown) => error);
      expect((failure as Error).message.split('\n')).toEqual([
        expect.stringContaining('widgets.example.com'),
        expect.stringContaining('default/a'),
      ]);
      expect(cluster.seen).toEqual([]);
    });

    test('one that is refused last of all fails the run', async () => {
      const cluster = new FakeCluster();
      cluster.failOn('apply', 'widgets.example.com', invalid('widgets.example.com'));
      await expect(run(planOf(crd('Widget')), cluster)).rejects.toMatchObject({ code: 'apply-failed' });
    });
  });

  test('a conflict names the object', async () => {
    const cluster = new FakeCluster();
    cluster.failOn(
      'apply',
      'web',
      refusal(409, 'Conflict', { ...object('Deployment', 'web'), apiVersion: 'apps/v1' }, 'conflicts'),
    );
    const plan = planInstall({ ...common, manifests: manifestsOf('apps/v1 Deployment/web') });
    await expect(run(plan, cluster)).rejects.toMatchObject({
      code: 'apply-conflict',
      message:
        'conflict occurred while applying object default/web apps/v1, Kind=Deployment: deployments.apps "web" conflicts',
    });
  });

  test('a quota that somebody else updates at the same moment is tried again', async () => {
    const cluster = new FakeCluster();
    const text = 'Operation cannot be fulfilled on resourcequotas "q": the object has been modified';
    cluster.failOn('apply', 'a', refusal(409, 'Conflict', object('ConfigMap', 'a'), text), 4);
    await run(planInstall({ ...common, manifests: manifestsOf('ConfigMap/a') }), cluster);
    expect(cluster.names()).toEqual(['ConfigMap/a']);
  });

  test('Lists are taken apart; objects with generateName are created', async () => {
    const cluster = new FakeCluster();
    const manifests = parseManifests(
      'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n' +
        '- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n---\n' +
        'apiVersion: v1\nkind: Secret\nmetadata: {generateName: token-}\n',
    );
    await run(planInstall({ ...common, manifests }), cluster);
    expect(cluster.calls.filter(({ verb }) => verb === 'create')).toMatchObject([{ kind: 'Secret' }]);
    expect(cluster.names()).toEqual(expect.arrayContaining(['ConfigMap/a', 'ConfigMap/b']));
  });

  test('what is told while it runs', async () => {
    const cluster = new FakeCluster({ readyAtOnce: true });
    const events: ExecutionEvent[] = [];
    const plan = planInstall({ ...common, strategy: 'watcher', manifests: manifestsOf('ConfigMap/a') });
    await run(plan, cluster, { onEvent: (event) => events.push(event) });
    const kinds = events.map((event) => ('state' in event ? event.state : event.kind));
    expect(kinds).toEqual(['plan-started', 'step-started', 'batch-started', 'applying', 'created', 'batch-finished']);
  });

  test('what is deleted and waited for counts as deleted once it is gone', async () => {
    const cluster = new FakeCluster();
    const [configMap] = manifestsOf('ConfigMap/a');
    const finalizers = ['example.com/x'];
    const metadata = {
      name: 'a',
      finalizers,
      annotations: { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'default' },
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    };
    cluster.add({ ...object('ConfigMap', 'a'), metadata });
    const states: string[] = [];
    const running = run(
      planUninstall({ ...common, strategy: 'watcher', manifests: configMap === undefined ? [] : [configMap] }),
      cluster,
      {
        onEvent: (event) => {
          if (event.kind !== 'resource') return;
          states.push(`${event.state}${event.reason === undefined ? '' : `: ${event.reason}`}`);
          if (event.reason?.includes('finalizers')) cluster.remove('a');
        },
      },
    );
    await running;
    expect(states[0]).toBe('deleting');
    expect(states).toContain('deleting: waiting for its finalizers: example.com/x');
    expect(states.filter((state) => state === 'deleted')).toHaveLength(1);
    expect(states.at(-1)).toBe('deleted');
  });

  test('while a hook is waited for, its reason and its counts are told', async () => {
    const cluster = new FakeCluster();
    const events: ExecutionEvent[] = [];
    const running = run(planInstall({ ...common, hooks: [hookOf('a')], manifests: [] }), cluster, {
      onEvent: (event) => events.push(event),
    });
    await cluster.sees('a');
    cluster.setStatus('a', { failed: 1 });
    await expect
      .poll(() => events)
      .toContainEqual(
        expect.objectContaining({
          kind: 'hook',
          state: 'waiting',
          reason: '0 of 1 completions, 1 failed pod',
          pods: { ready: 0, desired: 1 },
        }),
      );
    cluster.makeReady('a');
    await running;
    expect(events.at(-1)).toMatchObject({ kind: 'hook', state: 'succeeded' });
  });

  test('an abort ends a wait', async () => {
    const cluster = new FakeCluster();
    const controller = new AbortController();
    const manifests = parseManifests(
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1, selector: {}}\n',
    );
    const running = run(planInstall({ ...common, strategy: 'watcher', manifests }), cluster, {
      signal: controller.signal,
    });
    await cluster.sees('web');
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('batches', () => {
  const node = (name: string): BatchNode => ({
    kind: 'resources',
    name,
    manifests: manifestsOf(`batch/v1 Job/${name}`),
    because: [],
  });

  test('one begins when what the one before holds is ready, units inside included', async () => {
    const cluster = new FakeCluster();
    const inner = {
      name: 'sub',
      batches: [
        { nodes: [node('a')], wait: true },
        { nodes: [node('b')], wait: true },
      ],
    };
    const unit = {
      name: 'app',
      batches: [
        { nodes: [{ kind: 'unit', unit: inner, because: [] } as const, node('c')], wait: true },
        { nodes: [node('d')], wait: true },
      ],
    };
    const running = run(planInstall({ ...common, strategy: 'ordered', manifests: [], unit }), cluster);
    for (const [name, later] of [
      ['c', 'd'],
      ['a', 'b'],
      ['b', 'd'],
      ['d', ''],
    ] as const) {
      await cluster.sees(name);
      expect(cluster.seen).not.toContain(later);
      cluster.makeReady(name);
    }
    await running;
  });

  test('a failed one stops the run', async () => {
    const cluster = new FakeCluster();
    const unit = {
      name: 'app',
      batches: [
        { nodes: [node('a')], wait: true },
        { nodes: [node('b')], wait: true },
      ],
    };
    const running = run(planInstall({ ...common, strategy: 'ordered', manifests: [], unit }), cluster);
    await cluster.sees('a');
    cluster.makeFailed('a');
    await expect(running).rejects.toMatchObject({ code: 'wait-failed' });
    expect(cluster.seen).toEqual(['a']);
  });
});

describe('client-side apply', () => {
  const plan = (data: string) =>
    planUpgrade({
      ...common,
      manifests: parseManifests(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {${data}}\n`),
    });
  const key = ' ConfigMap default a';

  test('creates with POST, and changes with a patch that leaves what others added', async () => {
    const cluster = new FakeCluster();
    await run(plan('k: "1"'), cluster, { applyMethod: 'csa' });
    cluster.add({ ...(cluster.find('a') as KubernetesObject), data: { k: '1', other: 'x' } });
    await run(plan('k: "2"'), cluster, { applyMethod: 'csa', existing: new Set([key]) });
    expect(cluster.find('a')).toMatchObject({ data: { k: '2', other: 'x' } });
    expect(cluster.calls.map(({ verb }) => verb)).toEqual(['create', 'get', 'patch']);
  });

  test('--force-replace puts the new manifest in its place', async () => {
    const cluster = new FakeCluster();
    cluster.add({ ...object('ConfigMap', 'a'), data: { other: 'x' } });
    await run(plan('k: "2"'), cluster, { applyMethod: 'csa', forceReplace: true, existing: new Set([key]) });
    expect(cluster.find('a')?.['data']).toEqual({ k: '2' });
  });

  test('a patch that came too late is made again', async () => {
    const cluster = new FakeCluster();
    cluster.add({ ...object('ConfigMap', 'a'), data: { k: '1' } });
    cluster.failOn('patch', 'a', refusal(409, 'Conflict', object('ConfigMap', 'a'), 'has been modified'), 1);
    await run(plan('k: "2"'), cluster, { applyMethod: 'csa', existing: new Set([key]) });
    expect(cluster.find('a')?.['data']).toEqual({ k: '2' });
  });
});

// csaupgrade.UpgradeManagedFieldsPatch
describe('from client-side to server-side apply', () => {
  const entry = (manager: string, operation: string, fields: object) => ({
    manager,
    operation,
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
  });
  const live = (managedFields: unknown[]): KubernetesObject => ({
    ...object('ConfigMap', 'a'),
    metadata: { name: 'a', resourceVersion: '7', managedFields },
  });

  test('the fields of helm by Update become those of helm by Apply', () => {
    const other = entry('kubectl', 'Update', { 'f:data': { 'f:y': {} } });
    const helm = entry('helm', 'Update', { 'f:data': { 'f:k': {} } });
    expect(upgradePatch(live([helm, other]))).toEqual([
      { op: 'replace', path: '/metadata/managedFields', value: [{ ...helm, operation: 'Apply' }, other] },
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
    ]);
  });

  test('and join those that are there already', () => {
    const update = entry('helm', 'Update', { 'f:data': { 'f:k': {} } });
    const apply = entry('helm', 'Apply', { 'f:data': { 'f:z': {} } });
    expect(upgradePatch(live([update, apply]))?.[0]).toEqual({
      op: 'replace',
      path: '/metadata/managedFields',
      value: [{ ...apply, fieldsV1: { 'f:data': { 'f:k': {}, 'f:z': {} } } }],
    });
  });

  test('nothing is sent where there is nothing to hand over', () => {
    expect(upgradePatch(live([entry('kubectl', 'Update', {})]))).toBeUndefined();
  });
});

describe('hooks', () => {
  const hook = (name: string, rest: Partial<Hook> = {}, event: HookEvent = 'pre-install') => hookOf(name, rest, event);
  const timedJob = (seconds: string): string =>
    `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\n  annotations: {helm.sh/hook-delete-timeout: "${seconds}"}\n`;
  const start = (hooks: readonly Hook[], cluster: FakeCluster, context: Partial<ExecutionContext> = {}) =>
    run(planInstall({ ...common, hooks, manifests: [] }), cluster, context);

  test('the old object goes first, and is waited for', async () => {
    const cluster = new FakeCluster();
    const old = cluster.add({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a', finalizers: ['example.com/x'] },
    });
    const running = start([hook('a')], cluster);
    const isWaitedFor = (): boolean => {
      const verbs = cluster.calls.map(({ verb }) => verb);
      return verbs.includes('delete') && verbs.slice(verbs.indexOf('delete')).includes('watch');
    };
    await expect.poll(isWaitedFor).toBe(true);
    expect(cluster.seen).toEqual([]);
    cluster.remove('a');
    await cluster.sees('a');
    expect(cluster.find('a')?.metadata.uid).not.toBe(old.metadata.uid);
    cluster.makeReady('a');
    await running;
  });

  test('what a hook could not be loaded over is not deleted, nor its log told', async () => {
    const cluster = new FakeCluster();
    cluster.add({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' } });
    const events: ExecutionEvent[] = [];
    const onEvent = (event: ExecutionEvent): void => void events.push(event);
    const running = start([hook('a', { deletePolicies: ['hook-failed'] })], cluster, { onEvent, applyMethod: 'csa' });
    await expect(running).rejects.toThrow();
    expect(cluster.names()).toEqual(['Job/a']);
    expect(events.filter(({ kind }) => kind === 'log' || kind === 'warning')).toEqual([]);
  });

  test.each([
    ['0', 0],
    ['60', 1],
    ['soon', 1],
    ['-1', 1],
  ])('hook-delete-timeout of %s seconds', async (seconds, waits) => {
    const cluster = new FakeCluster({ readyAtOnce: true });
    cluster.add({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' } });
    // The answer leaves open whether it is gone.
    const remove = cluster.delete.bind(cluster);
    cluster.delete = (id, options) => remove(id, { ...options, onGone: undefined });
    await start([hook('a', { manifest: timedJob(seconds) })], cluster);
    const sent = cluster.calls.findIndex(({ verb }) => verb === 'apply' || verb === 'create');
    const looks = cluster.calls.slice(0, sent).filter(({ verb }) => verb === 'watch' || verb === 'list');
    expect(Math.min(looks.length, 1)).toBe(waits);
  });

  test.each([
    ['1', 60_000, 1000, 'helm.sh/hook-timeout'],
    ['600', 50, 50, undefined],
    ['soon', 50, 50, undefined],
  ])('hook-timeout of %s seconds with a timeout of %d ms', async (seconds, timeoutMs, expected, limitedBy) => {
    const manifest = timedJob('60').replace('{', `{helm.sh/hook-timeout: "${seconds}", `);
    const failure: unknown = await start([hook('a', { manifest })], new FakeCluster(), { timeoutMs }).catch(
      (error: unknown) => error,
    );
    expect(causesOf(failure)).toContainEqual(
      expect.objectContaining({
        code: 'wait-timeout',
        details: expect.objectContaining({ timeoutMs: expected, ...(limitedBy && { limitedBy }) }),
      }),
    );
    expect(messageOf(failure).includes('the limit that helm.sh/hook-timeout sets')).toBe(limitedBy !== undefined);
  });

  test('a hook that is not waited for until it is gone is never taken for the new one', async () => {
    const cluster = new FakeCluster({ readyAtOnce: true });
    const old = cluster.add({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a', finalizers: ['example.com/wait'] },
    });
    await expect(start([hook('a', { manifest: timedJob('0') })], cluster)).rejects.toMatchObject({
      message: expect.stringContaining('jobs.batch "a" already exists'),
    });
    expect(cluster.find('a')?.metadata.uid).toBe(old.metadata.uid);
  });

  test('without before-hook-creation, an old object is in the way of client-side apply', async () => {
    const cluster = new FakeCluster();
    cluster.add({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' } });
    const running = start([hook('a', { deletePolicies: ['hook-succeeded'] })], cluster, { applyMethod: 'csa' });
    await expect(running).rejects.toMatchObject({
      message: expect.stringMatching(
        /^failed pre-install: warning: Hook pre-install app\/templates\/hook.yaml failed: jobs\.batch "a" already exists$/,
      ),
      details: {
        problems: [
          {
            code: 'left-over',
            subject: { template: 'app/templates/hook.yaml' },
            places: [{ path: ['metadata', 'annotations', 'helm.sh/hook-delete-policy'] }],
            remedies: [
              { kind: 'change-field', value: 'before-hook-creation' },
              { kind: 'delete-object', object: { kind: 'Job', name: 'a' } },
            ],
          },
        ],
      },
    });
  });

  test('policies decide what stays after success and after failure', async () => {
    const cluster = new FakeCluster();
    const hooks = [
      hook('a', { deletePolicies: ['hook-succeeded'] }),
      hook('b', { deletePolicies: ['hook-failed'] }),
      hook('c', { deletePolicies: ['hook-failed', 'hook-succeeded'] }),
    ];
    const running = start(hooks, cluster);
    await cluster.sees('a');
    cluster.makeReady('a');
    await cluster.sees('b');
    expect(cluster.find('a')).toBeDefined();
    cluster.makeReady('b');
    await cluster.sees('c');
    cluster.makeFailed('c');
    await expect(running).rejects.toMatchObject({ code: 'wait-failed' });
    expect(cluster.names()).toEqual(['Job/b']);
  });

  test('a CustomResourceDefinition is never deleted by a policy; where it must be created, the refusal says so', async () => {
    const cluster = new FakeCluster();
    const manifest =
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.example.com}\n' +
      'spec: {group: example.com, scope: Namespaced, names: {kind: Foo, plural: foos}, versions: [{name: v1, served: true, storage: true}]}\n';
    const kind = 'CustomResourceDefinition';
    const crd = hook('foos.example.com', {
      kind,
      manifest,
      deletePolicies: ['before-hook-creation', 'hook-succeeded'],
    });
    await start([crd], cluster);
    expect(cluster.calls.some(({ verb }) => verb === 'delete')).toBe(false);
    expect(cluster.names()).toEqual(['CustomResourceDefinition/foos.example.com']);
    await expect(start([crd], cluster, { applyMethod: 'csa' })).rejects.toThrow('already exists');
  });

  test('the log of a failed hook is always told; of a successful one, when its policy asks', async () => {
    const cluster = new FakeCluster();
    const logs: string[] = [];
    const onEvent = (event: ExecutionEvent) => event.kind === 'log' && logs.push(event.text);
    const spec = { containers: [{ name: 'main' }] };
    for (const name of ['a', 'b', 'c']) {
      cluster.add({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `${name}-1`, labels: { 'job-name': name } },
        spec,
      });
      cluster.setLogs(`${name}-1`, `log of ${name}`);
    }
    const running = start([hook('a', { outputLogPolicies: ['hook-succeeded'] }), hook('b')], cluster, { onEvent });
    for (const name of ['a', 'b']) {
      await cluster.sees(name);
      cluster.makeReady(name);
    }
    await running;
    const failing = start([hook('c')], cluster, { onEvent });
    await cluster.sees('c');
    cluster.makeFailed('c');
    await expect(failing).rejects.toThrow();
    expect(logs).toEqual(['log of a', 'log of c']);
  });

  test('hooks up to the next wait are told together, before the first of them; each replaces its object in its turn', async () => {
    const cluster = new FakeCluster();
    const log: string[] = [];
    const replaced = { deletePolicies: ['before-hook-creation', 'hook-succeeded'] } as const;
    const hooks = [
      hook('a', { kind: 'ServiceAccount', ...replaced }),
      hook('b', replaced),
      hook('c', { kind: 'ConfigMap', ...replaced }),
      hook('d', { kind: 'ConfigMap', deletePolicies: ['hook-succeeded'] }),
      hook('e', { kind: 'ConfigMap', ...replaced, weight: 1 }),
    ];
    const sent = (): string => cluster.seen.join('');
    const deleted = (): string => cluster.calls.flatMap(({ verb, name }) => (verb === 'delete' ? [name] : [])).join('');
    const running = start(hooks, cluster, {
      beforeHooks: async (next) => {
        const said = next.map(({ name, lastRun }) => `${name} ${lastRun.phase}`).join(', ');
        log.push(`${said}; deleted ${deleted()}; sent ${sent()}`);
      },
    });
    await cluster.sees('b');
    cluster.makeReady('b');
    await running;
    expect(log).toEqual([
      'a Running, b Running; deleted ; sent ',
      'c Running; deleted ab; sent ab',
      // Its object is none of this run's until it was created: it is told alone.
      'd Running; deleted abc; sent abc',
      'e Running; deleted abc; sent abcd',
    ]);
  });

  test('each change of state is told, with its times', async () => {
    const cluster = new FakeCluster();
    const runs: unknown[] = [];
    const now = () => new Date(Date.UTC(2026, 0, 1));
    const running = start([hook('a')], cluster, { now, onHook: async ({ lastRun }) => void runs.push(lastRun) });
    await cluster.sees('a');
    cluster.makeReady('a');
    await running;
    const time = expect.stringMatching(/^20(25|26)-/);
    expect(runs).toEqual([
      { startedAt: time, completedAt: undefined, phase: 'Running' },
      { startedAt: time, completedAt: time, phase: 'Succeeded' },
    ]);
  });
});
