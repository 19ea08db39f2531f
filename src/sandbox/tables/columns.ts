import { ifReadable } from '../../go/if-readable.ts';
import { readJson, writeJson } from '../../go/json/json.ts';
import { jsonPath } from '../../go/jsonpath/jsonpath.ts';
import {
  canonicalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  numberOf,
  objectAt,
  objectsIn,
  plain,
  textMap,
  textOf,
} from '../../support/json.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { ageSince, humanDuration } from './age.ts';
import type { Column } from './column.ts';
import { podStatus } from './pod.ts';

type Cell = (object: Resource, now: number) => Json;

const column = (name: string, cell: Cell, type: Column['type'] = 'string', priority = 0): Column => ({
  name,
  type,
  priority,
  cell,
});
const wide = (name: string, cell: Cell): Column => column(name, cell, 'string', 1);

const spec = (object: Resource): JsonObject => objectAt(object, 'spec') ?? {};
const status = (object: Resource): JsonObject => objectAt(object, 'status') ?? {};
const count = (value: Json | undefined): number => numberOf(value) ?? 0;
const shown = (value: Json | undefined, otherwise = '<none>'): Json =>
  value === undefined || value === null || value === ''
    ? otherwise
    : typeof value === 'object'
      ? canonicalJson(value)
      : value;

const name = column('Name', (object) => object.metadata.name);
const age = column('Age', (object, now) => ageSince(object.metadata.creationTimestamp, now), 'date');

