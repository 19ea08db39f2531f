import { expect, test } from 'vitest';
import { sandbox } from '../../src/testing.ts';

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
const widget = (annotations: string): string => `apiVersion: example.com/v1
kind: Widget
metadata:
  name: first
  annotations: {helm.sh/resource-group: first${annotations}}
`;
const second = `apiVersion: v1
kind: ConfigMap
metadata:
  name: second
  annotations: {helm.sh/resource-group: second, helm.sh/depends-on/resource-groups: '["first"]'}
`;

/** After how many seconds the second batch started, and what was said of the first. */
async function installed(annotations: string, statusGraceMs?: number) {
  await using cluster = await sandbox({ time: 'simulated' });
  const start = cluster.now().getTime();
  const chart = cluster.tshelm.chart({
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'crds/widgets.yaml': definition,
    'templates/first.yaml': widget(annotations),
    'templates/second.yaml': second,
  });
  let seconds: number | undefined;
  let reason: string | undefined;
  for await (const event of cluster.tshelm.install('shop', chart, { wait: 'ordered', statusGraceMs })) {
    if (event.kind !== 'resource') continue;
    if (event.id.name === 'second') seconds ??= Math.round((cluster.now().getTime() - start) / 1000);
    if (event.id.kind === 'Widget' && event.state === 'ready') reason = event.reason;
  }
  return { seconds, reason };
}

const unreported = 'its controller has not reported a status yet';
const announced = `, sandbox.tshelm.dev/ready-after: 20s, sandbox.tshelm.dev/status: '{"phase": "Ready"}'`;

test.each([
  ['nobody reports in a sandbox: there is no time of grace', '', undefined, { seconds: 0, reason: unreported }],
  ['--status-grace counts', '', 5_000, { seconds: 5, reason: unreported }],
  ['a status that the sandbox will set is waited for', announced, undefined, { seconds: 20, reason: undefined }],
])('%s', async (_rule, annotations, statusGraceMs, expected) => {
  expect(await installed(annotations, statusGraceMs)).toEqual(expected);
});
