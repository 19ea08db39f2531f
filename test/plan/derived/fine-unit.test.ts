import { expect, test } from 'vitest';
import { manifestsOf } from '../../../src/plan/arrange.ts';
import { readSequencing, sequencingOf } from '../../../src/plan/sequencing.ts';
import type { Unit } from '../../../src/plan/types.ts';
import { arranged } from '../charts.ts';

type Files = Readonly<Record<string, string>>;

const chartFile: Files = { 'Chart.yaml': 'name: shop' };
const object = (apiVersion: string, kind: string, name: string, more = '', metadata = ''): string =>
  `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}${metadata}}\n${more}`;
const pods = (kind: string, name: string, spec: string, metadata = ''): string =>
  object(
    kind === 'Job' ? 'batch/v1' : 'apps/v1',
    kind,
    name,
    `spec: {template: {metadata: {labels: {app: ${name}}}, spec: ${spec}}}\n`,
    metadata,
  );
const mounts = (name: string): string => `{volumes: [{name: a, configMap: {name: ${name}}}]}`;
const configMap = (name: string, metadata = ''): string => object('v1', 'ConfigMap', name, '', metadata);

/** Each object with what it waits for and why. */
const waits = (unit: Unit): readonly string[] =>
  unit.batches.flatMap(({ nodes }) =>
    nodes.flatMap((node) => (node.because.length === 0 ? [] : [`${nameOf(node)} <- ${node.because.join(', ')}`])),
  );
const nameOf = (node: Unit['batches'][number]['nodes'][number]): string =>
  node.kind === 'unit' ? node.unit.name : node.name;

const derived = (files: Files) => arranged({ ...chartFile, ...files }, '{}', { derives: true });

test.each<readonly [string, string, readonly string[]]>([
  [
    'what pods mount and read, but not what is optional or outside of the release',
    configMap('a') +
      configMap('b') +
      object('v1', 'Secret', 's') +
      pods(
        'Deployment',
        'web',
        '{volumes: [{name: a, configMap: {name: a}}, {name: x, configMap: {name: outside}}], containers: [{envFrom: [{configMapRef: {name: b, optional: true}}], env: [{valueFrom: {secretKeyRef: {name: s, key: k}}}]}]}',
      ),
    ['Deployment/web <- ConfigMap/a (derived: mounts ConfigMap a), Secret/s (derived: reads Secret s)'],
  ],
  [
    'the rights of the account of a pod',
    object('v1', 'ServiceAccount', 'a') +
      object('rbac.authorization.k8s.io/v1', 'Role', 'r') +
      object(
        'rbac.authorization.k8s.io/v1',
        'RoleBinding',
        'b',
        'roleRef: {kind: Role, name: r}\nsubjects: [{kind: ServiceAccount, name: a, namespace: default}]\n',
      ) +
      pods('Deployment', 'web', '{serviceAccountName: a}'),
    [
      'RoleBinding/b <- Role/r (derived: names Role r), ServiceAccount/a (derived: names ServiceAccount a)',
      'Deployment/web <- ServiceAccount/a (derived: runs as ServiceAccount a), RoleBinding/b (derived: has the rights of RoleBinding b)',
    ],
  ],
  [
    'a custom resource, its definition and its namespace',
    object(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      'crons.example.com',
      'spec: {group: example.com, names: {kind: Cron}}\n',
    ) +
      object('v1', 'Namespace', 'space') +
      object('example.com/v1', 'Cron', 'c', '', ', namespace: space'),
    [
      'Cron/c <- Namespace/space (derived: lives in Namespace space), CustomResourceDefinition/crons.example.com (derived: is defined by CustomResourceDefinition crons.example.com)',
    ],
  ],
  [
    'what answers the API server',
    object('v1', 'Service', 'hook', 'spec: {selector: {app: web}}\n') +
      pods('Deployment', 'web', '{}') +
      object(
        'admissionregistration.k8s.io/v1',
        'ValidatingWebhookConfiguration',
        'v',
        'webhooks: [{clientConfig: {service: {name: hook, namespace: default}}}]\n',
      ) +
      object('apiregistration.k8s.io/v1', 'APIService', 'a', 'spec: {service: {name: hook, namespace: default}}\n'),
    [
      'APIService/a <- Service/hook (derived: names Service hook), Deployment/web (derived: is answered by Deployment web)',
      'ValidatingWebhookConfiguration/v <- Service/hook (derived: names Service hook), Deployment/web (derived: is answered by Deployment web)',
    ],
  ],
  [
    'what scales, guards and watches',
    pods('Deployment', 'web', '{}') +
      object(
        'autoscaling/v2',
        'HorizontalPodAutoscaler',
        'h',
        'spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n',
      ) +
      object('policy/v1', 'PodDisruptionBudget', 'p', 'spec: {selector: {matchLabels: {app: web}}}\n') +
      object('policy/v1', 'PodDisruptionBudget', 'other', 'spec: {selector: {matchLabels: {app: none}}}\n'),
    [
      'PodDisruptionBudget/p <- Deployment/web (derived: selects Deployment web)',
      'HorizontalPodAutoscaler/h <- Deployment/web (derived: scales Deployment web)',
    ],
  ],
  [
    'what a controller makes a Secret of, for pods alone',
    object('cert-manager.io/v1', 'Certificate', 'c', 'spec: {secretName: tls}\n') +
      pods('Deployment', 'web', '{volumes: [{name: a, secret: {secretName: tls}}]}') +
      object('networking.k8s.io/v1', 'Ingress', 'i', 'spec: {tls: [{secretName: tls}]}\n'),
    ['Deployment/web <- Certificate/c (derived: mounts the Secret of Certificate c)'],
  ],
  [
    'of two that need each other the second does without',
    object('v1', 'ServiceAccount', 'a') +
      object(
        'v1',
        'Secret',
        't',
        'type: kubernetes.io/service-account-token\n',
        ', annotations: {kubernetes.io/service-account.name: a}',
      ),
    ['Secret/t <- ServiceAccount/a (derived: names ServiceAccount a)'],
  ],
])('%s', async (_rule, template, expected) => {
  const { unit, warnings } = await derived({ 'templates/all.yaml': template });
  expect(unit.isFree).toBe(true);
  expect(waits(unit)).toEqual(expected);
  expect(warnings).toEqual([]);
});

