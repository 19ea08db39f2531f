import { afterEach, beforeEach, expect, test } from 'vitest';
import { deployment, job, TestSandbox } from './support.ts';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(() => sandbox.sandbox.close());

const template = {
  metadata: { labels: { app: 'x' } },
  spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] },
};
const workload = (kind: string, spec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'x' },
  spec: { selector: { matchLabels: { app: 'x' } }, template, ...spec },
});
const jobOfRobot = { ...job('x'), spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } };
const missing = 'error looking up service account default/robot: serviceaccount "robot" not found';

async function failures(): Promise<string[]> {
  const { items } = (await sandbox.get(`${core}/events?fieldSelector=reason=FailedCreate`)).body;
  return items.map((event: { message: string }) => event.message.replace(/x-[\w-]*-?"/, 'x-"'));
}

test.each<[string, string, object, string]>([
  ['Deployment', `${apps}/deployments`, workload('Deployment'), `Error creating: pods "x-" is forbidden: ${missing}`],
  ['DaemonSet', `${apps}/daemonsets`, workload('DaemonSet'), `Error creating: pods "x-" is forbidden: ${missing}`],
  ['Job', '/apis/batch/v1/namespaces/default/jobs', jobOfRobot, `Error creating: pods "x-" is forbidden: ${missing}`],
  [
    'StatefulSet',
    `${apps}/statefulsets`,
    workload('StatefulSet', { serviceName: 'x' }),
    `Create Pod x-0 in StatefulSet x failed error: pods "x-" is forbidden: ${missing}`,
  ],
])(
  'a %s whose pods are refused says why, and tries again when the account is there',
  async (_kind, path, object, message) => {
    await sandbox.post(path, object);
    await sandbox.elapse(60_000);
    expect(await failures()).toEqual([message]);
    expect((await sandbox.get(`${core}/pods`)).body.items).toEqual([]);
    await sandbox.post(`${core}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
    });
    await sandbox.elapse(1000);
    expect((await sandbox.get(`${core}/pods`)).body.items).toHaveLength(1);
  },
);

test('a Deployment has the failure of its ReplicaSet as a condition, as long as it lasts', async () => {
  const failure = async () => {
    const { status } = (await sandbox.get(`${apps}/deployments/x`)).body;
    return status.conditions.find((condition: { type: string }) => condition.type === 'ReplicaFailure');
  };
  await sandbox.post(`${apps}/deployments`, workload('Deployment'));
  await sandbox.elapse(100);
  expect(await failure()).toMatchObject({
    status: 'True',
    reason: 'FailedCreate',
    message: expect.stringContaining(missing),
  });
  await sandbox.post(`${core}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot' },
  });
  await sandbox.elapse(1000);
  expect(await failure()).toBeUndefined();
});

test('a quota lets as many pods in as it has room for, and the next when one goes', async () => {
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: '2' } } };
  await sandbox.post(`${core}/resourcequotas`, quota);
  await sandbox.post(`${apps}/deployments`, deployment('web', { replicas: 3 }));
  await sandbox.elapse(1000);
  const pods = async () =>
    (await sandbox.get(`${core}/pods`)).body.items.map((pod: { metadata: { name: string } }) => pod.metadata.name);
  const [first, ...others] = await pods();
  expect(others).toHaveLength(1);
  await sandbox.delete(`${core}/pods/${first}`);
  await sandbox.elapse(1000);
  expect(await pods()).toHaveLength(2);
  expect(await pods()).not.toContain(first);
});

test('a container gets the defaults of a LimitRange', async () => {
  const limits = [{ type: 'Container', default: { cpu: '500m', memory: '1Gi' }, defaultRequest: { cpu: '200m' } }];
  await sandbox.post(`${core}/limitranges`, {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'l' },
    spec: { limits },
  });
  const { body } = await sandbox.post(`${core}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  // As kube-apiserver v1.36.3 answers.
  expect(body.spec.containers[0].resources).toEqual({
    limits: { cpu: '500m', memory: '1Gi' },
    requests: { cpu: '200m', memory: '1Gi' },
  });
  expect(body.status.qosClass).toBe('Burstable');
});
