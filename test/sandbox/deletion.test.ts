import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMap, deployment, job, pod, TestSandbox } from './support.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(() => sandbox.sandbox.close());

const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const code = async (path: string): Promise<number> => (await sandbox.get(path)).code;
const count = async (path: string): Promise<number> => (await sandbox.get(path)).body.items.length as number;

describe('what belongs to a deleted object', () => {
  beforeEach(async () => {
    await sandbox.post(deployments, deployment('web'));
    await sandbox.elapse(500);
  });

  test('goes after it by default', async () => {
    expect((await sandbox.delete(`${deployments}/web`)).body).toMatchObject({ kind: 'Status', status: 'Success' });
    expect(await code(`${deployments}/web`)).toBe(404);
    await sandbox.elapse(500);
    expect(await count('/apis/apps/v1/replicasets')).toBe(0);
    expect(await count(pods)).toBe(0);
  });

  test('goes before it in the foreground', async () => {
    const answer = await sandbox.delete(`${deployments}/web`, { propagationPolicy: 'Foreground' });
    expect(answer.body.metadata.finalizers).toEqual(['foregroundDeletion']);
    await sandbox.elapse(5);
    expect([await code(`${deployments}/web`), await count(pods)]).toEqual([200, 1]);
    await sandbox.elapse(500);
    expect([await code(`${deployments}/web`), await count(pods)]).toEqual([404, 0]);
  });

  test('stays as an orphan', async () => {
    await sandbox.delete(`${deployments}/web`, { propagationPolicy: 'Orphan' });
    await sandbox.elapse(500);
    expect(await code(`${deployments}/web`)).toBe(404);
    const [set] = (await sandbox.get('/apis/apps/v1/replicasets')).body.items;
    expect(set.metadata.ownerReferences).toBeUndefined();
    expect(await count(pods)).toBe(1);
  });
});

test('the pods of a Job stay by default, with a warning', async () => {
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  await sandbox.post(jobs, job('j'));
  await sandbox.elapse(1000);
  const { warnings } = await sandbox.delete(`${jobs}/j`);
  expect(warnings).toContain('child pods are preserved by default when jobs are deleted');
  await sandbox.elapse(500);
  expect([await code(`${jobs}/j`), await count(pods)]).toEqual([404, 1]);
});

test('an object with a finalizer stays until the finalizer is taken off', async () => {
  await sandbox.post(maps, configMap('a', {}, { finalizers: ['example.com/hold'] }));
  const { body } = await sandbox.delete(`${maps}/a`);
  expect(body.metadata.deletionTimestamp).toBe('2026-01-02T03:04:05Z');
  expect(await code(`${maps}/a`)).toBe(200);
  await sandbox.merge(`${maps}/a`, { metadata: { finalizers: null } });
  expect(await code(`${maps}/a`)).toBe(404);
});

test('delete-after keeps a pod Terminating', async () => {
  await sandbox.post(pods, pod('p', { 'e2e.tshelm.dev/delete-after': '3s' }));
  await sandbox.elapse(500);
  await sandbox.delete(`${pods}/p`);
  await sandbox.elapse(2900);
  expect((await sandbox.get(`${pods}/p`)).body.metadata.deletionTimestamp).toBeDefined();
  await sandbox.elapse(200);
  expect(await code(`${pods}/p`)).toBe(404);
});

test('a namespace is Terminating until all in it is gone, and takes nothing new', async () => {
  await sandbox.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
  await sandbox.post('/api/v1/namespaces/n/configmaps', configMap('held', {}, { finalizers: ['example.com/hold'] }));
  await sandbox.post('/api/v1/namespaces/n/pods', pod('p'));
  await sandbox.elapse(500);
  expect((await sandbox.delete('/api/v1/namespaces/n')).body.status.phase).toBe('Terminating');
  await sandbox.elapse(500);
  expect(await count('/api/v1/namespaces/n/pods')).toBe(0);
  const refused = await sandbox.post('/api/v1/namespaces/n/configmaps', configMap('new'));
  expect(refused.body).toMatchObject({
    code: 403,
    message:
      'configmaps "new" is forbidden: unable to create new content in namespace n because it is being terminated',
  });
  await sandbox.merge('/api/v1/namespaces/n/configmaps/held', { metadata: { finalizers: null } });
  await sandbox.elapse(100);
  expect(await code('/api/v1/namespaces/n')).toBe(404);
});

test('a collection is deleted by selector', async () => {
  await sandbox.post(maps, configMap('a', {}, { labels: { on: 'yes' } }));
  await sandbox.post(maps, configMap('b', {}, { labels: { on: 'no' } }));
  await sandbox.delete(`${maps}?labelSelector=on%3Dyes`);
  expect([await code(`${maps}/a`), await code(`${maps}/b`)]).toEqual([404, 200]);
});

test('a CustomResourceDefinition takes its objects along, and its kind is no longer served', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await sandbox.post(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'toys.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'toys', kind: 'Toy' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
  await sandbox.elapse(10);
  const toys = '/apis/example.com/v1/namespaces/default/toys';
  const announced = {
    annotations: { 'sandbox.tshelm.dev/status': '{"ready":true}', 'sandbox.tshelm.dev/ready-after': '2s' },
  };
  await sandbox.post(toys, { apiVersion: 'example.com/v1', kind: 'Toy', metadata: { name: 't', ...announced } });
  await sandbox.elapse(1900);
  expect((await sandbox.get(`${toys}/t`)).body.status).toBeUndefined();
  await sandbox.elapse(200);
  expect((await sandbox.get(`${toys}/t`)).body.status).toEqual({ observedGeneration: 1, ready: true });
  await sandbox.delete(`${definitions}/toys.example.com`);
  await sandbox.elapse(100);
  expect([await code(`${definitions}/toys.example.com`), await code(`${toys}/t`)]).toEqual([404, 404]);
  expect((await sandbox.get('/apis')).body.groups.map((group: { name: string }) => group.name)).not.toContain(
    'example.com',
  );
});
