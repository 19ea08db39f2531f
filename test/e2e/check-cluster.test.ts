import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { check } from '../../src/actions/check.ts';
import { loadChart } from '../../src/chart/load.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { splitDocuments } from '../../src/manifest/split.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { documents, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { tshelm } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('check');
/** The objects of the cluster that this file makes are named by it. */
const own = admin.namespace;
const group = `${own}.example.com`;

const crd = (kind: string, scope: string, properties: string): string => {
  const singular = kind.toLowerCase();
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${singular}s.${group}}
spec:
  group: ${group}
  scope: ${scope}
  names: {kind: ${kind}, plural: ${singular}s, singular: ${singular}, listKind: ${kind}List}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: ${properties}}}}
`;
};

const kinds = documents(
  crd(
    'Offer',
    'Namespaced',
    '{spec: {type: object, x-kubernetes-validations: [{rule: self.price > 0, message: costs something, fieldPath: .price}], properties: {price: {type: integer}}}}',
  ),
  crd('Limit', 'Cluster', '{most: {type: integer}}'),
);

const rules = "resources: [deployments], apiGroups: [apps], apiVersions: ['*'], operations: [CREATE, UPDATE]";
const policies = documents(
  `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${own}-free}\n`,
  `apiVersion: ${group}/v1\nkind: Limit\nmetadata: {name: few}\nmost: 4\n`,
  `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${own}}
spec:
  paramKind: {apiVersion: ${group}/v1, kind: Limit}
  matchConstraints: {resourceRules: [{${rules}}]}
  validations: [{expression: object.spec.replicas <= params.most, messageExpression: "'at most ' + string(params.most)"}]
`,
  `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${own}}
spec:
  policyName: ${own}
  validationActions: [Deny]
  paramRef: {name: few, parameterNotFoundAction: Deny}
  matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ${own}}}}
`,
);

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: a, image: 'one:1.0'}]}
`;
const offer = `apiVersion: ${group}/v1\nkind: Offer\nmetadata: {name: cheap}\nspec:\n  price: -1\n  naem: x\n`;
const chart = writeChart(directory, 'shop', {
  'values.yaml': 'replicas: 9\n',
  'templates/a.yaml': deployment,
  'templates/b.yaml': offer,
});

const objectsOf = (text: string): readonly KubernetesObject[] =>
  splitDocuments(text).map((document) => parseManifest(document, 'given.yaml').object);

interface Found {
  readonly code: string;
  readonly level: string;
  readonly lines: readonly (number | undefined)[];
}

const found = (...words: readonly string[]): Promise<readonly Found[]> => foundIn(chart, ...words);

async function foundIn(path: string, ...words: readonly string[]): Promise<readonly Found[]> {
  const { stdout, stderr } = await tshelm.run(['check', path, '--cluster', '-o', 'json', ...words]);
  expect(stderr).toBe('');
  const { charts } = JSON.parse(stdout);
  return charts[0].findings.map(({ level, code, places }: Printed) => ({
    level,
    code,
    lines: places.map(({ lines }) => lines?.[0]?.line),
  }));
}

interface Printed extends Pick<Found, 'level' | 'code'> {
  readonly places: readonly { readonly lines?: readonly { readonly line: number }[] }[];
}

const denied = { level: 'error', code: 'policy-denied', lines: [5] };
const ofOffer = [
  { level: 'error', code: 'field-unknown', lines: [6] },
  { level: 'error', code: 'field-value', lines: [5] },
];

beforeAll(async () => {
  for (const object of objectsOf(kinds)) await admin.cluster().apply(object);
  // A kind is served a moment after its CRD is stored, a policy and its parameter count a moment after that.
  const patience = { timeout: 60_000, interval: 500 };
  for (const object of objectsOf(policies)) await vi.waitFor(() => admin.cluster().apply(object), patience);
  await vi.waitFor(async () => expect(await found('-n', own)).toHaveLength(3), patience);
  await vi.waitFor(async () => expect(await found('-n', own, '--set', 'replicas=4')).toHaveLength(2), patience);
});
afterAll(async () => {
  for (const { apiVersion, kind, metadata } of [...objectsOf(policies), ...objectsOf(kinds)].reverse())
    await admin.cluster().delete({ apiVersion, kind, namespace: '', name: metadata.name });
});

