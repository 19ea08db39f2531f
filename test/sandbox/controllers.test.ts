import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deployment, job, pod, TestSandbox } from './support.ts';

let sandbox: TestSandbox;
const problems: string[] = [];
beforeEach(async () => {
  problems.length = 0;
  sandbox = await TestSandbox.open({ onProblem: (problem) => problems.push(problem) });
});
afterEach(async () => {
  await sandbox.sandbox.close();
  expect(problems).toEqual([]);
});

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const replicaSets = '/apis/apps/v1/namespaces/default/replicasets';
const sets = '/apis/apps/v1/namespaces/default/statefulsets';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const pods = '/api/v1/namespaces/default/pods';

// biome-ignore lint/suspicious/noExplicitAny: objects are read by path
type Anything = any;
const items = async (path: string): Promise<Anything[]> => (await sandbox.get(path)).body.items as Anything[];
const status = async (path: string): Promise<Anything> => (await sandbox.get(path)).body.status;
const condition = (from: Anything, type: string): Anything =>
  from.conditions?.find((each: Anything) => each.type === type);
const annotated = (words: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(words).map(([word, value]) => [`sandbox.tshelm.dev/${word}`, value]));

describe('Deployments', () => {
  test('become available 0.3 seconds after they are created', async () => {
    await sandbox.post(deployments, deployment('web', { replicas: 2 }));
    await sandbox.elapse(250);
    expect(await status(`${deployments}/web`)).toMatchObject({
      replicas: 2,
      updatedReplicas: 2,
      unavailableReplicas: 2,
    });
    await sandbox.elapse(50);
    const now = await status(`${deployments}/web`);
    expect(now).toMatchObject({ observedGeneration: 1, replicas: 2, readyReplicas: 2, availableReplicas: 2 });
    expect(condition(now, 'Available')).toMatchObject({ status: 'True', reason: 'MinimumReplicasAvailable' });
    expect(condition(now, 'Progressing')).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' });
  });

  test('ready-after delays them, with either prefix', async () => {
    await sandbox.post(deployments, deployment('slow', { annotations: { 'e2e.tshelm.dev/ready-after': '5s' } }));
    await sandbox.elapse(4900);
    expect((await status(`${deployments}/slow`)).readyReplicas).toBeUndefined();
    expect((await items(pods))[0].status).toMatchObject({ phase: 'Running' });
    await sandbox.elapse(200);
    expect((await status(`${deployments}/slow`)).readyReplicas).toBe(1);
  });

  test('a new template rolls over, never below the least or above the most', async () => {
    await sandbox.post(deployments, deployment('web', { replicas: 4 }));
    await sandbox.elapse(500);
    await sandbox.merge(`${deployments}/web`, { spec: { template: { metadata: { labels: { v: '2' } } } } });
    const seen: number[][] = [];
    for (let step = 0; step < 30; step++) {
      await sandbox.elapse(60);
      const alive = (await items(pods)).filter((each) => each.metadata.deletionTimestamp === undefined);
      const ready = alive.filter((each) => condition(each.status, 'Ready')?.status === 'True');
      seen.push([alive.length, ready.length]);
    }
    expect(Math.max(...seen.map(([alive]) => alive as number))).toBe(5);
    expect(Math.min(...seen.map(([, ready]) => ready as number))).toBe(3);
    expect(await status(`${deployments}/web`)).toMatchObject({
      observedGeneration: 2,
      replicas: 4,
      updatedReplicas: 4,
      availableReplicas: 4,
    });
    expect((await items(replicaSets)).map((set) => String(set.spec.replicas)).sort()).toEqual(['0', '4']);
  });

  test('Recreate waits until the old pods are gone', async () => {
    await sandbox.post(
      deployments,
      deployment('web', { spec: { strategy: { type: 'Recreate' } }, annotations: annotated({ 'delete-after': '2s' }) }),
    );
    await sandbox.elapse(500);
    await sandbox.merge(`${deployments}/web`, { spec: { template: { metadata: { labels: { v: '2' } } } } });
    await sandbox.elapse(1500);
    expect((await items(pods)).map((each) => each.metadata.deletionTimestamp !== undefined)).toEqual([true]);
    await sandbox.elapse(1500);
    expect(await status(`${deployments}/web`)).toMatchObject({ updatedReplicas: 1, availableReplicas: 1 });
  });

  test('past progressDeadlineSeconds they say so', async () => {
    await sandbox.post(
      deployments,
      deployment('web', { annotations: annotated({ fate: 'hang' }), spec: { progressDeadlineSeconds: 30 } }),
    );
    await sandbox.elapse(29_000);
    expect(condition(await status(`${deployments}/web`), 'Progressing').status).toBe('True');
    await sandbox.elapse(5000);
    expect(condition(await status(`${deployments}/web`), 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
    });
  });

  test('going back to an old template takes its ReplicaSet again, under a new revision', async () => {
    await sandbox.post(deployments, deployment('web'));
    await sandbox.elapse(500);
    const first = (await items(replicaSets))[0].metadata.name;
    await sandbox.merge(`${deployments}/web`, { spec: { template: { metadata: { labels: { v: '2' } } } } });
    await sandbox.elapse(1000);
    await sandbox.merge(`${deployments}/web`, { spec: { template: { metadata: { labels: { v: null } } } } });
    await sandbox.elapse(1000);
    const live = (await items(replicaSets)).filter((set) => set.spec.replicas > 0);
    expect(
      live.map((set) => [set.metadata.name, set.metadata.annotations['deployment.kubernetes.io/revision']]),
    ).toEqual([[first, '3']]);
  });
});

