import type { ObjectField } from './object-fields.ts';

/** When a field was deprecated: minor versions of Kubernetes, where its sources give them. */
export interface Deprecation {
  readonly deprecated?: number | undefined;
  /** It has had no effect since then. */
  readonly inactive?: number | undefined;
  /** The field, annotation or label to use instead. */
  readonly instead?: string | undefined;
  /** The CSI driver to use instead. */
  readonly driver?: string | undefined;
}

// The warnings of the API server have the versions: GetWarningsForPod, …ForService, …ForPersistentVolume in pkg/api of
// k8s.io/kubernetes. The other ones are in the descriptions of the OpenAPI document, which say no version.
const volumes: Readonly<Record<string, Deprecation>> = {
  awsElasticBlockStore: { driver: 'ebs.csi.aws.com' },
  azureDisk: { driver: 'disk.csi.azure.com' },
  azureFile: { driver: 'file.csi.azure.com' },
  cephfs: { deprecated: 28, inactive: 31 },
  cinder: { driver: 'cinder.csi.openstack.org' },
  flexVolume: {},
  flocker: { deprecated: 22, inactive: 25 },
  gcePersistentDisk: { driver: 'pd.csi.storage.gke.io' },
  gitRepo: { deprecated: 11, inactive: 33 },
  glusterfs: { deprecated: 25, inactive: 26 },
  photonPersistentDisk: { deprecated: 11, inactive: 16 },
  portworxVolume: { driver: 'pxd.portworx.com' },
  quobyte: { deprecated: 22, inactive: 25 },
  rbd: { deprecated: 28, inactive: 31 },
  scaleIO: { deprecated: 16, inactive: 22 },
  storageos: { deprecated: 22, inactive: 25 },
  vsphereVolume: { driver: 'csi.vsphere.vmware.com' },
};

/** Fields, by the Go type that has them. */
export const deprecatedFields: Readonly<Record<string, Readonly<Record<string, Deprecation>>>> = {
  Volume: volumes,
  PersistentVolumeSpec: volumes,
  FlockerVolumeSource: { datasetName: {} },
  LifecycleHandler: { tcpSocket: {} },
  NodeSpec: { configSource: {}, externalID: {} },
  PodSpec: { serviceAccount: { instead: 'serviceAccountName' } },
  ServiceSpec: { loadBalancerIP: {}, externalIPs: { deprecated: 36 } },
  Endpoint: { deprecatedTopology: {} },
};

/** Annotations; the longer ones that begin so, too, where one ends with a slash. */
const annotations: Readonly<Record<string, Deprecation>> = {
  'container.apparmor.security.beta.kubernetes.io/': { deprecated: 30, instead: 'appArmorProfile' },
  'container.seccomp.security.alpha.kubernetes.io/': { inactive: 27, instead: 'seccompProfile' },
  'kubernetes.io/enforce-mountable-secrets': { deprecated: 32 },
  'kubernetes.io/ingress.class': { deprecated: 18, instead: 'ingressClassName' },
  'scheduler.alpha.kubernetes.io/critical-pod': { inactive: 16, instead: 'priorityClassName' },
  'seccomp.security.alpha.kubernetes.io/pod': { inactive: 27, instead: 'seccompProfile' },
  'security.alpha.kubernetes.io/sysctls': { inactive: 11, instead: 'sysctls' },
  'security.alpha.kubernetes.io/unsafe-sysctls': { inactive: 11, instead: 'sysctls' },
  'service.kubernetes.io/topology-aware-hints': { instead: 'service.kubernetes.io/topology-mode' },
  'volume.beta.kubernetes.io/mount-options': { deprecated: 31, instead: 'mountOptions' },
  'volume.beta.kubernetes.io/storage-class': { deprecated: 8, instead: 'storageClassName' },
};

/** Labels of nodes, where pods choose nodes by them. */
const nodeLabels: Readonly<Record<string, Deprecation>> = {
  'beta.kubernetes.io/arch': { deprecated: 14, instead: 'kubernetes.io/arch' },
  'beta.kubernetes.io/instance-type': { deprecated: 17, instead: 'node.kubernetes.io/instance-type' },
  'beta.kubernetes.io/os': { deprecated: 14, instead: 'kubernetes.io/os' },
  'failure-domain.beta.kubernetes.io/region': { deprecated: 17, instead: 'topology.kubernetes.io/region' },
  'failure-domain.beta.kubernetes.io/zone': { deprecated: 17, instead: 'topology.kubernetes.io/zone' },
  'node-role.kubernetes.io/master': { instead: 'node-role.kubernetes.io/control-plane' },
};

/** What is deprecated in a field: the field itself, or annotations and labels in it, each with the way to it. */
export interface DeprecatedPart extends Deprecation {
  readonly path: readonly (string | number)[];
  /** The word that should not be there: `beta.kubernetes.io/os`. */
  readonly word: string;
}

export function deprecatedParts({ owner, name, path, value }: ObjectField): readonly DeprecatedPart[] {
  switch (`${owner}.${name}`) {
    case 'ObjectMeta.annotations':
      return keysIn(value).flatMap((key) => part([...path, key], key, annotations[key] ?? annotations[prefixOf(key)]));
    case 'PodSpec.nodeSelector':
      return keysIn(value).flatMap((key) => part([...path, key], key, nodeLabels[key]));
    case 'NodeSelectorRequirement.key':
    case 'TopologySpreadConstraint.topologyKey':
      return part(path, String(value), nodeLabels[String(value)]);
    default:
      return part(path, name, ownOf(deprecatedFields[owner], name));
  }
}

const keysIn = (value: unknown): readonly string[] => Object.keys((value ?? {}) as object);

const prefixOf = (key: string): string => key.slice(0, key.indexOf('/') + 1);

const ownOf = (table: Readonly<Record<string, Deprecation>> | undefined, name: string): Deprecation | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

const part = (
  path: readonly (string | number)[],
  word: string,
  deprecation: Deprecation | undefined,
): readonly DeprecatedPart[] => (deprecation === undefined ? [] : [{ path, word, ...deprecation }]);