describe('check --cluster', () => {
  test('CRDs and policies of the cluster count, with bindings, parameters and selectors of namespaces', async () => {
    expect(await found('-n', own)).toEqual(expect.arrayContaining([denied, ...ofOffer]));
    expect(await found('-n', own, '--set', 'replicas=4')).toEqual(ofOffer);
    expect(await found('-n', `${own}-free`)).toEqual(ofOffer);
  });

  test('of a namespace that is not there, what is known of its objects is said, and that it is missing', async () =>
    expect(await found('-n', `${own}-none`)).toEqual([
      ...ofOffer,
      { level: 'note', code: 'namespace-missing', lines: [] },
    ]));

  test('an account without rights hears that the cluster said nothing', async () => {
    const silent = { level: 'note', code: 'cluster-silent', lines: [] };
    expect(await found('-n', own, '--kube-as-user', 'nobody')).toEqual([silent, silent]);
  });

  test('the rights of a deployer: the cluster judges, and its policies cannot be read', async () => {
    const verbs = ['get', 'list', 'create', 'patch'];
    await admin.grant('deployer', [{ apiGroups: ['apps', group], resources: ['deployments', 'offers'], verbs }]);
    expect(await found('-n', own, '--kube-as-user', 'deployer')).toEqual([
      { ...denied, lines: [] },
      ...ofOffer,
      { level: 'note', code: 'cluster-silent', lines: [] },
    ]);
  });

  test('what the release brings before an object is no refusal of it', async () => {
    const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: robot}\n';
    const pod =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: one}\nspec: {serviceAccountName: robot, containers: [{name: a, image: a}]}\n';
    const path = writeChart(directory, 'pod', { 'templates/a.yaml': account, 'templates/b.yaml': pod });
    expect(await foundIn(path, '-n', own)).toEqual([]);
    const other = writeChart(directory, 'other', { 'templates/b.yaml': pod });
    expect((await foundIn(other, '-n', own)).map(({ code }) => code)).toEqual(['forbidden', 'object-missing']);
  });

  test('a cluster of an old version: its kinds and fields, and no policies', async () => {
    const deviceClass = 'apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {}\n';
    const path = writeChart(directory, 'old', {
      'templates/a.yaml': deviceClass,
      'templates/b.yaml': deployment.replace('{{ .Values.replicas }}', '9'),
    });
    const options = { name: 'old', namespace: own, cluster: oldServer(admin.cluster()) };
    const { findings } = await check(await loadChart(path), new Map(), options);
    expect(findings.map(({ problem }) => problem.code)).toEqual(['policy-denied', 'kind-not-yet']);
  });
});

/** The control plane as one of 1.29: without policies, and without what came later. */
function oldServer(cluster: Cluster): Cluster {
  const isOld = (apiVersion: string): boolean => !/^(?:resource|admissionregistration)\.k8s\.io\/v1$/.test(apiVersion);
  const old: Pick<Cluster, 'version' | 'mapping' | 'list'> = {
    version: async () => ({ major: '1', minor: '29', gitVersion: 'v1.29.0' }),
    mapping: async (apiVersion, kind, options) =>
      isOld(apiVersion) ? cluster.mapping(apiVersion, kind, options) : undefined,
    list: (apiVersion, kind, options) =>
      cluster.list(isOld(apiVersion) ? apiVersion : 'no.example.com/v1', kind, options),
  };
  return new Proxy(cluster, {
    get: (target, name) => {
      const member = Reflect.get(name in old ? old : target, name);
      return typeof member === 'function' ? member.bind(name in old ? old : target) : member;
    },
  });
}
