import { afterAll, beforeAll, expect, test } from 'vitest';
import { versionProblems } from '../../src/actions/check/version-problems.ts';
import { connect } from '../../src/cluster/connect.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import { idOf } from '../../src/manifest/resource-id.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { parseKubeVersion } from '../../src/render/kube-version.ts';

// What the API server warns of, and what is said to be deprecated or without effect in its version.
const namespace = 'default';
const warnings: string[] = [];
let cluster: Cluster;
let version: string;
beforeAll(async () => {
  cluster = await connect({ namespace, onWarning: (text) => warnings.push(text) });
  version = (await cluster.version()).gitVersion;
});
afterAll(() => cluster.close());

const named = (apiVersion: string, kind: string, rest: object, annotations = {}): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: 'web', annotations },
  ...rest,
});
const containers = [{ name: 'app', image: 'app:1' }];
const podWith = (spec: object, annotations = {}) => named('v1', 'Pod', { spec: { containers, ...spec } }, annotations);
const volume = (source: object) => podWith({ volumes: [{ name: 'a', ...source }] });
const template = (spec: object, annotations = {}) =>
  named('apps/v1', 'Deployment', {
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' }, annotations }, spec: { containers, ...spec } },
    },
  });
const service = (spec: object, annotations = {}) =>
  named('v1', 'Service', { spec: { ports: [{ port: 80 }], ...spec } }, annotations);
const claim = (annotations: object) =>
  named(
    'v1',
    'PersistentVolumeClaim',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    annotations,
  );
const volumeOf = (source: object) =>
  named('v1', 'PersistentVolume', {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source },
  });
const affinity = (key: string) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }],
    },
  },
});
const spread = (topologyKey: string) => [
  { maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
];
const ingress = (spec: object, annotations = {}) =>
  named(
    'networking.k8s.io/v1',
    'Ingress',
    { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } }, ...spec } },
    annotations,
  );

test.each<[string, KubernetesObject]>([
  ['a plain pod', podWith({})],
  ['photonPersistentDisk', volume({ photonPersistentDisk: { pdID: 'a' } })],
  ['gitRepo', volume({ gitRepo: { repository: 'a' } })],
  ['scaleIO', volume({ scaleIO: { gateway: 'a', system: 'a', secretRef: { name: 'a' }, volumeName: 'a' } })],
  ['flocker', volume({ flocker: { datasetName: 'a' } })],
  ['storageos', volume({ storageos: { volumeName: 'a' } })],
  ['quobyte', volume({ quobyte: { registry: 'a:1', volume: 'a' } })],
  ['glusterfs', volume({ glusterfs: { endpoints: 'a', path: 'a' } })],
  ['cephfs', volume({ cephfs: { monitors: ['a'] } })],
  ['rbd', volume({ rbd: { monitors: ['a'], image: 'a' } })],
  ['emptyDir', volume({ emptyDir: {} })],
  ['glusterfs of a PersistentVolume', volumeOf({ glusterfs: { endpoints: 'a', path: 'a' } })],
  ['cephfs of a PersistentVolume', volumeOf({ cephfs: { monitors: ['a'] } })],
  ['a node selector', podWith({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } })],
  ['a node selector of today', podWith({ nodeSelector: { 'kubernetes.io/os': 'linux' } })],
  ['node affinity', template({ affinity: affinity('failure-domain.beta.kubernetes.io/zone') })],
  ['node affinity of today', template({ affinity: affinity('topology.kubernetes.io/zone') })],
  ['topology spread', template({ topologySpreadConstraints: spread('failure-domain.beta.kubernetes.io/zone') })],
  ['a master', podWith({ nodeSelector: { 'node-role.kubernetes.io/master': '' } })],
  ['critical-pod', template({}, { 'scheduler.alpha.kubernetes.io/critical-pod': '' })],
  ['sysctls', template({}, { 'security.alpha.kubernetes.io/sysctls': 'a=b' })],
  ['seccomp', template({}, { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' })],
  ['seccomp of a container', template({}, { 'container.seccomp.security.alpha.kubernetes.io/app': 'runtime/default' })],
  [
    'seccomp beside its field',
    template(
      { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
      { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' },
    ),
  ],
  ['AppArmor', template({}, { 'container.apparmor.security.beta.kubernetes.io/app': 'unconfined' })],
  ['an ingress class', ingress({}, { 'kubernetes.io/ingress.class': 'a' })],
  ['an ingress class of today', ingress({ ingressClassName: 'a' })],
  ['a storage class', claim({ 'volume.beta.kubernetes.io/storage-class': 'a' })],
  ['topology hints', service({}, { 'service.kubernetes.io/topology-aware-hints': 'Auto' })],
  ['external IPs', service({ externalIPs: ['10.1.2.3'] })],
  ['mountable secrets', named('v1', 'ServiceAccount', {}, { 'kubernetes.io/enforce-mountable-secrets': 'true' })],
  ['Endpoints', named('v1', 'Endpoints', {})],
])('%s', async (_what, object) => {
  warnings.length = 0;
  await cluster.apply(object, { dryRun: true });
  const subject = { kind: 'object', id: idOf(object), template: '' } as const;
  const problems = versionProblems(object, subject, [parseKubeVersion(version)]);
  expect(
    problems.map(({ code }) => code).length > 0,
    JSON.stringify([warnings, problems.map(({ cause }) => cause)]),
  ).toBe(warnings.length > 0);
});
