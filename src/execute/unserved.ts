import { isApiError } from '../cluster/api-error.ts';
import { groupKindOf, groupOf, labelSelectorOf } from '../cluster/fields.ts';
import { isCustom } from '../cluster/readiness.ts';
import { listOf, textOr } from '../manifest/fields.ts';
import type { Pod, PodSpec, Service } from '../manifest/kubernetes.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import type { WorkloadFact } from '../problem/workload-fact.ts';
import type { Target } from './apply/targets.ts';
import type { Run } from './context.ts';
import { objectsIn } from './plan-objects.ts';

/** A Service that leads nowhere. */
export interface Unserved {
  readonly id: ResourceId;
  readonly fact: WorkloadFact;
}

type Labels = Readonly<Record<string, unknown>>;
type Template = Pick<Pod, 'spec'> & { readonly owner: string; readonly namespace: string; readonly labels: Labels };

/**
 * The Services that select no pod of the release, or send to a port that none of its containers has, where the cluster
 * has no other pod for them either. It is asked about those alone. Releases whose pods an operator makes are left out.
 */
export async function unservedServices(targets: readonly Target[], run: Run): Promise<readonly Unserved[]> {
  const services = targets.filter(
    ({ id, object }) => groupKindOf(id) === 'Service' && selectorOf(object) !== undefined,
  );
  if (services.length === 0) return [];
  const objects = objectsIn(run.plan).map(({ object }) => object);
  // Another port of the release's own pods is not what an operator adds.
  const faulty = faultyServices(services, objects, run.plan.namespace).filter(
    ({ fact, isOpen }) => !isOpen || fact.code !== 'no-pod-selected',
  );
  const found = faulty.map(async ({ target: { id, object }, fact }) =>
    (await isServed(id, object, run)) ? [] : [{ id, fact }],
  );
  return (await Promise.all(found)).flat();
}

/** A Service that leads nowhere as far as the release's own objects tell. */
export interface FaultyService {
  readonly target: Target;
  readonly fact: WorkloadFact;
  /** Something of the release may make other pods. */
  readonly isOpen: boolean;
}

/** Those of the Services that lead nowhere as far as the release's own objects tell. */
export function faultyServices(
  services: readonly Target[],
  objects: readonly KubernetesObject[],
  namespace: string,
): readonly FaultyService[] {
  const isOpen = objects.some(makesPods);
  const templates = objects.flatMap((object) => templateOf(object, namespace) ?? []);
  return services.flatMap((target) => {
    const fact =
      selectorOf(target.object) === undefined ? undefined : faultOf(target.object, target.id.namespace, templates);
    return fact === undefined ? [] : [{ target, fact, isOpen }];
  });
}

function selectorOf({ spec }: Service): Labels | undefined {
  const selector = spec?.selector ?? {};
  return spec?.type === 'ExternalName' || Object.keys(selector).length === 0 ? undefined : selector;
}

/** Custom resources have operators, and whoever may create pods is one. */
function makesPods(object: KubernetesObject): boolean {
  if (isCustom(object) || object.kind === 'CustomResourceDefinition') return true;
  return grants(object, { resources: ownersOfPods, verbs: creatingVerbs });
}

interface Grant {
  readonly resources: ReadonlySet<unknown>;
  readonly verbs: ReadonlySet<unknown>;
}

/** Whether an object is a Role or a ClusterRole with a rule that has one of the resources and one of the verbs. */
export function grants(object: KubernetesObject, { resources, verbs }: Grant): boolean {
  if (groupOf(object) !== 'rbac.authorization.k8s.io') return false;
  const rules = listOf(object['rules'] as readonly { resources?: unknown; verbs?: unknown }[] | null | undefined);
  return rules.some((rule) => hasOne(rule.resources, resources) && hasOne(rule.verbs, verbs));
}

const hasOne = (names: unknown, wanted: ReadonlySet<unknown>): boolean =>
  Array.isArray(names) && names.some((name) => wanted.has(name));

const ownersOfPods = new Set<unknown>([
  '*',
  'pods',
  'deployments',
  'statefulsets',
  'daemonsets',
  'replicasets',
  'jobs',
]);
const creatingVerbs = new Set<unknown>(['*', 'create', 'patch', 'update']);

interface WithTemplate extends KubernetesObject {
  readonly spec?: { readonly template?: Partial<Pod>; readonly jobTemplate?: { readonly spec?: WithTemplate['spec'] } };
}

