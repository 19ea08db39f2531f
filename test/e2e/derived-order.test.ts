import { expect, test } from 'vitest';
import { auditOf, type Write } from './support/audit.ts';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, tshelm } from './support/programs.ts';

// Edges that are certain, of a chart that declares none, with the API server's audit log as the witness.
const admin = adminOf('derived-order');
const audit = auditOf(admin);
const inNamespace = ['-n', admin.namespace, '--timeout', '60s'];

const deployment = (name: string, readyAfter: string, volumes: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}, annotations: {e2e.tshelm.dev/ready-after: ${readyAfter}}}
    spec: {volumes: [${volumes}], containers: [{name: main, image: example.com/main:1}]}
`;
const chart = writeChart(scratchDirectory(), 'needy', {
  'Chart.yaml': 'apiVersion: v2\nname: needy\nversion: 1.0.0\n',
  'templates/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: z-config}\n',
  'templates/needy.yaml': deployment('needy', '1s', '{name: v, configMap: {name: z-config}}'),
  'templates/slow.yaml': deployment('slow', '6s', ''),
  'templates/scaler.yaml':
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: scaler}\nspec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: needy}}\n',
});

const config = 'configmaps/z-config';
const needy = 'deployments.apps/needy';
const scaler = 'horizontalpodautoscalers.autoscaling/scaler';

const sentBy = ({ userAgent }: Write): boolean => userAgent === 'tshelm';

test('an object waits for those that it needs and for no others; rollback and uninstall follow', async () => {
  audit.begin();
  await ok(tshelm, ['install', 'rel', chart, '--wait=auto', ...inNamespace]);
  const writes = await audit.writes();
  const firstOf = (object: string): Write | undefined => writes.find((one) => one.object === object && sentBy(one));
  const availableAt = (wanted: string): number =>
    writes.find(
      ({ object, conditions }) => object === `deployments.apps/status/${wanted}` && conditions.includes('Available'),
    )?.at ?? Number.NaN;
  expect(firstOf(config)?.answered).toBeLessThan(firstOf(needy)?.at ?? 0);
  expect(availableAt('needy')).toBeLessThan(firstOf(scaler)?.at ?? 0);
  // No barrier: what does not need it has not waited for it.
  expect(firstOf(scaler)?.at).toBeLessThan(availableAt('slow'));

  // Helm drops what a record says of the order, but for the annotation that it was derived.
  await ok(helm, ['upgrade', 'rel', chart, ...inNamespace]);
  await ok(tshelm, ['rollback', 'rel', '1', ...inNamespace]);
  audit.begin();
  await ok(tshelm, ['uninstall', 'rel', ...inNamespace]);
  const deleted = (await audit.writes((one) => one.verb === 'delete' && sentBy(one))).map(({ object }) => object);
  expect(deleted.filter((object) => [config, needy, scaler].includes(object))).toEqual([scaler, needy, config]);
});
