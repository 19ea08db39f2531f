import { canonicalJson, equalJson, type JsonObject, objectAt, objectsIn, without } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { type FieldProblem, forbiddenField, invalidValue } from '../status.ts';

type ChangeRule = (before: Resource, after: Resource) => FieldProblem[];

const specs = (before: Resource, after: Resource): [JsonObject, JsonObject] => [
  objectAt(before, 'spec') ?? {},
  objectAt(after, 'spec') ?? {},
];

const unchanged =
  (...fields: readonly string[]): ChangeRule =>
  (before, after) => {
    const [old, now] = specs(before, after);
    return fields.flatMap((field) =>
      equalJson(old[field], now[field]) ? [] : [invalidValue(`spec.${field}`, now[field], 'field is immutable')],
    );
  };

const statefulSetChangeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

const statefulSet: ChangeRule = (before, after) => {
  const [old, now] = specs(before, after).map((spec) => without(spec, ...statefulSetChangeable)) as [
    JsonObject,
    JsonObject,
  ];
  if (equalJson(old, now)) return [];
  const names = statefulSetChangeable.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return [forbiddenField('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)];
};

const job: ChangeRule = (before, after) => {
  const [old, now] = specs(before, after);
  const isStarted = old.suspend !== true || objectAt(before, 'status')?.startTime !== undefined;
  return unchanged(
    'completionMode',
    'selector',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    ...(now.completionMode === 'Indexed' ? [] : ['completions']),
    ...(isStarted ? ['template'] : []),
  )(before, after);
};

const service: ChangeRule = (before, after) => {
  const [old, now] = specs(before, after);
  if (now.type === 'ExternalName' || old.type === 'ExternalName') return [];
  const given = old.clusterIP;
  if (given === undefined || given === '' || now.clusterIP === given) return [];
  return [invalidValue('spec.clusterIPs[0]', now.clusterIPs ?? [now.clusterIP ?? ''], 'may not change once set')];
};

const immutableMessage = 'field is immutable when `immutable` is set';

const frozen =
  (...fields: readonly string[]): ChangeRule =>
  (before, after) => {
    if (before.immutable !== true) return [];
    const problems = fields.flatMap((field) =>
      equalJson(before[field], after[field]) ? [] : [forbiddenField(field, immutableMessage)],
    );
    return after.immutable === true ? problems : [forbiddenField('immutable', immutableMessage), ...problems];
  };

const secret: ChangeRule = (before, after) => [
  ...(before.type === after.type ? [] : [invalidValue('type', after.type, 'field is immutable')]),
  ...frozen('data')(before, after),
];

const claim: ChangeRule = (before, after) => {
  const fixed = (spec: JsonObject): JsonObject => {
    const requests = objectAt(spec, 'resources', 'requests') ?? {};
    const resources = { ...objectAt(spec, 'resources'), requests: without(requests, 'storage') };
    return { ...without(spec, 'volumeAttributesClassName'), resources };
  };
  const [old, now] = specs(before, after).map(fixed) as [JsonObject, JsonObject];
  const bound = objectAt(before, 'status')?.phase === 'Bound';
  if (!bound && old.volumeName === undefined) return [];
  if (equalJson(old, now)) return [];
  return [
    forbiddenField(
      'spec',
      `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${difference(old, now)}`,
    ),
  ];
};

/** What differs, in a line for each key. */
function difference(old: JsonObject, now: JsonObject): string {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return keys
    .filter((key) => !equalJson(old[key], now[key]))
    .map((key) => `- ${key}: ${canonicalJson(old[key])}\n+ ${key}: ${canonicalJson(now[key])}\n`)
    .join('');
}

const podMessage =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

const pod: ChangeRule = (before, after) => {
  const fixed = (spec: JsonObject): JsonObject => ({
    ...without(spec, 'activeDeadlineSeconds', 'tolerations', 'schedulingGates', 'ephemeralContainers'),
    containers: objectsIn(spec.containers).map((container) => without(container, 'image')),
    initContainers: objectsIn(spec.initContainers).map((container) => without(container, 'image')),
  });
  const [old, now] = specs(before, after).map(fixed) as [JsonObject, JsonObject];
  return equalJson(old, now) ? [] : [forbiddenField('spec', `${podMessage}\n${difference(old, now)}`)];
};

const roleReference: ChangeRule = (before, after) => {
  if (equalJson(before.roleRef, after.roleRef)) return [];
  const { apiGroup, kind, name } = objectAt(after, 'roleRef') ?? {};
  return [invalidValue('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef')];
};

const storageClass: ChangeRule = (before, after) =>
  ['parameters', 'provisioner', 'reclaimPolicy'].flatMap((field) =>
    equalJson(before[field], after[field]) ? [] : [forbiddenField(field, `updates to ${field} are forbidden.`)],
  );

const definition: ChangeRule = (before, after) => {
  const problems = unchanged('scope')(before, after);
  const kinds = specs(before, after).map((spec) => objectAt(spec, 'names')?.kind);
  if (kinds[0] !== kinds[1]) problems.push(invalidValue('spec.names.kind', kinds[1], 'field is immutable'));
  return problems;
};

/** What may not change in the common kinds. */
export const changeRules: Readonly<Record<string, ChangeRule>> = {
  '/Pod': pod,
  '/Service': service,
  '/Secret': secret,
  '/ConfigMap': frozen('data', 'binaryData'),
  '/PersistentVolumeClaim': claim,
  'apps/Deployment': unchanged('selector'),
  'apps/ReplicaSet': unchanged('selector'),
  'apps/DaemonSet': unchanged('selector'),
  'apps/StatefulSet': statefulSet,
  'batch/Job': job,
  'rbac.authorization.k8s.io/RoleBinding': roleReference,
  'rbac.authorization.k8s.io/ClusterRoleBinding': roleReference,
  'storage.k8s.io/StorageClass': storageClass,
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
};
