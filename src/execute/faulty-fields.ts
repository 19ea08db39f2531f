import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import { listOf } from '../manifest/fields.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import type { ProbeFailure, Reference, SchedulingObstacle, WorkloadFact } from '../problem/workload-fact.ts';
import type { PlanObject } from './plan-objects.ts';

/** A field of an object of the release. */
export interface ObjectField {
  readonly object: PlanObject;
  readonly path: FieldPath;
}

const maxFields = 3;

/**
 * The fields that have to be changed for a cause to go away, the likely one first: `one` is the object that was waited
 * for, `objects` are all of the release. What the object does not have is left out, unless that is what is wrong.
 */
export function faultyFields(
  fact: WorkloadFact,
  one: PlanObject,
  objects: readonly PlanObject[],
): readonly ObjectField[] {
  if ('claim' in fact) return claimFields(fact, one, objects).slice(0, maxFields);
  if (fact.code === 'no-pod-selected') return [{ object: one, path: ['spec', 'selector'] }];
  const template = podTemplateOf(one.object);
  if (template === undefined) return [];
  const place: Place = { spec: template.spec, container: containersOf(template.spec, fact.container) };
  const inPods = [...pathsFor(fact, place), ...(fact.alsoMissing ?? []).flatMap((one) => references(place.spec, one))];
  const all = [...inPods.map((path) => [...template.path, ...path]), ...ownPaths(fact)];
  const isThere = (path: FieldPath): boolean => valueAtPath(one.object, path) !== undefined;
  const missing = fact.code === 'resources-unspecified' ? all.filter((path) => !isThere(path)) : [];
  const there = [...missing, ...all.filter(isThere)];
  const distinct = new Map(there.map((path) => [path.join('\0'), path]));
  return [...distinct.values()].slice(0, maxFields).map((path) => ({ object: one, path }));
}

interface PodSpec extends Readonly<Record<string, unknown>> {
  readonly containers?: readonly Fields[];
  readonly initContainers?: readonly Fields[];
}
type Fields = Readonly<Record<string, unknown>>;

interface Place {
  readonly spec: PodSpec;
  /** The way to the container that the fact is about; to each container where it is about none. */
  readonly container: readonly FieldPath[];
}

