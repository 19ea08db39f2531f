import { describe, expect, test } from 'vitest';
import {
  isTshelmError,
  type OrderDeclarations,
  type Plan,
  Tshelm,
  type TshelmEvent,
  type Unit,
} from '../../src/index.ts';
import { planData } from '../../src/show/plan-data.ts';
import { drawPlan } from '../../src/show/tree.ts';
import { causesOf } from '../../src/support/errors.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

const configMap = (name: string, annotations = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  # Kept.\n  labels: {app: ${name}}\n${annotations}`;
const chartYaml = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;

const shop = ({ tshelm }: Sandbox) =>
  tshelm.chart({
    'Chart.yaml': chartYaml('shop', 'dependencies:\n- {name: db, version: 1.0.0}\n- {name: web, version: 1.0.0}\n'),
    'templates/a.yaml': configMap('a', '  annotations: {helm.sh/weight: "7"}\n'),
    'templates/b.yaml': configMap('b'),
    'templates/hook.yaml': configMap('c', '  annotations: {helm.sh/hook: pre-install}\n'),
    'charts/db/Chart.yaml': chartYaml('db'),
    'charts/db/templates/db.yaml': configMap('db'),
    'charts/web/Chart.yaml': chartYaml('web'),
    'charts/web/templates/web.yaml': configMap('web'),
  });

const order: OrderDeclarations = {
  resources: [
    { select: { name: 'a' }, group: 'first' },
    { select: { labels: { app: 'b' } }, dependsOn: ['first'] },
  ],
  charts: [{ chart: 'db', dependsOn: ['web'] }],
};

const unitOf = ({ steps }: Plan, kind: 'apply' | 'delete'): Unit => {
  const step = steps.find((one) => one.kind === kind);
  if (step?.kind !== kind) throw new Error(`no step ${kind}`);
  return step.unit;
};

/** The names in each batch, with what they wait for. */
const batchesOf = (plan: Plan, kind: 'apply' | 'delete' = 'apply'): unknown =>
  unitOf(plan, kind).batches.map(({ nodes }) =>
    nodes.map((node) => `${node.kind === 'unit' ? node.unit.name : node.name} <- ${node.because.join(' ')}`),
  );

test('an order from outside goes before the chart’s own, and its edges say where they are declared', async () => {
  await using cluster = await sandbox({ time: 'simulated' });
  const plan = await cluster.tshelm.plan('shop', shop(cluster).withOrder(order));
  expect(plan.strategy).toBe('ordered');
  expect(batchesOf(plan)).toEqual([
    ['web <- '],
    ['db <- web (order)'],
    ['first <- db (a sequenced subchart)'],
    ['ConfigMap/b <- first (order)'],
  ]);
});

test('the record keeps it: rollback and uninstall follow it, and an upgrade without it says so', async () => {
  await using cluster = await sandbox({ time: 'simulated' });
  const { tshelm } = cluster;
  await tshelm.install('shop', shop(cluster).withOrder(order));
  const { manifest } = await tshelm.get('shop');
  expect(manifest).toContain("  # Kept.\n  labels: {app: a}\n  annotations:\n    helm.sh/resource-group: 'first'\n");
  const refused: unknown = await tshelm
    .upgrade('shop', shop(cluster), { strictPlan: true })
    .catch((cause: unknown) => cause);
  expect(String(refused)).toContain('revision 1 of shop was deployed with the order file order');
  await tshelm.upgrade('shop', shop(cluster));
  await tshelm.rollback('shop', { revision: 1 });
  const deleted: string[] = [];
  for await (const event of tshelm.uninstall('shop'))
    if (event.kind === 'resource' && event.state === 'deleted') deleted.push(event.id.name);
  expect(deleted).toEqual(['b', 'a', 'db', 'web']);
});

test.each<readonly [OrderDeclarations, string]>([
  [{ resources: [{ select: { kind: 'Secret' }, group: 'a' }] }, 'order: this rule selects no resource of the release'],
  [
    { resources: [{ select: { name: 'c' }, group: 'a' }] },
    'order: this rule selects only hooks, whose order is helm.sh/hook-weight',
  ],
  [
    { resources: [{ select: { name: ['a', 'c'] }, timeout: 90 }] },
    'order: this rule selects no hook that is waited for, a Job or a Pod',
  ],
  [{ charts: [{ chart: 'wep', dependsOn: ['db'] }] }, 'order: chart shop has no subchart wep; did you mean web?'],
])('%j is refused', async (wrong, message) => {
  await using cluster = await sandbox({ time: 'simulated' });
  const refused = async () => cluster.tshelm.plan('shop', shop(cluster).withOrder(wrong));
  const error: unknown = await refused().catch((cause: unknown) => cause);
  expect(isTshelmError(error, 'order-file-invalid') && error.message).toBe(message);
});

describe('a limit for a hook', () => {
  const withJob = (timeout: string) => ({
    'Chart.yaml': chartYaml('shop'),
    'templates/job.yaml': `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: pre-install, helm.sh/hook-timeout: "600", sandbox.tshelm.dev/fate: hang}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}
`,
    'order.yaml': `resources:\n- select: {kind: Job}\n  timeout: ${timeout}\n`,
  });
  const order: OrderDeclarations = { resources: [{ select: { kind: 'Job' }, timeout: '5m' }] };

  test('takes the place of the chart’s own, and the plan says where it is declared', async () => {
    await using cluster = await sandbox({ time: 'simulated' });
    const chart = cluster.tshelm.chart(withJob('5m'));
    expect(planData(await cluster.tshelm.plan('shop', chart, { wait: 'ordered' })).steps).toContainEqual(
      expect.objectContaining({ limits: [{ hook: 'Job/migrate', seconds: 600, because: 'helm.sh/hook-timeout' }] }),
    );
    const plan = await cluster.tshelm.plan('shop', chart.withOrder(order));
    expect(drawPlan(plan)).toContain('Job/migrate (at most 300s: order)');
    expect(planData(plan).steps).toContainEqual(
      expect.objectContaining({ limits: [{ hook: 'Job/migrate', seconds: 300, because: 'order' }] }),
    );
  });

  test.each([
    [3_600_000, 300_000],
    [120_000, 120_000],
  ] as const)('ends the wait, never beyond a timeout of %d ms', async (givenMs, timeoutMs) => {
    await using cluster = await sandbox({ time: 'simulated' });
    const chart = cluster.tshelm.chart(withJob('5m')).withOrder(order);
    const failure: unknown = await cluster.tshelm
      .install('shop', chart, { timeoutMs: givenMs })
      .catch((cause: unknown) => cause);
    expect(causesOf(failure)).toContainEqual(
      expect.objectContaining({ code: 'wait-timeout', details: expect.objectContaining({ timeoutMs }) }),
    );
    expect((await cluster.tshelm.get('shop')).hooks[0]?.manifest).toContain("helm.sh/hook-timeout: '300'");
  });
});

test('a cycle names the lines of the order file', async () => {
  await using cluster = await sandbox({ time: 'simulated' });
  const charts = [
    { chart: 'db', dependsOn: ['web'] },
    { chart: 'web', dependsOn: ['db'] },
  ];
  const error: unknown = await cluster.tshelm
    .plan('shop', shop(cluster).withOrder({ charts }))
    .catch((cause: unknown) => cause);
  expect(isTshelmError(error, 'dependency-cycle') && error.message).toContain(
    'db waits for web because of order (order)',
  );
});

const mounting = (kind: string, name: string, volume: string): string =>
  `apiVersion: ${kind === 'Job' ? 'batch/v1' : 'apps/v1'}
kind: ${kind}
metadata: {name: ${name}}
spec:
  ${kind === 'Job' ? '' : `selector: {matchLabels: {app: ${name}}}`}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {restartPolicy: ${kind === 'Job' ? 'Never' : 'Always'}, volumes: [{name: v, ${volume}}], containers: [{name: c, image: c}]}
`;

const needy = ({ tshelm }: Sandbox) =>
  tshelm.chart({
    'Chart.yaml': chartYaml('needy'),
    'templates/a.yaml': mounting('Deployment', 'a-web', 'configMap: {name: z-config}'),
    'templates/hpa.yaml':
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: scaler}\nspec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a-web}}\n',
    'templates/z.yaml': configMap('z-config'),
  });

