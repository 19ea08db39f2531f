import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import type { Cluster } from '../../../src/cluster/types.ts';
import { waitUntilReady } from '../../../src/cluster/wait.ts';
import type { KubernetesObject, ResourceId } from '../../../src/manifest/types.ts';

const namespace = `access-${process.pid}`;
let admin: Cluster;

beforeAll(async () => {
  admin = await connect({ namespace });
  await admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
});
afterAll(async () => {
  await admin.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: namespace });
  admin.close();
});

/** A cluster as a user who may do only `verbs` with Deployments, of this name if one is given. */
async function limitedTo(
  user: string,
  verbs: readonly string[],
  resourceName?: string,
): Promise<{ cluster: Cluster; debug: string[] }> {
  const rules = [
    { apiGroups: ['apps'], resources: ['deployments'], verbs, ...(resourceName && { resourceNames: [resourceName] }) },
  ];
  await admin.apply({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: user }, rules });
  await admin.apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: user },
    subjects: [{ kind: 'User', name: user }],
  });
  const debug: string[] = [];
  return { cluster: await connect({ namespace, asUser: user, onDebug: (text) => debug.push(text) }), debug };
}

const deployment = (name: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations: { 'e2e.tshelm.dev/ready-after': '500ms' } },
      spec: { containers: [{ name: 'c', image: 'x' }] },
    },
  },
});
const id = (name: string): ResourceId => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name });

describe('with few rights', () => {
  test('without watch, the list is read again and again', async () => {
    const { cluster, debug } = await limitedTo('lister', ['get', 'list']);
    await admin.apply(deployment('listed'));
    await waitUntilReady(cluster, [id('listed')], { timeoutMs: 15_000 });
    expect(debug.join()).toContain('every 2 s');
    cluster.close();
  });

  test('without list, objects are read by name', async () => {
    const { cluster } = await limitedTo('reader', ['get'], 'read');
    await admin.apply(deployment('read'));
    await waitUntilReady(cluster, [id('read')], { timeoutMs: 15_000 });
    cluster.close();
  });

  test('a refusal has the server’s own words', async () => {
    const { cluster } = await limitedTo('nobody', ['get'], 'none');
    await expect(cluster.apply(deployment('refused'))).rejects.toMatchObject({
      code: 'api-error',
      message: `deployments.apps "refused" is forbidden: User "nobody" cannot patch resource "deployments" in API group "apps" in the namespace "${namespace}"`,
      failure: { status: 403, reason: 'Forbidden' },
    });
    cluster.close();
  });
});

test('a wrong token', async () => {
  const cluster = await connect({ token: 'wrong' });
  await expect(cluster.version()).rejects.toMatchObject({
    code: 'cluster-unreachable',
    message: 'kubernetes cluster unreachable: the server has asked for the client to provide credentials',
  });
  cluster.close();
});

test('a certificate that nobody vouches for', async () => {
  const { server } = await severable();
  const cluster = await connect({ apiServer: server.url, kubeconfig: '/dev/null' });
  await expect(cluster.version()).rejects.toThrow('tls: failed to verify certificate: x509:');
  cluster.close();
  server.close();
});

test('a watch outlives its connections and loses nothing', async () => {
  const { server, sever } = await severable();
  const cluster = await connect({ namespace, apiServer: server.url });
  const controller = new AbortController();
  const seen: string[] = [];
  const configMap = (name: string) =>
    admin.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { watched: 'yes' } } });
  for await (const event of cluster.watch('v1', 'ConfigMap', {
    namespace,
    labelSelector: 'watched=yes',
    signal: controller.signal,
  })) {
    seen.push(event.kind === 'synced' ? 'synced' : event.object.metadata.name);
    if (event.kind === 'synced') await configMap('one');
    else if (event.object.metadata.name === 'one') {
      sever();
      await configMap('two');
      await configMap('three');
    } else if (event.object.metadata.name === 'three') controller.abort();
  }
  expect(seen).toEqual(['synced', 'one', 'two', 'three']);
  cluster.close();
  server.close();
});

/** The API server behind a relay whose connections can be cut. */
async function severable(): Promise<{ server: { url: string; close: () => void }; sever: () => void }> {
  const target = new URL(await serverUrl());
  const sockets = new Set<Socket>();
  const relay = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const sever = (): void => sockets.forEach((socket) => socket.destroy());
  const url = `https://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  return {
    server: {
      url,
      close: () => {
        sever();
        relay.close();
      },
    },
    sever,
  };
}

async function serverUrl(): Promise<string> {
  const { findCluster } = await import('../../../src/cluster/kubeconfig.ts');
  return (await findCluster()).cluster.server;
}
