import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestSandbox } from './support.ts';

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

const core = '/api/v1/namespaces/default';
const crashing = { 'sandbox.tshelm.dev/fate': 'crash-until-ready' };
const readyAfter = (time: string) => ({ 'sandbox.tshelm.dev/ready-after': time });

const pod = (name: string, annotations: object, spec: object = {}) =>
  sandbox.post(`${core}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name }, annotations },
    spec: { containers: [{ name: 'main', image: 'i:1' }], ...spec },
  });
const service = (name: string, more: object = {}) =>
  sandbox.post(`${core}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 5432 }], ...more },
  });
const naming = (host: string) => ({ containers: [{ name: 'main', image: 'i:1', env: [{ name: 'DB', value: host }] }] });

async function stateOf(name: string): Promise<string> {
  const { status } = (await sandbox.get(`${core}/pods/${name}`)).body;
  const [{ restartCount, state, ready }] = status.containerStatuses;
  return `${restartCount} ${ready ? 'ready' : (state.waiting?.reason ?? Object.keys(state)[0])}`;
}

test('containers crash until the host answers, with the back-off of a kubelet', async () => {
  await service('db');
  await pod('web', crashing, naming('postgres://db:5432'));
  const seen: string[] = [];
  // A second of running, at once the next, then 10 and 20 seconds of back-off.
  for (const ms of [900, 800, 1000, 10_000, 1000, 19_900]) {
    await sandbox.elapse(ms);
    seen.push(await stateOf('web'));
  }
  expect(seen).toEqual([
    '0 running',
    '1 running',
    '1 CrashLoopBackOff',
    '2 running',
    '2 CrashLoopBackOff',
    '3 running',
  ]);
  await pod('db', {});
  await sandbox.elapse(2000);
  expect(await stateOf('web')).toBe('3 ready');
});

test('a host that answers in time costs no restart', async () => {
  await service('db');
  await pod('db', readyAfter('500ms'));
  await pod('web', crashing, naming('db:5432'));
  await sandbox.elapse(1500);
  expect(await stateOf('web')).toBe('0 ready');
});

test.each([
  ['a file that it mounts', { volumes: [{ name: 'v', configMap: { name: 'settings' } }] }],
  [
    'a key that a variable is made of',
    {
      containers: [
        {
          name: 'main',
          image: 'i:1',
          env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'settings', key: 'app.ini' } } }],
        },
      ],
    },
  ],
  ['an argument', { containers: [{ name: 'main', image: 'i:1', args: ['--db=//db/'] }] }],
])('a host counts in %s', async (_where, spec) => {
  await sandbox.post(`${core}/configmaps`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings' },
    data: { 'app.ini': 'host = db\n' },
  });
  await service('db');
  await pod('web', crashing, spec);
  await sandbox.elapse(3000);
  expect(await stateOf('web')).toBe('1 CrashLoopBackOff');
});

test('addresses that are published before they are ready do not answer', async () => {
  await service('db', { clusterIP: 'None', publishNotReadyAddresses: true });
  await pod('db', readyAfter('1h'));
  await pod('web', crashing, naming('db:5432'));
  await sandbox.elapse(3000);
  expect(await stateOf('web')).toBe('1 CrashLoopBackOff');
});

test('an init container waits for the hosts that it names', async () => {
  await service('db');
  const initContainers = [
    { name: 'wait', image: 'i:1', command: ['sh', '-c', 'until nc -z db 5432; do sleep 1; done'] },
  ];
  await pod('web', crashing, { initContainers, ...naming('db:5432') });
  await sandbox.elapse(10_000);
  expect(await stateOf('web')).toBe('0 PodInitializing');
  await pod('db', {});
  await sandbox.elapse(4000);
  expect(await stateOf('web')).toBe('0 ready');
});

test('of those that name each other none waits, nor does one for itself', async () => {
  for (const name of ['a', 'b', 'c']) await service(name);
  await pod('a', crashing, naming('b:5432'));
  await pod('b', crashing, naming('c:5432'));
  await pod('c', crashing, naming('a:5432 c:5432'));
  await sandbox.elapse(1500);
  for (const name of ['a', 'b', 'c']) expect(await stateOf(name)).toBe('0 ready');
});

test('containers crash until a Job is complete that they come after; one that is gone has been', async () => {
  const after = (jobs: string) => ({ ...crashing, 'sandbox.tshelm.dev/after-jobs': jobs });
  await sandbox.post('/apis/batch/v1/namespaces/default/jobs', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', annotations: readyAfter('5s') },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'i:1' }] } } },
  });
  await pod('web', after('migrate'));
  await pod('worker', after('gone'));
  await sandbox.elapse(3000);
  expect(await stateOf('web')).toBe('1 CrashLoopBackOff');
  expect(await stateOf('worker')).toBe('0 ready');
  await sandbox.elapse(12_000);
  expect(await stateOf('web')).toBe('2 ready');
});

test('a pod that nothing restarts fails, and its Job tries again', async () => {
  await service('db');
  await sandbox.post('/apis/batch/v1/namespaces/default/jobs', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', annotations: { ...crashing, 'sandbox.tshelm.dev/retry-after': '10s' } },
    spec: { template: { spec: { restartPolicy: 'Never', ...naming('db:5432') } } },
  });
  await sandbox.elapse(5000);
  await pod('db', {});
  await sandbox.elapse(20_000);
  const { status } = (await sandbox.get('/apis/batch/v1/namespaces/default/jobs/migrate')).body;
  expect(status).toMatchObject({ failed: 1, succeeded: 1 });
});