const labelsText = (value: Json | undefined): string => {
  const pairs = Object.entries(textMap(value)).map(([key, text]) => `${key}=${text}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
};

const templateContainers = (object: Resource): JsonObject[] =>
  objectsIn(objectAt(object, 'spec', 'template', 'spec')?.containers);
const containers = wide('Containers', (object) =>
  templateContainers(object)
    .map((each) => plain(each.name))
    .join(','),
);
const images = wide('Images', (object) =>
  templateContainers(object)
    .map((each) => plain(each.image))
    .join(','),
);
const selector = wide('Selector', (object) => labelsText(objectAt(spec(object), 'selector')?.matchLabels));

const dataCount = (object: Resource): number =>
  Object.keys(textMap(object.data)).length + Object.keys(textMap(object.binaryData)).length;

const conditionStatus = (object: Resource, type: string): Json =>
  objectsIn(status(object).conditions).find((condition) => condition.type === type)?.status ?? 'Unknown';

function servicePorts(object: Resource): string {
  const ports = objectsIn(spec(object).ports).map(({ port, nodePort, protocol }) =>
    nodePort === undefined
      ? `${plain(port)}/${plain(protocol)}`
      : `${plain(port)}:${plain(nodePort)}/${plain(protocol)}`,
  );
  return ports.length === 0 ? '<none>' : ports.join(',');
}

function externalAddress(object: Resource): string {
  const { type, externalIPs, externalName } = spec(object);
  if (type === 'ExternalName') return plain(externalName);
  const ingress = objectsIn(objectAt(status(object), 'loadBalancer')?.ingress).map((each) =>
    plain(each.ip ?? each.hostname),
  );
  const all = [...ingress, ...(Array.isArray(externalIPs) ? externalIPs.map(String) : [])];
  if (all.length > 0) return all.join(',');
  return type === 'LoadBalancer' ? '<pending>' : '<none>';
}

const ingressHosts = (object: Resource): string => {
  const hosts = objectsIn(spec(object).rules).map((rule) => textOf(rule.host) ?? '*');
  return hosts.length === 0 ? '*' : [...new Set(hosts)].join(',');
};

function jobStatus(object: Resource): string {
  const is = (type: string): boolean => conditionStatus(object, type) === 'True';
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (is('Suspended')) return 'Suspended';
  return is('FailureTarget') ? 'FailureTarget' : is('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running';
}

function jobDuration(object: Resource, now: number): string {
  const { startTime, completionTime } = status(object);
  if (typeof startTime !== 'string') return '';
  const end = typeof completionTime === 'string' ? Date.parse(completionTime) : now;
  return humanDuration(end - Date.parse(startTime));
}

const roleColumns = [name, column('Created At', (object) => object.metadata.creationTimestamp ?? '', 'date')];
const bindingColumns = [
  name,
  column('Role', (object) => `${plain(objectAt(object, 'roleRef')?.kind)}/${plain(objectAt(object, 'roleRef')?.name)}`),
  age,
];
const webhookColumns = [name, column('Webhooks', (object) => objectsIn(object.webhooks).length, 'integer'), age];

const claimColumns = [
  name,
  column('Status', (object) =>
    object.metadata.deletionTimestamp === undefined ? shown(status(object).phase, '') : 'Terminating',
  ),
  column('Volume', (object) => shown(spec(object).volumeName, '')),
  column('Capacity', (object) => shown(objectAt(status(object), 'capacity')?.storage, '')),
  column('Access Modes', (object) => accessModes(status(object).accessModes)),
  column('StorageClass', (object) => shown(spec(object).storageClassName, '')),
  column('VolumeAttributesClass', (object) => shown(spec(object).volumeAttributesClassName, '<unset>')),
  age,
  wide('VolumeMode', (object) => shown(spec(object).volumeMode, '')),
];

const modeLetters: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const accessModes = (value: Json | undefined): string =>
  (Array.isArray(value) ? value : []).map((mode) => modeLetters[plain(mode)] ?? plain(mode)).join(',');

const workloadWide = [containers, images, selector];

const columnsByKind: Readonly<Record<string, readonly Column[]>> = {
  '/Pod': [
    name,
    column('Ready', (object) => podStatus(object).ready),
    column('Status', (object) => podStatus(object).reason),
    column('Restarts', (object) => String(podStatus(object).restarts)),
    age,
    wide('IP', (object) => shown(status(object).podIP)),
    wide('Node', (object) => shown(spec(object).nodeName)),
    wide('Nominated Node', (object) => shown(status(object).nominatedNodeName)),
    wide('Readiness Gates', () => '<none>'),
  ],
  '/Service': [
    name,
    column('Type', (object) => shown(spec(object).type)),
    column('Cluster-IP', (object) => shown(spec(object).clusterIP)),
    column('External-IP', externalAddress),
    column('Port(s)', servicePorts),
    age,
    wide('Selector', (object) => labelsText(spec(object).selector)),
  ],
  '/Namespace': [name, column('Status', (object) => shown(status(object).phase, '')), age],
  '/ConfigMap': [name, column('Data', dataCount, 'integer'), age],
  '/Secret': [name, column('Type', (object) => shown(object.type)), column('Data', dataCount, 'integer'), age],
  '/ServiceAccount': [name, age],
  '/Node': [
    name,
    column('Status', (object) => (conditionStatus(object, 'Ready') === 'True' ? 'Ready' : 'NotReady')),
    column('Roles', () => '<none>'),
    age,
    column('Version', (object) => shown(objectAt(status(object), 'nodeInfo')?.kubeletVersion, '')),
  ],
  '/PersistentVolumeClaim': claimColumns,
  '/PersistentVolume': [
    name,
    column('Capacity', (object) => shown(objectAt(spec(object), 'capacity')?.storage, '')),
    column('Access Modes', (object) => accessModes(spec(object).accessModes)),
    column('Reclaim Policy', (object) => shown(spec(object).persistentVolumeReclaimPolicy, '')),
    column('Status', (object) => shown(status(object).phase, '')),
    column('Claim', (object) => {
      const claim = objectAt(spec(object), 'claimRef');
      return claim === undefined ? '' : `${plain(claim.namespace)}/${plain(claim.name)}`;
    }),
    column('StorageClass', (object) => shown(spec(object).storageClassName, '')),
    age,
  ],
  '/Event': [
    column('Last Seen', (object, now) =>
      ageSince(textOf(object.lastTimestamp) ?? object.metadata.creationTimestamp, now),
    ),
    column('Type', (object) => shown(object.type, '')),
    column('Reason', (object) => shown(object.reason, '')),
    column('Object', (object) => {
      const involved = objectAt(object, 'involvedObject') ?? {};
      return `${plain(involved.kind).toLowerCase()}/${plain(involved.name)}`;
    }),
    column('Message', (object) => plain(object.message ?? '').trim()),
    { ...name, priority: 1 },
  ],
  '/Endpoints': [name, column('Endpoints', endpointsText), age],
  'apps/Deployment': [
    name,
    column('Ready', (object) => `${count(status(object).readyReplicas)}/${count(spec(object).replicas)}`),
    column('Up-to-date', (object) => count(status(object).updatedReplicas), 'integer'),
    column('Available', (object) => count(status(object).availableReplicas), 'integer'),
    age,
    ...workloadWide,
  ],
  'apps/ReplicaSet': [
    name,
    column('Desired', (object) => count(spec(object).replicas), 'integer'),
    column('Current', (object) => count(status(object).replicas), 'integer'),
    column('Ready', (object) => count(status(object).readyReplicas), 'integer'),
    age,
    ...workloadWide,
  ],
  'apps/StatefulSet': [
    name,
    column('Ready', (object) => `${count(status(object).readyReplicas)}/${count(spec(object).replicas)}`),
    age,
    containers,
    images,
  ],
  'apps/DaemonSet': [
    name,
    column('Desired', (object) => count(status(object).desiredNumberScheduled), 'integer'),
    column('Current', (object) => count(status(object).currentNumberScheduled), 'integer'),
    column('Ready', (object) => count(status(object).numberReady), 'integer'),
    column('Up-to-date', (object) => count(status(object).updatedNumberScheduled), 'integer'),
    column('Available', (object) => count(status(object).numberAvailable), 'integer'),
    column('Node Selector', (object) => labelsText(objectAt(spec(object), 'template', 'spec')?.nodeSelector)),
    age,
    ...workloadWide,
  ],
  'apps/ControllerRevision': [
    name,
    column('Controller', (object) => {
      const owner = object.metadata.ownerReferences?.[0];
      const group = owner?.apiVersion.split('/')[0];
      return owner === undefined ? '<none>' : `${owner.kind.toLowerCase()}.${group}/${owner.name}`;
    }),
    column('Revision', (object) => count(object.revision), 'integer'),
    age,
  ],
  'batch/Job': [
    name,
    column('Status', jobStatus),
    column(
      'Completions',
      (object) =>
        `${count(status(object).succeeded)}/${plain(spec(object).completions ?? spec(object).parallelism ?? 1)}`,
    ),
    column('Duration', jobDuration),
    age,
    ...workloadWide,
  ],
  'batch/CronJob': [
    name,
    column('Schedule', (object) => shown(spec(object).schedule)),
    column('Timezone', (object) => shown(spec(object).timeZone)),
    column('Suspend', (object) => (spec(object).suspend === true ? 'True' : 'False')),
    column('Active', (object) => objectsIn(status(object).active).length, 'integer'),
    column('Last Schedule', (object, now) =>
      typeof status(object).lastScheduleTime === 'string'
        ? ageSince(status(object).lastScheduleTime as string, now)
        : '<none>',
    ),
    age,
  ],
  'networking.k8s.io/Ingress': [
    name,
    column('Class', (object) => shown(spec(object).ingressClassName)),
    column('Hosts', ingressHosts),
    column('Address', (object) =>
      objectsIn(objectAt(status(object), 'loadBalancer')?.ingress)
        .map((each) => plain(each.ip ?? each.hostname))
        .join(','),
    ),
    column('Ports', (object) => (objectsIn(spec(object).tls).length > 0 ? '80, 443' : '80')),
    age,
  ],
  'networking.k8s.io/IngressClass': [
    name,
    column('Controller', (object) => shown(spec(object).controller)),
    column('Parameters', () => '<none>'),
    age,
  ],
  'networking.k8s.io/NetworkPolicy': [
    name,
    column('Pod-Selector', (object) => labelsText(objectAt(spec(object), 'podSelector')?.matchLabels)),
    age,
  ],
  'policy/PodDisruptionBudget': [
    name,
    column('Min Available', (object) => shown(spec(object).minAvailable, 'N/A')),
    column('Max Unavailable', (object) => shown(spec(object).maxUnavailable, 'N/A')),
    column('Allowed Disruptions', (object) => count(status(object).disruptionsAllowed), 'integer'),
    age,
  ],
  'autoscaling/HorizontalPodAutoscaler': [
    name,
    column(
      'Reference',
      (object) =>
        `${plain(objectAt(spec(object), 'scaleTargetRef')?.kind)}/${plain(objectAt(spec(object), 'scaleTargetRef')?.name)}`,
    ),
    column('Targets', () => '<unknown>'),
    column('MinPods', (object) => plain(spec(object).minReplicas ?? '<unset>')),
    column('MaxPods', (object) => count(spec(object).maxReplicas), 'integer'),
    column('Replicas', (object) => count(status(object).currentReplicas), 'integer'),
    age,
  ],
  'rbac.authorization.k8s.io/Role': roleColumns,
  'rbac.authorization.k8s.io/ClusterRole': roleColumns,
  'rbac.authorization.k8s.io/RoleBinding': bindingColumns,
  'rbac.authorization.k8s.io/ClusterRoleBinding': bindingColumns,
  'storage.k8s.io/StorageClass': [
    name,
    column('Provisioner', (object) => shown(object.provisioner)),
    column('ReclaimPolicy', (object) => shown(object.reclaimPolicy)),
    column('VolumeBindingMode', (object) => shown(object.volumeBindingMode)),
    column('AllowVolumeExpansion', (object) => object.allowVolumeExpansion === true, 'boolean'),
    age,
  ],
  'coordination.k8s.io/Lease': [name, column('Holder', (object) => shown(spec(object).holderIdentity, '')), age],
  'scheduling.k8s.io/PriorityClass': [
    name,
    column('Value', (object) => count(object.value), 'integer'),
    column('Global-Default', (object) => object.globalDefault === true, 'boolean'),
    age,
    column('PreemptionPolicy', (object) => shown(object.preemptionPolicy)),
  ],
  'apiextensions.k8s.io/CustomResourceDefinition': roleColumns,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhookColumns,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhookColumns,
};

function endpointsText(object: Resource): string {
  const addresses = objectsIn(object.subsets).flatMap((subset) =>
    objectsIn(subset.addresses).flatMap((address) =>
      objectsIn(subset.ports).map((port) => `${plain(address.ip)}:${plain(port.port)}`),
    ),
  );
  return addresses.length === 0 ? '<none>' : addresses.join(',');
}

/** The columns of a kind: its own, those of its CustomResourceDefinition, or name and age. */
export function columnsOf(kind: Kind): readonly Column[] {
  if (kind.custom === undefined)
    return (
      columnsByKind[`${kind.group}/${kind.kind}`] ??
      columnsByKind[`${kind.group === 'events.k8s.io' ? '' : '?'}/${kind.kind}`] ?? [name, age]
    );
  const printed = objectsIn(kind.custom.additionalPrinterColumns).map(printerColumn);
  return printed.length === 0 ? [name, age] : [name, ...printed];
}

function printerColumn(definition: JsonObject): Column {
  const valueAtPath = reader(textOf(definition.jsonPath) ?? '');
  const type = (textOf(definition.type) ?? 'string') as Column['type'];
  const cell: Cell = (object, now) => {
    const value = valueAtPath(object);
    if (value === undefined) return null;
    if (type === 'date') return typeof value === 'string' ? ageSince(value, now) : '<invalid>';
    return type === 'string' && typeof value !== 'string'
      ? isJsonObject(value) || Array.isArray(value)
        ? canonicalJson(value)
        : String(value)
      : value;
  };
  return column(textOf(definition.name) ?? '', cell, type, count(definition.priority));
}

/** What finds the value at a printer column's path: `.status.conditions[?(@.type=="Ready")].status`. */
function reader(path: string): (object: Resource) => Json | undefined {
  const template = ifReadable(() => jsonPath(`{${path.replace(/^\{|\}$/g, '')}}`, { allowMissingKeys: true }));
  return (object) => {
    const found = ifReadable(() => template?.find(readJson(JSON.stringify(object)))[0]?.[0]) ?? undefined;
    return found === undefined ? undefined : (JSON.parse(writeJson(found)) as Json);
  };
}
