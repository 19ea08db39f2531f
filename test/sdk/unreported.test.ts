import { expect, test } from 'vitest';
import { sandbox } from '../../src/testing.ts';

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly subresources: string;
}
const widgets: Kind = { group: 'example.com', kind: 'Widget', subresources: '{status: {}}' };
/** As github.com/argoproj/argo-workflows defines it: its controller writes the status all the same. */
const workflows: Kind = { group: 'argoproj.io', kind: 'Workflow', subresources: '{}' };

const definitionOf = ({ group, kind, subresources }: Kind): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: ${kind}, plural: ${kind.toLowerCase()}s, singular: ${kind.toLowerCase()}, listKind: ${kind}List}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: ${subresources}
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
const firstOf = ({ group, kind }: Kind, annotations: string): string => `apiVersion: ${group}/v1
kind: ${kind}
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
async function installed(kind: Kind, annotations: string, statusGraceMs?: number) {
  await using cluster = await sandbox({ time: 'simulated' });
  const start = cluster.now().getTime();
  const chart = cluster.tshelm.chart({
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'crds/first.yaml': definitionOf(kind),
    'templates/first.yaml': firstOf(kind, annotations),
    'templates/second.yaml': second,
  });
  let seconds: number | undefined;
  let reason: string | undefined;
  for await (const event of cluster.tshelm.install('shop', chart, { wait: 'ordered', statusGraceMs })) {
    if (event.kind !== 'resource') continue;
    if (event.id.name === 'second') seconds ??= Math.round((cluster.now().getTime() - start) / 1000);
    if (event.id.name === 'first' && event.state === 'ready') reason = event.reason;
  }
  return { seconds, reason };
}

const unreported = 'its controller has not reported a status yet';
const announced = `, sandbox.tshelm.dev/ready-after: 20s, sandbox.tshelm.dev/status: '{"phase": "Ready"}'`;

test.each([
  [
    'nobody reports in a sandbox: there is no time of grace',
    widgets,
    '',
    undefined,
    { seconds: 0, reason: unreported },
  ],
  ['--status-grace counts', widgets, '', 5_000, { seconds: 5, reason: unreported }],
  ['a status that the sandbox will set is waited for', widgets, announced, undefined, { seconds: 20 }],
  ['a kind without a status subresource has none', { ...widgets, subresources: '{}' }, '', 5_000, { seconds: 0 }],
  ['but for kinds whose controller writes one', workflows, '', 5_000, { seconds: 5, reason: unreported }],
])('%s', async (_rule, kind, annotations, statusGraceMs, expected) => {
  expect(await installed(kind, annotations, statusGraceMs)).toEqual({ reason: undefined, ...expected });
});
