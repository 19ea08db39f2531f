import { quantityOf } from '../../../go/quantity.ts';
import { type JsonObject, objectAt, objectsIn } from '../../../support/json.ts';
import { duplicate, type FieldProblem, forbiddenField, required } from '../../status.ts';
import {
  bounded,
  every,
  forbiddenIf,
  format,
  invalidIf,
  isEmpty,
  needed,
  neededFormat,
  oneOf,
  requiredIf,
} from '../checks.ts';
import {
  backstepProblem,
  descendingPathProblem,
  dns1123LabelProblem,
  dns1123SubdomainProblem,
  localPathProblem,
} from '../names.ts';
import { type Check, enclosing, type StructRules, unread } from '../struct.ts';

/** k8s.io/kubernetes/pkg/apis/core/validation: ValidateVolumes and what it calls. */

const tooMany = 'may not specify more than 1 volume type';

/** The sources of volumes in the order in which Kubernetes looks: the second one is too many. */
const sources = (
  'emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs flocker ' +
  'persistentVolumeClaim rbd cinder cephfs quobyte downwardAPI fc flexVolume configMap azureFile vsphereVolume ' +
  'photonPersistentDisk portworxVolume azureDisk storageos projected scaleIO csi ephemeral image'
).split(' ');

/** A volume has one source. */
const oneSource: Check = (value, path, struct) => {
  const volume = value as JsonObject;
  const claims = objectsIn(enclosing(struct, 'StatefulSetSpec')?.value.volumeClaimTemplates);
  // The claim of a StatefulSet takes the place of a volume with its name.
  if (claims.some((claim) => objectAt(claim, 'metadata')?.name === volume.name)) return unread;
  const fields = sources.filter((field) => volume[field] !== undefined);
  return [
    ...requiredIf(fields.length === 0, path, 'must specify a volume type'),
    ...fields.slice(1).map((field) => forbiddenField(`${path}.${field}`, tooMany)),
  ];
};

const uniqueVolumeName: Check = (value, path, { path: at, above }) => {
  const earlier = objectsIn(above?.value.volumes).slice(0, Number(/\[(\d+)\]$/.exec(at)?.[1]));
  return !isEmpty(value) && earlier.some(({ name }) => name === value) ? [duplicate(path, value)] : [];
};

const mode = bounded(0, 0o777, 'must be a number between 0 and 0777 (octal), both inclusive');
const file: StructRules = { key: needed(), path: neededFormat(localPathProblem), mode };

const oneProjection: Check = (value, path) =>
  forbiddenIf(Object.keys(value as JsonObject).length > 1, path, 'may not specify more than 1 volume type per source');

const uniquePaths: Check = (value, path) => {
  const seen = new Set<unknown>();
  return objectsIn(value).flatMap((source): FieldProblem[] =>
    Object.values(source).flatMap((projection) =>
      objectsIn((projection as JsonObject).items).flatMap((item) => {
        const isTwice = !isEmpty(item.path) && seen.has(item.path);
        seen.add(item.path);
        return invalidIf(isTwice, path.replace(/\.sources$/, ''), item.path, 'conflicting duplicate paths');
      }),
    ),
  );
};

const tokenPath: Check = (value, path, struct) =>
  neededFormat(localPathProblem)(value, path.replace(/\.sources\[\d+\]\.serviceAccountToken\.path$/, '.path'), struct);

/** Kubernetes names the list, not the file, where a file of the downward API is wrong. */
const downwardFile: Check = (value, path, struct) => {
  const { fieldRef, resourceFieldRef, path: target } = value as JsonObject;
  const at = path.replace(/\.items\[\d+\]$/, '');
  return [
    ...neededFormat(localPathProblem)(target, `${at}.path`, struct),
    ...requiredIf(!fieldRef && !resourceFieldRef, at, 'one of fieldRef and resourceFieldRef is required'),
    ...invalidIf(
      Boolean(fieldRef && resourceFieldRef),
      at,
      'resource',
      'fieldRef and resourceFieldRef can not be specified simultaneously',
    ),
  ];
};

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

const modes: Check = (value, path) => {
  const given = Array.isArray(value) ? value : [];
  const isAlone = !given.includes('ReadWriteOncePod') || given.every((each) => each === 'ReadWriteOncePod');
  return [
    ...requiredIf(given.length === 0, path, 'at least 1 access mode is required'),
    ...given.flatMap((each) => oneOf(...accessModes)(each, path, {} as never)),
    ...forbiddenIf(!isAlone, path, 'may not use ReadWriteOncePod with other access modes'),
  ];
};

