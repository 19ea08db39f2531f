import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntilEstablished } from '../../src/cluster/wait.ts';
import type { KubernetesObject, ResourceId } from '../../src/manifest/types.ts';
import { auditOf } from './support/audit.ts';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { ok, tshelm } from './support/programs.ts';

// Custom resources on a real API server, with a controller of the test's own that takes its time. The definitions have
// the names of the real ones and no schema: what counts is who writes the status, and when.

const directory = scratchDirectory();
const admin = adminOf('custom-resources');
const audit = auditOf(admin);
const { namespace } = admin;
const ordered = ['-n', namespace, '--wait=ordered', '--timeout', '30s', '--preflight=never'];

const condition = (type: string) => ({ type, status: 'True', reason: 'Test', message: '' });
const ready = { conditions: [condition('Ready')] };

/** Group and version, kind, plural, and the status of one that is ready. */
const kinds = [
  ['argoproj.io/v1alpha1', 'Rollout', 'rollouts', { phase: 'Healthy', conditions: [condition('Available')] }],
  ['argoproj.io/v1alpha1', 'Workflow', 'workflows', { phase: 'Succeeded' }],
  ['cert-manager.io/v1', 'Certificate', 'certificates', ready],
  ['postgresql.cnpg.io/v1', 'Cluster', 'clusters', { phase: 'Cluster in healthy state', ...ready }],
  ['kafka.strimzi.io/v1', 'Kafka', 'kafkas', ready],
  ['external-secrets.io/v1', 'ExternalSecret', 'externalsecrets', ready],
  ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 'kustomizations', ready],
  ['gateway.networking.k8s.io/v1', 'HTTPRoute', 'httproutes', { parents: [{ conditions: [condition('Accepted')] }] }],
  ['elasticsearch.k8s.elastic.co/v1', 'Elasticsearch', 'elasticsearches', { health: 'green', phase: 'Ready' }],
  ['ready.tshelm.dev/v1', 'Widget', 'widgets', { phase: 'Running' }],
] as const;

const groupOf = (apiVersion: string): string => apiVersion.slice(0, apiVersion.indexOf('/'));

const definition = ([apiVersion, kind, plural]: (typeof kinds)[number]): KubernetesObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${plural}.${groupOf(apiVersion)}`,
    annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' },
  },
  spec: {
    group: groupOf(apiVersion),
    scope: 'Namespaced',
    names: { kind, plural },
    versions: [
      {
        name: apiVersion.slice(apiVersion.indexOf('/') + 1),
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

const definitions = kinds.map(definition);

beforeAll(async () => {
  for (const one of definitions) await admin.cluster().apply(one);
  await waitUntilEstablished(
    admin.cluster(),
    definitions.map(({ metadata }) => metadata.name),
  );
});

afterAll(async () => {
  for (const { apiVersion, kind, metadata } of definitions)
    await admin.cluster().delete({ apiVersion, kind, namespace: '', name: metadata.name });
});

/** Reports on an object, some time after it has seen it. */
async function report(id: Pick<ResourceId, 'apiVersion' | 'kind' | 'name'>, status: object, delayMs: number) {
  const { apiVersion, kind, name } = id;
  const signal = AbortSignal.timeout(20_000);
  for await (const event of admin.cluster().watch(apiVersion, kind, { namespace, signal })) {
    if (event.kind !== 'present' || event.object.metadata.name !== name) continue;
    const { generation } = event.object.metadata;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const patch = { status: { observedGeneration: generation, ...status } };
    await admin.cluster().patch({ ...id, namespace }, 'merge', patch, { subresource: 'status' });
    return;
  }
}

const chartOf = (name: string, apiVersion: string, kind: string): string =>
  writeChart(directory, name, {
    'templates/all.yaml': `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: {{ .Release.Name }}
  annotations: {helm.sh/resource-group: first}
spec: {}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
  annotations: {helm.sh/resource-group: second, helm.sh/depends-on/resource-groups: '["first"]'}
`,
  });

describe('the next batch starts when the controller has reported', () => {
  test.each(kinds)('%s %s', async (apiVersion, kind, plural, status) => {
    const name = kind.toLowerCase();
    audit.begin();
    const reported = report({ apiVersion, kind, name }, status, 3_000);
    await ok(tshelm, ['install', name, chartOf(name, apiVersion, kind), ...ordered]);
    await reported;
    const writes = await audit.writes();
    const reportAt = writes.find(({ resource }) => resource === `${plural}.${groupOf(apiVersion)}/status`)?.at;
    const next = writes.find(({ object }) => object === `configmaps/${name}`);
    expect(next?.at).toBeGreaterThan(reportAt ?? Number.NaN);
  });
});

test('one on which nobody reports is ready after the grace, and that is said', async () => {
  const chart = chartOf('silent', 'ready.tshelm.dev/v1', 'Widget');
  const startedMs = performance.now();
  const said = await tshelm.run(['install', 'silent', chart, ...ordered, '--status-grace', '2s']);
  expect(said.code).toBe(0);
  expect(performance.now() - startedMs).toBeGreaterThan(2_000);
  expect(`${said.stdout}${said.stderr}`).toContain('its controller has not reported a status yet');
});

test('a Rollout that is Degraded fails at once, and its message is the cause', async () => {
  const message = 'ProgressDeadlineExceeded: ReplicaSet "web-1" has timed out progressing.';
  const rollout = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'broken' };
  const broken = report(rollout, { phase: 'Degraded', message }, 0);
  const startedMs = performance.now();
  const chart = chartOf('broken', 'argoproj.io/v1alpha1', 'Rollout');
  const failed = await tshelm.run(['install', 'broken', chart, ...ordered]);
  await broken;
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain(message);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect((await audit.writes()).filter(({ object }) => object === 'configmaps/broken')).toEqual([]);
});

test('a claim whose pod comes in a later batch does not hold it up', async () => {
  const storageClass = `${namespace}-late`;
  await admin.cluster().apply({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: storageClass },
    provisioner: 'example.com/none',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  const chart = writeChart(directory, 'claim', {
    'templates/all.yaml': `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, annotations: {helm.sh/resource-group: first}}
spec: {storageClassName: ${storageClass}, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: claimed
  annotations: {helm.sh/resource-group: second, helm.sh/depends-on/resource-groups: '["first"]'}
`,
  });
  const said = await tshelm.run(['install', 'claim', chart, ...ordered]);
  expect(said.stderr).toContain('PersistentVolumeClaim/data ready: ');
  expect(await admin.names('v1', 'ConfigMap')).toContain('claimed');
  await admin
    .cluster()
    .delete({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', namespace: '', name: storageClass });
});
