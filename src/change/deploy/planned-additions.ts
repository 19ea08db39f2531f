import { isFieldConflict } from '../../cluster/api-error.ts';
import { isUnallocated } from '../../execute/apply/not-served-yet.ts';
import { isCrd } from '../../execute/apply/targets.ts';
import { objectsSentBy } from '../../execute/plan-objects.ts';
import type { Preview } from '../../execute/preview/preview.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import type { Plan } from '../../plan/types.ts';

/** What a plan brings and the cluster does not have yet, as text: a kind of a CRD, or an account or a class of pods. */
export type PlannedAdditions = ReadonlySet<string>;

/** `previews` tell which objects of the plan are there already. */
export function plannedAdditions(plan: Plan, previews: readonly Preview[]): PlannedAdditions {
  const brought = objectsSentBy(plan).flatMap((object) => additionsOf(object, plan.namespace));
  const there = previews.filter(isThere).flatMap(({ live }) => additionsOf(live as KubernetesObject, plan.namespace));
  return new Set(brought.filter((one) => !there.includes(one)));
}

/** Whether an object is there, and a CRD as it will be. */
const isThere = ({ id, live, result }: Preview): boolean =>
  live !== undefined && (!isCrd(id) || live.metadata.generation === result.metadata.generation);

/** What an object brings, as far as others are refused before it is there. `fallback`: its namespace where it names none. */
export function additionsOf(object: KubernetesObject, fallback: string): readonly string[] {
  const { kind, metadata } = object;
  if (isCrd(object)) {
    const spec = object['spec'] as { group?: string; names?: { kind?: string } } | undefined;
    return [kindText(spec?.group ?? '', spec?.names?.kind ?? '')];
  }
  if (kind === 'ServiceAccount') return [accountText(metadata.namespace || fallback, metadata.name)];
  return kind === 'PriorityClass' || kind === 'RuntimeClass' ? [classText(kind, metadata.name)] : [];
}

const kindText = (group: string, kind: string): string => `kind ${group}/${kind}`;
const accountText = (namespace: string, name: string): string => `account ${namespace}/${name}`;
const classText = (kind: string, name: string): string => `${kind} ${name}`;

/**
 * Whether the API server's answer says nothing of what it will answer when the turn of the object comes: nobody could be
 * asked, or what it lacks comes with the plan. The facts of the answer and of the object decide, no sentence.
 */
export function mayBeAcceptedLater(
  { id, result, refusal, isFinal }: Pick<Preview, 'id' | 'result' | 'refusal' | 'isFinal'>,
  coming: PlannedAdditions,
): boolean {
  // Its kind is not served yet, or it could not be read.
  if (refusal === undefined || isFinal === true) return isFinal !== true;
  const { status, reason } = refusal;
  // An answer 500 without a reason speaks of the object: it does not fit the schema of its kind.
  const isOfSchema = status === 400 || status === 422 || (status === 500 && reason === 'Unknown');
  if (isOfSchema) return coming.has(kindText(groupOf(id.apiVersion), id.kind)) || isUnallocated(refusal, result);
  // Its namespace, its kind, or a role that it binds is not there.
  if (status === 404 || status === 429 || status >= 500) return true;
  if (status === 409) return !isFieldConflict(refusal);
  return status === 403 && id.kind === 'Pod' && prerequisitesOfPod(result, id.namespace).some((one) => coming.has(one));
}

/** What the API server looks for before it accepts a pod. */
function prerequisitesOfPod(pod: KubernetesObject, namespace: string): readonly string[] {
  const spec = (pod['spec'] ?? {}) as Readonly<Record<string, string | undefined>>;
  return [
    accountText(namespace, spec['serviceAccountName'] ?? 'default'),
    classText('PriorityClass', spec['priorityClassName'] ?? ''),
    classText('RuntimeClass', spec['runtimeClassName'] ?? ''),
  ];
}