describe('the fates of a pod', () => {
  test.each([
    ['image-pull', 'Pending', { waiting: { reason: 'ImagePullBackOff' } }, 'BackOff'],
    ['crash-loop', 'Running', { waiting: { reason: 'CrashLoopBackOff' } }, 'BackOff'],
    ['oom', 'Running', { waiting: { reason: 'CrashLoopBackOff' } }, 'BackOff'],
    ['config-error', 'Pending', { waiting: { reason: 'CreateContainerConfigError' } }, 'Failed'],
    ['probe-fail', 'Running', { running: {} }, 'Unhealthy'],
    ['hang', 'Pending', { waiting: { reason: 'ContainerCreating' } }, 'Scheduled'],
    ['complete', 'Succeeded', { terminated: { exitCode: 0, reason: 'Completed' } }, 'Started'],
  ])('%s', async (fate, phase, state, reason) => {
    await sandbox.post(pods, pod('p', annotated({ fate })));
    await sandbox.elapse(3000);
    const now = await status(`${pods}/p`);
    expect(now.phase).toBe(phase);
    expect(now.containerStatuses[0].state).toMatchObject(state);
    const events = await items('/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dp');
    expect(events.map((event) => event.reason)).toContain(reason);
  });

  test('a crashing container tells how it ended, and how often', async () => {
    await sandbox.post(pods, pod('p', annotated({ fate: 'oom' })));
    await sandbox.elapse(3000);
    expect((await status(`${pods}/p`)).containerStatuses[0]).toMatchObject({
      restartCount: 3,
      lastState: { terminated: { reason: 'OOMKilled', exitCode: 137 } },
    });
  });

  test.each([
    ['Always', 'Running'],
    ['OnFailure', 'Succeeded'],
    ['Never', 'Succeeded'],
  ])('a pod by itself with restartPolicy %s is %s', async (restartPolicy, phase) => {
    await sandbox.post(pods, pod('p', undefined, { restartPolicy }));
    await sandbox.elapse(1000);
    expect((await status(`${pods}/p`)).phase).toBe(phase);
  });

  test('unschedulable stays without a node', async () => {
    await sandbox.post(pods, pod('p', annotated({ fate: 'unschedulable' })));
    await sandbox.elapse(3000);
    const { spec, status: now } = (await sandbox.get(`${pods}/p`)).body;
    expect(spec.nodeName).toBeUndefined();
    expect(condition(now, 'PodScheduled')).toMatchObject({ status: 'False', reason: 'Unschedulable' });
    expect((await items('/api/v1/namespaces/default/events')).map((event) => event.reason)).toContain(
      'FailedScheduling',
    );
  });

  test('init-fail stops at the init container', async () => {
    await sandbox.post(
      pods,
      pod('p', annotated({ fate: 'init-fail' }), { initContainers: [{ name: 'first', image: 'i:1' }] }),
    );
    await sandbox.elapse(3000);
    const now = await status(`${pods}/p`);
    expect(now.initContainerStatuses[0].state.waiting.reason).toBe('CrashLoopBackOff');
    expect(now.containerStatuses[0].state.waiting.reason).toBe('PodInitializing');
  });

  test.each([
    ['image-pull', 0],
    ['hang', 0],
    ['unschedulable', 0],
    ['config-error', 0],
    ['crash-loop', 3],
  ])('%s holds until it is said to end', async (fate, restarts) => {
    await sandbox.post(pods, pod('p', annotated({ fate, 'fate-until': '5s' })));
    await sandbox.elapse(4900);
    expect(condition(await status(`${pods}/p`), 'Ready')?.status).not.toBe('True');
    await sandbox.elapse(1000);
    const now = await status(`${pods}/p`);
    expect(condition(now, 'Ready').status).toBe('True');
    expect(now.containerStatuses[0].restartCount).toBe(restarts);
  });

  test('config-error names the key that is missing', async () => {
    await sandbox.post('/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { there: 'x' },
    });
    const variable = (key: string) => ({ name: key, valueFrom: { configMapKeyRef: { name: 'settings', key } } });
    const containers = [{ name: 'web', image: 'i:1', env: [variable('there'), variable('absent')] }];
    await sandbox.post(pods, pod('p', annotated({ fate: 'config-error' }), { containers }));
    await sandbox.elapse(1000);
    expect((await status(`${pods}/p`)).containerStatuses[0].state.waiting.message).toBe(
      "couldn't find key absent in ConfigMap default/settings",
    );
  });

  test('the log has the lines of the annotation', async () => {
    await sandbox.post(pods, pod('p', annotated({ log: 'one\ntwo', fate: 'fail' }), { restartPolicy: 'Never' }));
    await sandbox.elapse(1000);
    expect((await sandbox.get(`${pods}/p/log`)).body).toBe('one\ntwo\n');
    expect((await sandbox.get(`${pods}/p/log?tailLines=2`)).body).toBe('one\ntwo\n');
  });
});