function templateOf(object: WithTemplate, namespace: string): Template | undefined {
  const pod =
    object.kind === 'Pod' ? (object as Pod) : (object.spec?.template ?? object.spec?.jobTemplate?.spec?.template);
  if (pod === undefined) return undefined;
  return {
    spec: pod.spec,
    owner: `${object.kind}/${object.metadata.name}`,
    labels: pod.metadata?.labels ?? {},
    namespace: object.metadata.namespace || namespace,
  };
}

function faultOf(service: Service, namespace: string, templates: readonly Template[]): WorkloadFact | undefined {
  const selector = Object.entries(selectorOf(service) ?? {}).filter(([label]) => !ofControllers.has(label));
  if (selector.length === 0) return undefined;
  const near = templates.filter((template) => template.namespace === namespace);
  const selected = near.filter(({ labels }) => selector.every(([label, value]) => labels[label] === value));
  if (selected.length > 0) return portFault(service, selected);
  const labels = selector.map(([label, value]) => `${label}=${String(value)}`);
  // A controller may add a label that a template lacks, as a StatefulSet does; it does not change one.
  const isRefused = (one: Template): boolean =>
    selector.some(([label, value]) => (one.labels[label] ?? value) !== value);
  const nearest = nearestPods(selector, near);
  return {
    outlook: near.length > 0 && near.every(isRefused) ? 'never' : 'open',
    code: 'no-pod-selected',
    labels,
    ...(nearest.length > 0 && { nearest }),
  };
}

/** Labels that controllers give to the pods of workloads. Source: k8s.io/api, apps/v1 and batch/v1. */
const ofControllers: ReadonlySet<string> = new Set([
  'apps.kubernetes.io/pod-index',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-completion-index',
  'batch.kubernetes.io/job-name',
  'controller-revision-hash',
  'controller-uid',
  'job-name',
  'pod-template-generation',
  'pod-template-hash',
  'statefulset.kubernetes.io/pod-name',
]);

const mostLabels = 8;

const mostOwners = 3;

/** The objects whose pods have most of the labels; of several only where their pods have some of them. */
function nearestPods(selector: readonly (readonly [string, unknown])[], templates: readonly Template[]) {
  const lackedBy = ({ labels }: Template) => selector.flatMap(([key, value]) => (labels[key] === value ? [] : [key]));
  const all = templates.map((template) => ({ ...template, lacked: lackedBy(template) }));
  const least = Math.min(...all.map(({ lacked }) => lacked.length));
  const near = all.filter(({ lacked }) => lacked.length === least);
  if (near.length > (least < selector.length ? mostOwners : 1)) return [];
  return near.flatMap(({ owner, labels, lacked }) => {
    const own = Object.entries(labels);
    const instead = own.filter(([label]) => lacked.includes(label));
    const shown = (instead.length > 0 ? instead : own).slice(0, mostLabels);
    return shown.length === 0 ? [] : [{ owner, labels: shown.map(([label, value]) => `${label}=${String(value)}`) }];
  });
}

function portFault({ spec }: Service, selected: readonly Template[]): WorkloadFact | undefined {
  const names = new Set(selected.flatMap((template) => portsOf(template.spec)));
  const missing = listOf(spec?.ports)
    .map(({ targetPort }) => textOr(targetPort, ''))
    .find((name) => name !== '' && !names.has(name));
  if (missing === undefined) return undefined;
  return { outlook: 'open', code: 'target-port-missing', port: missing, names: [...names] };
}

const portsOf = (spec: PodSpec | null | undefined): readonly string[] =>
  [...listOf(spec?.initContainers), ...listOf(spec?.containers)].flatMap(({ ports }) =>
    listOf(ports).flatMap(({ name }) => textOr(name, '') || []),
  );

/** By pods of somebody else, or by an EndpointSlice that somebody else writes. What may not be read is not judged. */
async function isServed(id: ResourceId, service: Service, { cluster, signal }: Run): Promise<boolean> {
  const { namespace, name } = id;
  const labelSelector = labelSelectorOf(selectorOf(service) ?? {});
  try {
    const pods: readonly Pod[] = await cluster.list('v1', 'Pod', { namespace, labelSelector, signal });
    if (pods.length > 0)
      return (
        portFault(
          service,
          pods.map((pod) => ({ spec: pod.spec, owner: '', labels: {}, namespace })),
        ) === undefined
      );
    const of = { namespace, labelSelector: `kubernetes.io/service-name=${name}`, signal };
    const slices = await cluster.list('discovery.k8s.io/v1', 'EndpointSlice', of);
    return slices.some((slice) => listOf(slice['endpoints'] as readonly object[] | null | undefined).length > 0);
  } catch (error) {
    if (isApiError(error)) return true;
    throw error;
  }
}
