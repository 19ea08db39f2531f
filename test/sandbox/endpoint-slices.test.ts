import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestSandbox } from './support.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(() => sandbox.sandbox.close());

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'sandbox.tshelm.dev/ready-after': '2s' } },
      spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ name: 'http', containerPort: 8080 }] }] },
    },
  },
};
const service = (name: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: { x: 'y' } },
  spec,
});
const ports = [
  { name: 'web', port: 80, targetPort: 'http' },
  { name: 'num', port: 81, targetPort: 9000 },
  { name: 'odd', port: 82, targetPort: 'nope' },
];

interface Slice {
  readonly metadata: { readonly labels: Readonly<Record<string, string>>; readonly ownerReferences: readonly object[] };
  readonly endpoints: readonly { readonly addresses: readonly string[]; readonly conditions: object }[] | null;
  readonly ports: readonly object[] | null;
}

async function slices(name: string): Promise<Slice[]> {
  const selector = `labelSelector=kubernetes.io%2Fservice-name%3D${name}`;
  const { body } = await sandbox.get(`/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?${selector}`);
  return (body as { items: Slice[] }).items;
}

/** Kubernetes v1.36.3 writes the same of these Services, in another order. */
test('a Service has its pods in an EndpointSlice, with the ports that they have', async () => {
  await sandbox.post('/api/v1/namespaces/default/services', service('web', { selector: { app: 'web' }, ports }));
  await sandbox.elapse(10);
  expect(await slices('web')).toMatchObject([{ endpoints: null, ports: null }]);
  await sandbox.post('/apis/apps/v1/namespaces/default/deployments', deployment);
  await sandbox.elapse(1_000);
  const starting = { ready: false, serving: false, terminating: false };
  expect((await slices('web'))[0]?.endpoints).toMatchObject([{ conditions: starting }, { conditions: starting }]);
  await sandbox.elapse(2_000);
  const running = { conditions: { ready: true, serving: true, terminating: false }, targetRef: { kind: 'Pod' } };
  expect(await slices('web')).toMatchObject([
    {
      metadata: {
        labels: {
          x: 'y',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
          'kubernetes.io/service-name': 'web',
        },
        ownerReferences: [{ kind: 'Service', name: 'web', controller: true }],
      },
      addressType: 'IPv4',
      endpoints: [running, running],
      ports: [
        { name: 'num', protocol: 'TCP', port: 9000 },
        { name: 'web', protocol: 'TCP', port: 8080 },
      ],
    },
  ]);
  await sandbox.delete('/api/v1/namespaces/default/services/web');
  await sandbox.elapse(100);
  expect(await slices('web')).toEqual([]);
});

test('a headless Service is marked, and one without a selector has none', async () => {
  const headless = service('headless', { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] });
  await sandbox.post('/api/v1/namespaces/default/services', headless);
  await sandbox.post('/api/v1/namespaces/default/services', service('own', { ports: [{ port: 80 }] }));
  await sandbox.elapse(10);
  expect((await slices('headless'))[0]?.metadata.labels).toHaveProperty('service.kubernetes.io/headless');
  expect(await slices('own')).toEqual([]);
});