/** The objects in the order in which a run first speaks of them. */
async function begun(events: AsyncIterable<TshelmEvent>): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const event of events) if (event.kind === 'resource') names.add(event.id.name);
  return [...names];
}

test('with wait: auto an object waits for those that it needs; later runs and Helm’s copy of the record do too', async () => {
  await using cluster = await sandbox({ time: 'simulated' });
  const { tshelm } = cluster;
  const order = ['z-config', 'a-web', 'scaler'];
  expect(await begun(tshelm.install('needy', needy(cluster), { wait: 'auto' }))).toEqual(order);
  expect(await begun(tshelm.upgrade('needy', needy(cluster)))).toEqual(order);
  const { plan } = await tshelm.rollback('needy', { revision: 1 });
  expect(unitOf(plan, 'apply').isFree).toBe(true);
  expect(await begun(tshelm.uninstall('needy'))).toEqual(order.toReversed());
});

test('an order file derives edges beside its own', async () => {
  await using cluster = await sandbox({ time: 'simulated' });
  const chart = needy(cluster).withOrder({ derive: true, resources: [{ select: { name: 'scaler' }, group: 'one' }] });
  const plan = await cluster.tshelm.plan('needy', chart);
  expect(batchesOf(plan)).toEqual([
    ['ConfigMap/z-config <- '],
    ['Deployment/a-web <- ConfigMap/z-config (derived: mounts ConfigMap z-config)'],
    ['HorizontalPodAutoscaler/scaler <- Deployment/a-web (derived: scales Deployment a-web)'],
  ]);
});

