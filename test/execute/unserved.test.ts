import { expect, test } from 'vitest';
import { executePlan } from '../../src/execute/execute.ts';
import { parseManifests } from '../../src/manifest/parse.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { planInstall } from '../../src/plan/plan.ts';
import { addedDetail, hasCode } from '../../src/support/errors.ts';
import { factText } from '../../src/words/fact.ts';
import { FakeCluster } from '../cluster/fake-cluster.ts';

interface Told {
  readonly reasons: readonly string[];
  readonly failure: unknown;
}

/** What is told of Services by an install that waits. */
async function install(
  objects: readonly object[],
  { there = [], strategy = 'watcher', failFast }: InstallOptions = {},
): Promise<Told> {
  const cluster = new FakeCluster();
  cluster.extraKinds.push({
    group: 'discovery.k8s.io',
    version: 'v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    singular: 'endpointslice',
    verbs: ['list'],
    namespaced: true,
  });
  for (const object of there) cluster.add(object);
  const manifests = parseManifests(objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  const plan = planInstall({ release: 'web', namespace: 'default', strategy, hooks: [], manifests });
  const told: string[] = [];
  const failure = await executePlan(plan, {
    cluster,
    failFast,
    onEvent: (event) => {
      if (event.kind === 'resource' && event.state === 'ready' && event.reason !== undefined) told.push(event.reason);
    },
  }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { reasons: told, failure };
}

interface InstallOptions {
  readonly there?: readonly KubernetesObject[];
  readonly strategy?: 'watcher' | 'ordered';
  readonly failFast?: boolean;
}

const service = (selector: object | undefined, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector, ports: [{ port: 80 }], clusterIP: '10.0.0.1', ...more },
});
const cronJob = (labels: object, ports: readonly object[] = []) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'work' },
  spec: {
    jobTemplate: { spec: { template: { metadata: { labels }, spec: { containers: [{ name: 'app', ports }] } } } },
  },
});
const pod = (labels: Readonly<Record<string, string>>, namespace = 'default'): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'other', namespace, labels },
});
const role = (verb: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'operator' },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: [verb] }],
});
const slice: KubernetesObject = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'web-1', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
  endpoints: [{ addresses: ['10.1.1.1'] }],
};

const nothing = factText({ code: 'no-pod-selected', labels: ['app=web'], outlook: 'never' });
const http = { ports: [{ port: 80, targetPort: 'http' }] };
test.each([
  [
    'a selector that no pod matches',
    [service({ app: 'web' }), cronJob({ app: 'wep' })],
    [],
    [
      factText({
        code: 'no-pod-selected',
        labels: ['app=web'],
        nearest: [{ owner: 'CronJob/work', labels: ['app=wep'] }],
        outlook: 'never',
      }),
    ],
  ],
  ['a release without pods', [service({ app: 'web' })], [], [nothing]],
  ['a pod of another namespace', [service({ app: 'web' })], [pod({ app: 'web' }, 'shop')], [nothing]],
  ['a role that only reads pods', [service({ app: 'web' }), role('list')], [], [nothing]],
  [
    'a name that no port has',
    [service({ app: 'web' }, http), cronJob({ app: 'web' }, [{ name: 'metrics' }])],
    [],
    [factText({ code: 'target-port-missing', port: 'http', names: ['metrics'], outlook: 'never' })],
  ],
])('told: %s', async (_what, objects, there, told) =>
  expect(await install(objects, { there })).toEqual({ reasons: told, failure: undefined }),
);

test.each([
  ['pods of the release', [service({ app: 'web' }), cronJob({ app: 'web', more: 'x' })], []],
  ['a port of that name', [service({ app: 'web' }, http), cronJob({ app: 'web' }, [{ name: 'http' }])], []],
  ['pods of somebody else', [service({ app: 'web' })], [pod({ app: 'web' })]],
  ['endpoints of somebody else', [service({ app: 'web' })], [slice]],
  ['no selector', [service(undefined)], []],
  ['another name', [service({ app: 'web' }, { type: 'ExternalName', externalName: 'example.com' })], []],
  ['an operator that may create pods', [service({ app: 'web' }), role('create')], []],
])('not told: a Service with %s', async (_what, objects, there) =>
  expect(await install(objects, { there })).toEqual({ reasons: [], failure: undefined }),
);

const wrong = [service({ app: 'web' }), cronJob({ app: 'wep' })];
test('in an order, a Service that no pod can serve fails', async () => {
  const { failure } = await install(wrong, { strategy: 'ordered' });
  expect(hasCode(failure, 'wait-failed')).toBe(true);
  const problems = addedDetail(failure, 'problems') ?? [];
  expect(problems).toMatchObject([
    {
      code: 'no-pod-selected',
      cause: { labels: ['app=web'] },
      subject: { id: { name: 'web' } },
      remedies: [{ kind: 'change-field', path: ['spec', 'selector'], how: 'correct' }],
    },
  ]);
});

test.each([
  ['another pod serves it', wrong, { there: [pod({ app: 'web' })] }],
  ['the label may come later', [service({ app: 'web' }), cronJob({ more: 'x' })], {}],
  ['the release has no pods', [service({ app: 'web' })], {}],
  ['a port is missing', [service({ app: 'web' }, http), cronJob({ app: 'web' })], {}],
  ['nothing is to fail early', wrong, { failFast: false }],
])('but not where %s', async (_what, objects, options) => {
  expect((await install(objects, { ...options, strategy: 'ordered' })).failure).toBeUndefined();
});
