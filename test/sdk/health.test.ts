import { expect, test } from 'vitest';
import { type HealthCheck, isTshelmError } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
/** Its controller says something of it 40 s after it was written. */
const widget = (phase: string): string => `apiVersion: example.com/v1
kind: Widget
metadata:
  name: first
  annotations:
    helm.sh/resource-group: first
    sandbox.tshelm.dev/ready-after: 40s
    sandbox.tshelm.dev/status: '{"phase": "${phase}"}'
`;
const second = `apiVersion: v1
kind: ConfigMap
metadata:
  name: second
  annotations: {helm.sh/resource-group: second, helm.sh/depends-on/resource-groups: '["first"]'}
`;
const health: readonly HealthCheck[] = [
  {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    failed: "status.phase == 'Broken'",
    current: "status.phase == 'Up'",
  },
];

const chartOf = ({ tshelm }: Sandbox, phase: string) =>
  tshelm.chart({
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'crds/widgets.yaml': definition,
    'templates/first.yaml': widget(phase),
    'templates/second.yaml': second,
  });

/** How the install went, when its objects were created (in seconds), and what it failed with. */
async function installed(phase: string, checks = health) {
  await using cluster = await sandbox({ time: 'simulated' });
  const start = cluster.now().getTime();
  const seconds: Record<string, number> = {};
  const run = cluster.tshelm.install('shop', chartOf(cluster, phase), {
    wait: 'ordered',
    timeoutMs: 60_000,
    health: checks,
  });
  try {
    for await (const event of run)
      if (event.kind === 'resource' && event.state === 'created')
        seconds[event.id.name] = Math.round((cluster.now().getTime() - start) / 1000);
    return { seconds, failure: undefined };
  } catch (failure) {
    return { seconds, failure };
  }
}

test('the second batch starts when current is true of the first', async () => {
  const { seconds, failure } = await installed('Up');
  expect(failure).toBeUndefined();
  expect(seconds).toMatchObject({ first: 0, second: 40 });
});

test('an object of which failed is true fails at once, with the expression as the cause', async () => {
  const { seconds, failure } = await installed('Broken');
  if (!isTshelmError(failure, 'wait-failed')) throw failure;
  expect(seconds).not.toHaveProperty('second');
  expect(failure.details.problems?.map(({ code, cause }) => ({ code, cause }))).toMatchObject([
    { code: 'not-ready', cause: { outlook: 'never' } },
  ]);
  expect(failure.message).toContain("status.phase == 'Broken'");
});

test('an object of which neither is true is waited for', async () => {
  const { seconds, failure } = await installed('Odd');
  expect(failure).toMatchObject({ code: 'wait-timeout', message: expect.stringContaining("status.phase == 'Up'") });
  expect(seconds).not.toHaveProperty('second');
});

test('a mistake is told before anything is sent', async () => {
  const { seconds, failure } = await installed('Up', [
    { apiVersion: 'example.com/v1', kind: 'Widget', current: 'status.(' },
  ]);
  expect(failure).toMatchObject({
    code: 'health-checks-invalid',
    message: expect.stringMatching(/^health\[0\]\.current: /),
  });
  expect(seconds).toEqual({});
});

test('a rehearsal judges by them too', async () => {
  await using cluster = await sandbox({ time: 'simulated' });
  const report = await cluster.tshelm.rehearse('shop', chartOf(cluster, 'Up'), { health });
  expect(report).toMatchObject({ status: 'succeeded', seconds: 40 });
});