describe('Jobs', () => {
  test('complete as Kubernetes 1.36 says it', async () => {
    await sandbox.post(jobs, job('j'));
    await sandbox.elapse(1000);
    const now = await status(`${jobs}/j`);
    expect(now).toMatchObject({ succeeded: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(now.conditions.map((each: Anything) => [each.type, each.status, each.reason])).toEqual([
      ['SuccessCriteriaMet', 'True', 'CompletionsReached'],
      ['Complete', 'True', 'CompletionsReached'],
    ]);
  });

  test('run as many pods as completions, as many at once as parallelism', async () => {
    await sandbox.post(jobs, job('j', undefined, { completions: 5, parallelism: 2 }));
    await sandbox.elapse(50);
    expect((await status(`${jobs}/j`)).active).toBe(2);
    await sandbox.elapse(3000);
    expect(await status(`${jobs}/j`)).toMatchObject({ succeeded: 5 });
    expect(await items(pods)).toHaveLength(5);
  });

  test('fail when backoffLimit is reached', async () => {
    await sandbox.post(jobs, job('j', annotated({ fate: 'fail' }), { backoffLimit: 1 }));
    await sandbox.elapse(10_000);
    const now = await status(`${jobs}/j`);
    expect(now.failed).toBe(2);
    expect(now.conditions.map((each: Anything) => [each.type, each.reason])).toEqual([
      ['FailureTarget', 'BackoffLimitExceeded'],
      ['Failed', 'BackoffLimitExceeded'],
    ]);
  });

  test('fail-times fails so often and then succeeds', async () => {
    await sandbox.post(jobs, job('j', annotated({ 'fail-times': '2' })));
    await sandbox.elapse(10_000);
    expect(await status(`${jobs}/j`)).toMatchObject({ failed: 2, succeeded: 1 });
    expect(condition(await status(`${jobs}/j`), 'Complete').status).toBe('True');
  });

  test('end at activeDeadlineSeconds', async () => {
    await sandbox.post(jobs, job('j', annotated({ fate: 'hang' }), { activeDeadlineSeconds: 5 }));
    await sandbox.elapse(6000);
    expect(condition(await status(`${jobs}/j`), 'Failed')).toMatchObject({ reason: 'DeadlineExceeded' });
    expect(await items(pods)).toEqual([]);
  });

  test('are deleted with their pods after ttlSecondsAfterFinished', async () => {
    await sandbox.post(jobs, job('j', undefined, { ttlSecondsAfterFinished: 10 }));
    await sandbox.elapse(9000);
    expect((await sandbox.get(`${jobs}/j`)).code).toBe(200);
    await sandbox.elapse(5000);
    expect((await sandbox.get(`${jobs}/j`)).code).toBe(404);
    expect(await items(pods)).toEqual([]);
  });

  test('suspended ones wait', async () => {
    await sandbox.post(jobs, job('j', undefined, { suspend: true }));
    await sandbox.elapse(1000);
    expect(condition(await status(`${jobs}/j`), 'Suspended').status).toBe('True');
    await sandbox.merge(`${jobs}/j`, { spec: { suspend: false } });
    await sandbox.elapse(1000);
    expect((await status(`${jobs}/j`)).succeeded).toBe(1);
  });
});

const statefulSet = (replicas: number, spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: {
    replicas,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'db:1' }] } },
    ...spec,
  },
});