test('what waits for the same and is awaited by the same is one node; a Job stays apart', async () => {
  const { unit } = await derived({
    'templates/all.yaml':
      configMap('a') +
      configMap('b') +
      configMap('c') +
      pods('Deployment', 'x', mounts('a')) +
      pods('Job', 'job', mounts('a')),
  });
  expect(unit.batches.map(({ nodes }) => nodes.map(nameOf))).toEqual([
    ['ConfigMap/a', 'ConfigMap/b and 1 more'],
    ['Deployment/x', 'Job/job'],
  ]);
});

test('edges cross charts without making one chart wait for the other', async () => {
  const { unit } = await derived({
    'charts/db/Chart.yaml': 'name: db',
    'charts/db/templates/all.yaml': configMap('db') + pods('StatefulSet', 'db', '{}'),
    'templates/web.yaml': pods('Deployment', 'web', mounts('db')),
  });
  expect(unit.batches.map(({ nodes }) => nodes.map(nameOf))).toEqual([
    ['ConfigMap/db', 'StatefulSet/db'],
    ['Deployment/web'],
  ]);
});

const group = (name: string): string => `, annotations: {helm.sh/resource-group: ${name}}`;
const after = (name: string): string => `, annotations: {helm.sh/depends-on/resource-groups: ${name}}`;

test('the rest of a chart waits for no groups, and a need goes before what all of it waits for', async () => {
  const { unit } = await derived({
    'Chart.yaml':
      'name: shop\nannotations: {helm.sh/depends-on/subcharts: \'["db"]\'}\ndependencies: [{name: db, version: 1.0.0}]',
    'charts/db/Chart.yaml': 'name: db',
    'charts/db/templates/all.yaml': pods('StatefulSet', 'db', mounts('c')),
    'templates/all.yaml':
      configMap('c') +
      pods('Job', 'a', '{}', group('one')) +
      pods('Job', 'b', '{}', after('one')) +
      pods('Deployment', 'web', '{}'),
  });
  expect(waits(unit)).toEqual([
    'StatefulSet/db <- ConfigMap/c (derived: mounts ConfigMap c)',
    'Job/a <- db (Chart.yaml helm.sh/depends-on/subcharts)',
    'Deployment/web <- db (Chart.yaml helm.sh/depends-on/subcharts)',
    'Job/b <- one (depends-on.helm.sh/resource-groups)',
  ]);
});

test('what is declared goes before a need, which is dropped and told', async () => {
  const { unit, warnings } = await derived({
    'templates/all.yaml': pods('StatefulSet', 'db', mounts('c'), group('db')) + configMap('c', after('db')),
  });
  expect(waits(unit)).toEqual(['ConfigMap/c <- db (depends-on.helm.sh/resource-groups)']);
  expect(warnings).toEqual([
    expect.stringMatching(/^shop\/templates\/all.yaml: StatefulSet\/db .*ConfigMap\/c \(mounts ConfigMap c\)/),
  ]);
});

test('the record keeps the graph', async () => {
  const { unit } = await derived({ 'templates/all.yaml': configMap('a') + pods('Deployment', 'web', mounts('a')) });
  const stored: unknown = JSON.parse(JSON.stringify(sequencingOf(unit)));
  expect(readSequencing(stored, manifestsOf(unit))).toEqual(unit);
});