test('an order that is suggested can be planned at once, and its text says why', async () => {
  const tshelm = new Tshelm();
  const { order: suggested, text } = await tshelm.suggestOrder('fixtures/charts/blog');
  const chart = (await tshelm.load('fixtures/charts/blog')).withOrder(suggested);
  const plan = await tshelm.plan('blog', chart);
  const kinds = unitOf(plan, 'apply').batches.map(({ nodes }) =>
    nodes.flatMap((node) => (node.kind === 'unit' ? [] : node.manifests.map(({ object }) => object?.kind))),
  );
  expect(kinds).toEqual([['Service'], ['StatefulSet'], ['Job'], ['Deployment']]);
  expect(text).toContain('blog/templates/all.yaml:49');
  await tshelm.close();
});

test('orders are compared, and a run shows where programs started too early', async () => {
  await using cluster = await sandbox({ time: 'simulated', fail: '*=crash-until-ready' });
  const { tshelm } = cluster;
  const [none, ...ordered] = await tshelm.compareOrders('blog', 'fixtures/charts/blog');
  expect(none).toMatchObject({ order: 'none', status: 'succeeded' });
  expect(none?.restarts).toBeGreaterThan(0);
  expect(ordered).toMatchObject([{ order: 'suggested', status: 'succeeded', restarts: 0 }]);
  await tshelm.install('blog', 'fixtures/charts/blog', { wait: 'watcher', waitForJobs: true });
  const { text } = await tshelm.suggestOrder('fixtures/charts/blog', { fromRun: 'blog' });
  expect(text).toContain('Job/blog-migrate: 1 failed pod of container migrate');
  await expect(tshelm.suggestOrder('fixtures/charts/blog', { fromRun: 'nothing' })).rejects.toMatchObject({
    code: 'release-not-found',
  });
});

test('a program says what must be there outside of the release', async () => {
  await using cluster = await sandbox({ time: 'simulated' });
  const needy = shop(cluster).withOrder({
    needs: ['release/db'],
    resources: [{ select: { name: 'a' }, needs: ['Secret/tls'] }],
  });
  const plan = await cluster.tshelm.plan('shop', needy);
  expect(plan.steps.find(({ kind }) => kind === 'await-needs')).toMatchObject({
    needs: [{ kind: 'release', name: 'db', text: 'release/db', why: 'order', place: { file: 'order' } }],
  });
  const nodes = unitOf(plan, 'apply').batches.flatMap((batch) => batch.nodes);
  expect(nodes.flatMap(({ needs = [] }) => needs)).toEqual([
    { kind: 'object', objectKind: 'Secret', name: 'tls', text: 'Secret/tls', why: 'order', place: { file: 'order' } },
  ]);
});