const storage: Check = (value, path) => {
  const requests = (value as JsonObject | undefined)?.requests as JsonObject | undefined;
  const at = `${path}[storage]`;
  const amount = requests?.storage;
  if (amount === undefined) return [required(at)];
  return invalidIf((quantityOf(amount) ?? 0) <= 0, at, amount, 'must be greater than zero');
};

const dataSource: Check = (value, path) => {
  if (value === undefined) return [];
  const { apiGroup, kind } = value as JsonObject;
  const isForeign = isEmpty(apiGroup) && kind !== 'PersistentVolumeClaim';
  return invalidIf(
    isForeign,
    path,
    kind ?? '',
    "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
  );
};

/** A claim in an ephemeral volume, of a StatefulSet, or of its own. */
const claimSpec: StructRules = {
  accessModes: modes,
  selector: () => [],
  resources: storage,
  storageClassName: format(dns1123SubdomainProblem),
  volumeMode: oneOf('Block', 'Filesystem'),
  dataSource: (value, path, struct) => (path === 'spec.dataSource' ? [] : dataSource(value, path, struct)),
  dataSourceRef: dataSource,
};

const volumeSpec: StructRules = {
  accessModes: modes,
  capacity: (value, path) => [
    ...requiredIf(isEmpty(value), path),
    ...Object.entries((value ?? {}) as JsonObject).flatMap(([name, amount]) =>
      invalidIf((quantityOf(amount) ?? 0) <= 0, `${path}[${name}]`, amount, 'must be greater than zero'),
    ),
  ],
  storageClassName: format(dns1123SubdomainProblem),
  volumeMode: oneOf('Block', 'Filesystem'),
  persistentVolumeReclaimPolicy: oneOf('Delete', 'Recycle', 'Retain'),
};

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

const tokenLifetime = bounded(600, 2 ** 32, 'may not specify a duration less than 10 minutes');

/** A source in a pod's volume with `defaultMode`, whose name must be there. */
const files = (name: string): StructRules => ({ [name]: needed(), defaultMode: mode });

export const volumeStructs: Readonly<Record<string, StructRules>> = {
  Volume: { '': oneSource, name: every(neededFormat(dns1123LabelProblem), uniqueVolumeName) },
  HostPathVolumeSource: { path: neededFormat(backstepProblem), type: oneOf(...hostPathTypes) },
  EmptyDirVolumeSource: {
    sizeLimit: (value, path) =>
      forbiddenIf((quantityOf(value) ?? 0) < 0, path, 'SizeLimit field must be a valid resource quantity'),
  },
  SecretVolumeSource: files('secretName'),
  ConfigMapVolumeSource: files('name'),
  SecretProjection: { name: needed() },
  ConfigMapProjection: { name: needed() },
  KeyToPath: file,
  DownwardAPIVolumeSource: { defaultMode: mode },
  DownwardAPIVolumeFile: { '': downwardFile, mode },
  ProjectedVolumeSource: { defaultMode: mode, sources: uniquePaths },
  VolumeProjection: { '': oneProjection },
  ServiceAccountTokenProjection: { expirationSeconds: tokenLifetime, path: tokenPath },
  PersistentVolumeClaimVolumeSource: { claimName: needed() },
  NFSVolumeSource: {
    server: needed(),
    path: every(needed(), (value, path) =>
      invalidIf(!String(value ?? '').startsWith('/'), path, value ?? '', 'must be an absolute path'),
    ),
  },
  CSIVolumeSource: { driver: needed() },
  CSIPersistentVolumeSource: { driver: needed(), volumeHandle: needed() },
  GitRepoVolumeSource: { repository: needed(), directory: format(descendingPathProblem) },
  EphemeralVolumeSource: { volumeClaimTemplate: needed() },
  ImageVolumeSource: {
    reference: (value, path, struct) =>
      requiredIf(isEmpty(value) && enclosing(struct, 'PodSpec')?.above?.name === 'Pod', path),
    pullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
  },
  PersistentVolumeClaimSpec: claimSpec,
  PersistentVolumeSpec: volumeSpec,
};