describe('StatefulSets', () => {
  test('start their pods one after another, with their claims', async () => {
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await sandbox.post(sets, statefulSet(3, { volumeClaimTemplates: [claim] }));
    await sandbox.elapse(350);
    expect((await items(pods)).map((each) => each.metadata.name)).toEqual(['db-0', 'db-1']);
    await sandbox.elapse(1000);
    expect(await status(`${sets}/db`)).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
    });
    const claims = await items('/api/v1/namespaces/default/persistentvolumeclaims');
    expect(claims.map((each) => [each.metadata.name, each.status.phase])).toEqual([
      ['data-db-0', 'Bound'],
      ['data-db-1', 'Bound'],
      ['data-db-2', 'Bound'],
    ]);
  });

  test('update from the last pod down, as far as the partition', async () => {
    await sandbox.post(sets, statefulSet(3, { updateStrategy: { rollingUpdate: { partition: 1 } } }));
    await sandbox.elapse(2000);
    await sandbox.merge(`${sets}/db`, { spec: { template: { metadata: { labels: { v: '2' } } } } });
    await sandbox.elapse(3000);
    expect((await items(pods)).map((each) => each.metadata.labels.v)).toEqual([undefined, '2', '2']);
    expect(await status(`${sets}/db`)).toMatchObject({ updatedReplicas: 2, currentReplicas: 1 });
    await sandbox.merge(`${sets}/db`, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
    await sandbox.elapse(3000);
    const now = await status(`${sets}/db`);
    expect(now.currentRevision).toBe(now.updateRevision);
    expect(now).toMatchObject({ updatedReplicas: 3, readyReplicas: 3 });
  });

  test('scale down from the last pod', async () => {
    await sandbox.post(sets, statefulSet(3));
    await sandbox.elapse(2000);
    await sandbox.merge(`${sets}/db`, { spec: { replicas: 1 } });
    await sandbox.elapse(1000);
    expect((await items(pods)).map((each) => each.metadata.name)).toEqual(['db-0']);
  });
});

test('a DaemonSet runs one pod on the node, unless its node selector says otherwise', async () => {
  const path = '/apis/apps/v1/namespaces/default/daemonsets';
  const daemon = (name: string, nodeSelector: object): object => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { nodeSelector, containers: [{ name: 'c', image: 'c:1' }] },
      },
    },
  });
  await sandbox.post(path, daemon('here', { 'kubernetes.io/os': 'linux' }));
  await sandbox.post(path, daemon('nowhere', { 'kubernetes.io/os': 'windows' }));
  await sandbox.elapse(1000);
  expect(await status(`${path}/here`)).toMatchObject({ desiredNumberScheduled: 1, numberReady: 1, numberAvailable: 1 });
  expect(await status(`${path}/nowhere`)).toMatchObject({ desiredNumberScheduled: 0, numberReady: 0 });
});

test('a LoadBalancer gets an address, a PodDisruptionBudget its counts', async () => {
  await sandbox.post(deployments, deployment('web', { replicas: 3 }));
  await sandbox.post('/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  });
  await sandbox.post('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
  });
  await sandbox.elapse(1000);
  const service = await status('/api/v1/namespaces/default/services/web');
  expect(service.loadBalancer.ingress[0].ip).toMatch(/^198\.18\./);
  const budget = await status('/apis/policy/v1/namespaces/default/poddisruptionbudgets/web');
  expect(budget).toMatchObject({ expectedPods: 3, currentHealthy: 3, desiredHealthy: 2, disruptionsAllowed: 1 });
});

test('settle resolves when nothing is left to do', async () => {
  await sandbox.post(deployments, deployment('web'));
  let settled = false;
  const settling = sandbox.sandbox.settle().then(() => {
    settled = true;
  });
  await sandbox.elapse(200);
  expect(settled).toBe(false);
  await sandbox.elapse(200);
  await settling;
  expect((await status(`${deployments}/web`)).availableReplicas).toBe(1);
});
