import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { check } from '../../../src/actions/check.ts';
import { openTestSandbox } from '../../cli/harness.ts';
import { writeFiles } from '../../unittest/files.ts';
import { chartOf } from '../harness.ts';

const webPod =
  'template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: "a:1", ports: [{name: http, containerPort: 80}]}]}}';
const deployment = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {selector: {matchLabels: {app: web}}, ${webPod}}\n`;
const service = (name: string, selector: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec: {selector: ${selector}, ports: [{port: 80}]}\n`;
const statefulSet = (more: string, spec = ''): string =>
  `apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec:\n  selector: {matchLabels: {app: db}}\n${more}  template:\n    metadata: {labels: {app: db}}\n    spec: {${spec}containers: [{name: a, image: "a:1"}]}\n`;
const claim =
  '  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]\n';
const volume = 'volumes: [{name: data, persistentVolumeClaim: {claimName: data}}], ';
const podMaker =
  'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\nrules: [{apiGroups: [""], resources: [pods], verbs: [create]}]\n';
const secretUser =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: user}\nspec: {containers: [{name: a, image: "a:1", envFrom: [{secretRef: {name: made}}]}]}\n';

async function codesOf(template: string): Promise<readonly string[]> {
  const chart = await chartOf({ 'templates/a.yaml': template });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  return findings.map(({ problem }) => problem.code);
}

const together = (...documents: readonly string[]): string => documents.join('---\n');

test.each<[string, string, readonly string[]]>([
  [
    'labels that controllers give',
    together(
      statefulSet(''),
      service('first', '{app: db, statefulset.kubernetes.io/pod-name: db-0}'),
      service('jobs', '{job-name: a}'),
    ),
    [],
  ],
  [
    'a label that is nearly that of pods, whoever may make others',
    together(deployment, podMaker, service('web', '{app: webs}')),
    ['no-pod-selected'],
  ],
  ['labels of pods that somebody may make', together(deployment, podMaker, service('web', '{app: runner}')), []],
  ['a claim that the StatefulSet makes for each pod', statefulSet(claim, volume), []],
  ['a claim that nobody makes', statefulSet('', volume), ['reference-outside']],
  ['a governing Service that is not there', statefulSet('  serviceName: databse\n'), []],
  [
    'one of nearly its name for other pods',
    together(deployment, service('database', '{app: web}'), statefulSet('  serviceName: databse\n')),
    [],
  ],
  [
    'one of nearly its name for its pods',
    together(service('database', '{app: db}'), statefulSet('  serviceName: databse\n')),
    ['reference-misspelt'],
  ],
  [
    'a Secret of a Certificate whose kind nobody knows',
    together(
      secretUser,
      'apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: a}\nspec: {secretName: made}\n',
    ),
    ['kind-not-checked'],
  ],
  [
    'a group that is nearly that of a built-in kind',
    'apiVersion: networking.k8.io/v1\nkind: IngressClass\nmetadata: {name: a}\nspec: {controller: a.b/c}\n',
    ['kind-unknown'],
  ],
  [
    'a group of its own',
    'apiVersion: networking.example.com/v1\nkind: IngressClass\nmetadata: {name: a}\nspec: {controller: a.b/c}\n',
    ['kind-not-checked'],
  ],
])('what is told of %s', async (_what, template, codes) => {
  expect(await codesOf(template)).toEqual(codes);
});

test('templates see a whole version of Kubernetes', async () => {
  const template =
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: \'a:{{ regexFind "^v[0-9]+[.][0-9]+[.][0-9]+$" .Capabilities.KubeVersion.Version }}\'}]}\n';
  expect(await codesOf(template)).toEqual([]);
});

const sandbox = openTestSandbox();
afterAll(() => sandbox.remove());

const job =
  'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, annotations: {helm.sh/hook: pre-install}}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}\n';
const secretMaker = podMaker.replace('pods', 'secrets');
const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a, namespace: other}\n';
const accountUser =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: user, namespace: default}\nspec: {serviceAccountName: a, containers: [{name: a, image: "a:1"}]}\n';

test.each<[string, string, string]>([
  ['a Secret that nobody makes', secretUser, 'object-missing'],
  ['one that a Job may make', together(secretUser, secretMaker, job), ''],
  ['an object of the release in another namespace', together(account, accountUser), 'reference-misspelt'],
])('what a cluster does not have: %s', async (_what, template, code) => {
  const folder = writeFiles({
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'templates/a.yaml': template,
  });
  const { stdout } = await sandbox.run('check', join(folder, 'shop'), '--cluster', '-o', 'json');
  const told = [...stdout.matchAll(/"code": ?"((?:object|reference)-[a-z]+)"/g)].map(([, one]) => one);
  expect([...new Set(told)].join()).toBe(code);
});
