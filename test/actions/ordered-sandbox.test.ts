import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionContext } from '../../src/actions/action-context.ts';
import { install } from '../../src/actions/install.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import { connect } from '../../src/cluster/connect.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import type { ExecutionEvent } from '../../src/execute/events.ts';
import { openSandbox } from '../../src/sandbox/index.ts';
import { chartOf } from './harness.ts';

let cluster: Cluster;
let close: () => Promise<void>;

beforeAll(async () => {
  const sandbox = await openSandbox();
  cluster = await connect({ apiServer: sandbox.url, env: { KUBECONFIG: '/dev/null' } });
  close = async () => {
    cluster.close();
    await sandbox.close();
  };
});
afterAll(() => close());

/** A Deployment that becomes ready a little later than it is written. */
const slow = (name: string, annotations = ''): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\n  annotations: {${annotations}}\nspec:\n  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}, annotations: {sandbox.tshelm.dev/ready-after: 100ms}}\n    spec: {containers: [{name: main, image: nginx}]}\n`;
const subchart = (name: string): Record<string, string> => ({
  [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
  [`charts/${name}/templates/${name}.yaml`]: slow(name),
});

/** The tables of the specification: a chart, and its resources batch by batch. */
const tables: readonly (readonly [string, Readonly<Record<string, string>>, readonly (readonly string[])[]])[] = [
  [
    'seed 004: subcharts',
    {
      'Chart.yaml':
        'apiVersion: v2\nname: foo\nversion: 1.0.0\nannotations: {helm.sh/depends-on/subcharts: [bar, rabbitmq]}\ndependencies:\n- {name: nginx, version: 1.0.0}\n- {name: rabbitmq, version: 1.0.0}\n- {name: bar, version: 1.0.0, depends-on: [nginx, rabbitmq]}\n- {name: orphaned, version: 1.0.0}\n',
      ...subchart('nginx'),
      ...subchart('rabbitmq'),
      ...subchart('bar'),
      ...subchart('orphaned'),
      'templates/foo.yaml': slow('foo'),
    },
    [['nginx', 'rabbitmq'], ['bar'], ['foo', 'orphaned']],
  ],
  [
    'seed 002, proposal 1: layers and a subchart',
    {
      'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [{name: x, version: 1.0.0}]\n',
      ...subchart('x'),
      'templates/foo.yaml': slow('foo', 'helm.sh/layer: layer1'),
      'templates/bar.yaml': slow('bar', 'helm.sh/layer: layer2, helm.sh/dependson/layer: layer1'),
      'templates/fizz.yaml': slow(
        'fizz',
        'helm.sh/layer: layer3, helm.sh/dependson/layer: layer1, helm.sh/dependson/chart: x',
      ),
    },
    [
      ['foo', 'x'],
      ['bar', 'fizz'],
    ],
  ],
  [
    'seed 002, proposal 2: weights',
    {
      'templates/foo.yaml': slow('foo', 'helm.sh/weight: "-2"'),
      'templates/bar.yaml': slow('bar', 'helm.sh/weight: "-1"'),
      'templates/fizz.yaml': slow('fizz', 'helm.sh/weight: 0'),
    },
    [['foo'], ['bar'], ['fizz']],
  ],
  [
    'HIP-0025: groups',
    {
      'templates/db.yaml': slow('db-service', 'helm.sh/resource-group: database'),
      'templates/app.yaml': slow(
        'my-app',
        'helm.sh/resource-group: app, helm.sh/depends-on/resource-groups: [database, queue]',
      ),
      'templates/queue.yaml': slow(
        'queue-processor',
        'helm.sh/resource-group: queue, helm.sh/depends-on/resource-groups: [another-group]',
      ),
    },
    [['db-service', 'queue-processor'], ['my-app']],
  ],
];

/** What was created between two times at which something became ready: the batches as the cluster saw them. */
function wavesOf(events: readonly ExecutionEvent[], created: 'created' | 'deleted'): readonly (readonly string[])[] {
  const waves: string[][] = [[]];
  let isOver = false;
  for (const event of events) {
    if (event.kind === 'batch-finished' && !event.unit.includes('/')) isOver = true;
    if (event.kind !== 'resource' || event.state !== created) continue;
    if (isOver) waves.push([]);
    isOver = false;
    waves.at(-1)?.push(event.id.name);
  }
  return waves.map((names) => names.sort());
}

describe('on the sandbox', () => {
  test.each(tables)('%s', async (_table, files, batches) => {
    const events: ExecutionEvent[] = [];
    const context = actionContext(cluster, { driver: 'memory', onEvent: (event) => events.push(event) });
    await install(await chartOf(files), new Map(), { name: 'rel', wait: 'ordered', timeoutMs: 20_000 }, context);
    expect(wavesOf(events, 'created')).toEqual(batches);
    const readyBefore = (name: string, other: string): boolean =>
      events.findIndex((event) => event.kind === 'resource' && event.state === 'ready' && event.id.name === name) <
      events.findIndex((event) => event.kind === 'resource' && event.state === 'created' && event.id.name === other);
    for (const [index, names] of batches.slice(1).entries()) {
      for (const name of batches[index] ?? []) for (const next of names) expect(readyBefore(name, next)).toBe(true);
    }
    events.length = 0;
    await uninstall({ name: 'rel' }, context);
    expect(wavesOf(events, 'deleted')).toEqual([...batches].reverse());
  });
});

test('an object with both readiness annotations is judged by them in an ordered run, and only there', async () => {
  const rules = (success: string, failure: string): string =>
    `helm.sh/readiness-success: '["${success}"]', helm.sh/readiness-failure: '["${failure}"]'`;
  const context = actionContext(cluster, { driver: 'memory' });
  const chart = await chartOf({
    'templates/web.yaml': slow('ruled', rules('{.readyReplicas} >= 1', '{.observedGeneration} >= 1')),
  });
  const failing = install(chart, new Map(), { name: 'ruled', wait: 'ordered', timeoutMs: 20_000 }, context);
  await expect(failing).rejects.toThrow('its failure condition {.observedGeneration} >= 1 is true');
  await uninstall({ name: 'ruled', wait: 'watcher' }, context);
  await install(chart, new Map(), { name: 'plain', wait: 'watcher', timeoutMs: 20_000 }, context);
});