const podPaths: Readonly<Record<string, FieldPath>> = {
  Pod: ['spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** Where the specification of the pods is in an object that makes some. */
export const podSpecPath = ({ kind }: Pick<KubernetesObject, 'kind'>): FieldPath =>
  podPaths[kind] ?? ['spec', 'template', 'spec'];

function podTemplateOf(object: KubernetesObject): { readonly path: FieldPath; readonly spec: PodSpec } | undefined {
  const path = podSpecPath(object);
  const spec = valueAtPath(object, path);
  return typeof spec === 'object' && spec !== null ? { path, spec: spec as PodSpec } : undefined;
}

/** The specification of the pods that an object makes. */
export const podSpecOf = (object: KubernetesObject): PodSpec | undefined => podTemplateOf(object)?.spec;

const containersOf = (spec: PodSpec, name: string | undefined): readonly FieldPath[] =>
  (['initContainers', 'containers'] as const)
    .flatMap((list) => listOf(spec[list]).map((_one, index) => [list, index]))
    .filter((path) => name === undefined || valueAtPath(spec, [...path, 'name']) === name);

const inContainer = ({ container }: Place, ...paths: readonly FieldPath[]): readonly FieldPath[] =>
  container.flatMap((way) => paths.map((path) => [...way, ...path]));

/** Ways from the pods' specification. */
function pathsFor(fact: WorkloadFact, place: Place): readonly FieldPath[] {
  switch (fact.code) {
    case 'image-not-found':
    case 'registry-unreachable':
    case 'registry-limit':
    case 'image-pull-failed':
    case 'image-name-invalid':
      return inContainer(place, ['image']);
    case 'image-denied':
    case 'image-not-found-or-denied':
      return [['imagePullSecrets'], ...inContainer(place, ['image'])];
    case 'image-not-on-node':
      return inContainer(place, ['image'], ['imagePullPolicy']);
    case 'pull-secret-missing':
      return references(place.spec, { kind: 'Secret', name: fact.secret });
    case 'reference-missing':
      return references(place.spec, fact.missing);
    case 'out-of-memory':
      return inContainer(place, ['resources', 'limits', 'memory']);
    case 'pod-unschedulable':
      return [
        ...fact.lacking.flatMap(({ resource }) => askedOf(place, resource, 'requests')),
        ...fact.obstacles.flatMap((obstacle) => pathsOfObstacles[obstacle]),
      ];
    case 'pods-exceed-quota':
      return askedOf(place, fact.resource?.name ?? '', fact.resource?.of === 'limits' ? 'limits' : 'requests');
    case 'resources-unspecified':
      return inContainer(place, ['resources']);
    case 'pods-refused':
      return fact.isAboutResources === true ? inContainer(place, ['resources']) : namedIn(place.spec, fact.names);
    case 'service-account-missing':
      return [['serviceAccountName'], ['serviceAccount']];
    case 'priority-class-missing':
      return [['priorityClassName']];
    case 'killed-by-probe':
      return patiencePaths(place, `${fact.probe.kind}Probe`);
    case 'probe-failed':
      return probePaths(place, fact.probe);
    case 'program-not-started':
      return inContainer(place, ['command'], ['args'], ['image']);
    case 'root-refused':
      return [
        ...inContainer(place, ['securityContext', 'runAsUser'], ['securityContext', 'runAsNonRoot']),
        ['securityContext', 'runAsUser'],
        ['securityContext', 'runAsNonRoot'],
      ];
    default:
      return [];
  }
}

const pathsOfObstacles: Readonly<Record<SchedulingObstacle, readonly FieldPath[]>> = {
  'node-selector': [['nodeSelector'], ['affinity', 'nodeAffinity']],
  taint: [['tolerations']],
  'pod-affinity': [['affinity']],
  'topology-spread': [['topologySpreadConstraints']],
  claim: [],
};

/** Of the object around the pods. */
const ownPaths = ({ code, end }: WorkloadFact): readonly FieldPath[] => [
  ...(code === 'pods-exceed-quota' ? [['spec', 'replicas']] : []),
  ...(end?.reason === 'DeadlineExceeded' ? [['spec', 'activeDeadlineSeconds']] : []),
];

const holders: Readonly<Record<Reference['kind'], readonly string[]>> = {
  ConfigMap: ['configMapKeyRef', 'configMapRef', 'configMap'],
  Secret: ['secretKeyRef', 'secretRef', 'secret', 'imagePullSecrets'],
};

/** Where a pod names a ConfigMap or Secret, or a key of it. */
export function references(spec: PodSpec, { kind, name, key }: Reference): readonly FieldPath[] {
  if (name === undefined) return leavesOf(spec, ['volumes']).filter((path) => valueAtPath(spec, path) === key);
  return leavesOf(spec).filter((path) => {
    if (!path.some((part) => holders[kind].includes(String(part)))) return false;
    const last = String(path.at(-1));
    if (key === undefined) return ['name', 'secretName'].includes(last) && valueAtPath(spec, path) === name;
    const holder = valueAtPath(spec, path.slice(0, -1)) as Fields;
    return last === 'key' && holder['key'] === key && holder['name'] === name;
  });
}

/** What a policy names: a container and its image, a label's value. A container's name alone says least. */
function namedIn(spec: PodSpec, names: readonly string[]): readonly FieldPath[] {
  const named = leavesOf(spec).filter((path) => names.includes(String(valueAtPath(spec, path))));
  const values = named.filter((path) => path.at(-1) !== 'name');
  return values.length > 0 ? values : named;
}

/** What containers ask for of a resource; limits count as requests where these are not given. */
function askedOf(place: Place, resource: string, first: 'requests' | 'limits'): readonly FieldPath[] {
  const kinds = first === 'limits' ? ['limits', 'requests'] : ['requests', 'limits'];
  return place.container.flatMap((way) => {
    const path = kinds
      .map((kind) => [...way, 'resources', kind, resource])
      .find((one) => valueAtPath(place.spec, one) !== undefined);
    return path === undefined ? [] : [path];
  });
}

function patiencePaths({ spec, container }: Place, probe: string): readonly FieldPath[] {
  return container.map((way) => {
    const delay = [...way, probe, 'initialDelaySeconds'];
    return valueAtPath(spec, delay) === undefined ? [...way, probe] : delay;
  });
}

/** What a probe asks for. What answers 5xx is the program that was asked: the probe is innocent. */
function probePaths(place: Place, { kind, answer, status = 0 }: ProbeFailure): readonly FieldPath[] {
  if (status >= 500) return [];
  const probe = `${kind}Probe`;
  const asked = answer === 'status' ? 'path' : 'port';
  return inContainer(place, [probe, 'httpGet', asked], [probe, 'tcpSocket', 'port'], [probe, 'exec'], [probe, 'grpc']);
}

/** A claim's class is in its own object, or in the template of a StatefulSet; one that is missing is named by the pod. */
function claimFields(
  { code, claim }: Extract<WorkloadFact, { claim: string }>,
  one: PlanObject,
  objects: readonly PlanObject[],
): readonly ObjectField[] {
  const template = podTemplateOf(one.object);
  if (code === 'claim-missing' && template !== undefined)
    return leavesOf(template.spec, ['volumes'])
      .filter((path) => path.at(-1) === 'claimName' && valueAtPath(template.spec, path) === claim)
      .map((path) => ({ object: one, path: [...template.path, ...path] }));
  const own = objects.find(
    ({ object: { kind, metadata } }) => kind === 'PersistentVolumeClaim' && metadata.name === claim,
  );
  const templates = listOf(valueAtPath(one.object, ['spec', 'volumeClaimTemplates']) as readonly KubernetesObject[]);
  const index = templates.findIndex((template) =>
    claim.startsWith(`${String(valueAtPath(template, ['metadata', 'name']))}-`),
  );
  const [object, way] = own ? [own, []] : [one, ['spec', 'volumeClaimTemplates', index]];
  if (own === undefined && index < 0) return [];
  const paths = [
    [...way, 'spec', 'storageClassName'],
    [...way, 'spec'],
  ];
  return paths
    .filter((path) => valueAtPath(object.object, path) !== undefined)
    .slice(0, 1)
    .map((path) => ({ object, path }));
}

/** The ways to all texts and numbers, from `start`. */
export function leavesOf(from: unknown, start: FieldPath = []): readonly FieldPath[] {
  const value = valueAtPath(from, start);
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [start];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => leavesOf(from, [...start, key]));
}
