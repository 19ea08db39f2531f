import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { type Kubelet, openKubelet } from './support/kubelet.ts';
import { adminOf } from './support/namespaces.ts';
import { type Ran, tshelm } from './support/programs.ts';

// The API server of this control plane asks a kubelet of the test for logs, with the pods of a node of the test.

const directory = scratchDirectory();
const admin = adminOf('logs');
const node = { apiVersion: 'v1', kind: 'Node', namespace: '', name: `logs-${process.pid}` };

let kubelet: Kubelet;
beforeAll(async () => {
  kubelet = await openKubelet(directory, ({ pod, container, query }, response) => {
    const line = (text: string): string => `${new Date().toISOString()} ${text}\n`;
    // A program that is silent at first: until then the API server answers nothing at all.
    setTimeout(() => {
      response.write(line(`${container} of ${pod} begins with s3cretPa55w0rd`));
      if (query.get('follow') !== 'true' || pod.startsWith('seed')) response.end();
      else setTimeout(() => response.write(line('and goes on')), 200);
    }, 200);
  });
  const { apiVersion, kind, name } = node;
  const spec = { taints: [{ key: 'logs', effect: 'NoSchedule' }] };
  await admin.cluster().apply({ apiVersion, kind, metadata: { name }, spec });
  const isReady = async (): Promise<boolean> =>
    JSON.stringify(await admin.cluster().get(node)).includes('"reason":"KubeletReady"');
  while (!(await isReady())) await delay(50);
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } } };
  await admin.cluster().patch(node, 'merge', { status }, { subresource: 'status' });
});
afterAll(async () => {
  await admin.cluster().delete(node);
  kubelet.close();
});
/** What was asked before is of no interest. */
const forget = (): void => void (kubelet.asked as unknown[]).splice(0);
beforeEach(forget);

const pods = (labels: string): string =>
  `metadata: {labels: {${labels}, mark: "{{ .Values.mark }}"}}\n    spec: {nodeName: ${node.name}, tolerations: [{key: logs, operator: Exists}], containers: [{name: main, image: "main:1"}]`;
const chart = writeChart(directory, 'web', {
  'templates/all.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  minReadySeconds: 2
  selector: {matchLabels: {app: web}}
  template:
    ${pods('app: web')}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  minReadySeconds: 2
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    ${pods('app: db')}}
---
apiVersion: v1
kind: Secret
metadata: {name: keys}
stringData: {password: s3cretPa55w0rd}
`,
  'templates/hook.yaml': `apiVersion: batch/v1
kind: Job
metadata: {name: seed, annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: before-hook-creation}}
spec:
  template:
    ${pods('app: seed')}, restartPolicy: Never}
`,
});

const deploy = (mark: string, ...words: string[]): readonly string[] => [
  'upgrade',
  '--install',
  'web',
  chart,
  '-n',
  admin.namespace,
  '--set',
  `mark=${mark}`,
  '--wait',
  ...words,
];

async function deployed(words: readonly string[]): Promise<Ran> {
  const ran = await tshelm.run(words);
  expect(ran).toMatchObject({ code: 0 });
  return ran;
}

const linesIn = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (line.includes(' | ') ? [line.replace(/^ *[\d.]+s {2}/, '')] : []));

test('--logs shows the lines of the pods of this revision alone, as they are written', async () => {
  await deployed(deploy('1', '--logs'));
  const before = new Set(await admin.names('v1', 'Pod'));
  forget();
  const { stderr } = await deployed(deploy('2', '--logs'));
  const lines = linesIn(stderr);
  const [hook, ...others] = lines;
  expect(hook).toMatch(/^seed-\w+\/main \| main of seed-\w+ begins with \*\*\*$/);
  const now = await admin.names('v1', 'Pod', 'mark=2,app!=seed');
  expect(now.length).toBe(3);
  const expected = now.flatMap((pod) => [`${pod}/main | main of ${pod} begins with ***`, `${pod}/main | and goes on`]);
  expect([...others].sort()).toEqual(expected.sort());
  // The StatefulSet's pod has the name of the one before.
  const older = kubelet.asked.filter(({ pod }) => before.has(pod) && !pod.startsWith('db'));
  expect(older).toEqual([]);
  expect(kubelet.asked.filter(({ query }) => query.get('follow') === 'true').length).toBeGreaterThanOrEqual(3);
});

test('who may not read logs is told once, and deploys', async () => {
  const resources = ['deployments', 'statefulsets', 'replicasets', 'pods', 'secrets', 'jobs', 'leases', 'events'];
  await admin.grant('silent', [{ apiGroups: ['*'], resources, verbs: ['*'] }]);
  const { stderr } = await deployed([...deploy('3', '--logs'), '--kube-as-user', 'silent']);
  expect(linesIn(stderr)).toEqual([]);
  expect(stderr.match(/warning: the log of [\w-]+\/main cannot be read: .* is forbidden: User "silent"/g)?.length).toBe(
    1,
  );
  expect(kubelet.asked).toEqual([]);
});

test('tshelm logs reads what is there', async () => {
  await deployed(deploy('4'));
  const { stdout } = await deployed(['logs', 'web', '-n', admin.namespace, '-l', 'StatefulSet/db', '--tail', '5']);
  expect(stdout).toBe('db-0/main | main of db-0 begins with ***\n');
  const [asked] = kubelet.asked.slice(-1);
  expect(asked?.query.get('tailLines')).toBe('5');
});

test('a node that does not answer is told once, and the deploy goes on', async () => {
  kubelet.close();
  const { stderr } = await deployed(deploy('5', '--logs'));
  expect(stderr.match(/warning: the log of /g)?.length).toBe(1);
});
