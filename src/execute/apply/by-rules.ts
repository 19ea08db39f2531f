import { ApiError, isApiError, isFieldConflict } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import { conflictParts } from '../../manifest/conflict-parts.ts';
import { fieldDifferences, pathText } from '../../manifest/field-differences.ts';
import { actionFor, type FieldRule, rulesOf } from '../../manifest/field-rules.ts';
import { managersOf } from '../../manifest/field-writers.ts';
import { formatId, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { withoutServerState } from '../../manifest/without-server-state.ts';
import type { ExecutionContext, Run } from '../context.ts';
import { type LeftField, type SentObject, withoutLeft } from './left-fields.ts';
import type { Target } from './targets.ts';

/** A field that is taken over from those who have it. */
export interface TakenField {
  readonly path: string;
  readonly managers: readonly string[];
}

/** What the rules for its fields have made of an object. */
export interface FieldChoices {
  readonly left: readonly LeftField[];
  readonly taken: readonly TakenField[];
}

interface Ruled {
  /** Those that speak of the object. */
  readonly rules: readonly FieldRule[];
  /** What no rule speaks of is taken over. */
  readonly isForced: boolean;
}

/**
 * Server-side apply of an object that is there, by the rules for its fields: what they leave is not sent, and what they take
 * is forced, which the API server does for an object as a whole, so only where they take every field that conflicts. What
 * was decided by the live object is sent at its version. Errors: those of `apply`, the conflict where a field is not taken.
 */
export async function applyByRules(
  object: KubernetesObject,
  live: KubernetesObject,
  { rules, isForced }: Ruled,
  apply: (object: KubernetesObject, force: boolean) => Promise<KubernetesObject>,
): Promise<FieldChoices & { readonly written: KubernetesObject }> {
  const { object: sent, left, isFilled } = withoutLeft(object, live, rules, 'remove');
  const guarded = isFilled ? atVersionOf(live, sent) : sent;
  if (isForced && rules.every(({ action }) => action !== 'fail'))
    return { written: await apply(guarded, true), left, taken: [] };
  try {
    return { written: await apply(guarded, false), left, taken: [] };
  } catch (error) {
    if (!isApiError(error) || !isFieldConflict(error.failure)) throw error;
    const taken = takenFields(error.failure, live, { rules, isForced });
    if (taken === undefined) throw error;
    return { written: await apply(atVersionOf(live, sent), true), left, taken };
  }
}

/** An object that names a version already is sent at that one. */
const atVersionOf = (
  { metadata: { resourceVersion } }: KubernetesObject,
  object: KubernetesObject,
): KubernetesObject => ({
  ...object,
  metadata: { resourceVersion, ...object.metadata },
});

/** The fields that conflict, where all of them may be taken. */
function takenFields(
  { causes }: ApiFailure,
  live: KubernetesObject,
  { rules, isForced }: Ruled,
): readonly TakenField[] | undefined {
  const fields = new Map(causes.map(({ field = '' }) => [field, conflictParts(field, live)]));
  const judged = [...fields.values()].map((parts) => {
    const managers = managersOf(live, parts);
    const action = actionFor(parts, managers, rules);
    const isTaken = action === undefined ? isForced : action === 'take';
    return { isTaken, field: { path: pathText(parts), managers } };
  });
  return judged.every(({ isTaken }) => isTaken) ? judged.map(({ field }) => field) : undefined;
}

/**
 * The same for client-side apply, which knows no conflicts: what rules leave keeps its live value, and a field that a rule
 * refuses to take fails as server-side apply would. Errors: `api-error`, a conflict of fields.
 */
export function keptByRules(
  { id, object }: Target,
  live: KubernetesObject,
  all: readonly FieldRule[] | undefined,
): Omit<SentObject, 'isFilled'> {
  const rules = rulesOf(id, all);
  if (rules.length === 0) return { object, left: [] };
  const sent = withoutLeft(object, live, rules, 'keep');
  const refused = fieldDifferences(withoutServerState(live), sent.object).flatMap(({ parts, after }) => {
    const managers = managersOf(live, parts).filter((manager) => manager !== 'helm');
    const isRefused = managers.length > 0 && after !== undefined && actionFor(parts, managers, rules) === 'fail';
    return isRefused ? managers.map((manager) => ({ manager, field: `.${pathText(parts)}` })) : [];
  });
  if (refused.length > 0) throw fieldConflict(id, refused);
  return sent;
}

/** The same for an object that was deleted to be created anew, and is not there yet. */
export function keptOfReplaced(
  { id, object }: Target,
  { replaced, fieldRules }: Pick<ExecutionContext, 'replaced' | 'fieldRules'>,
): Omit<SentObject, 'isFilled'> {
  const former = replaced?.get(objectKey(id));
  return former === undefined ? { object, left: [] } : withoutLeft(object, former, rulesOf(id, fieldRules), 'keep');
}

/** In the words and with the causes of the API server (managedfields/internal/conflict.go). */
function fieldConflict(
  { apiVersion, name }: ResourceId,
  conflicts: readonly { readonly manager: string; readonly field: string }[],
): ApiError {
  const causes = conflicts.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with "${manager}" using ${apiVersion}`,
    field,
  }));
  const count = `${causes.length} conflict${causes.length === 1 ? '' : 's'}`;
  const list = causes.map(({ message, field }) => `${message}: ${field}`).join('\n');
  const message = `Apply failed with ${count}: ${list}`;
  return new ApiError({ method: 'PATCH', path: name, status: 409, reason: 'Conflict', message, causes });
}

/** What became of the fields, for people, a line each: `leaves spec.replicas to kube-controller-manager`. */
export const choiceNotes = ({ left, taken }: FieldChoices): readonly string[] => [
  ...left.map(({ path, managers, rule }) =>
    managers.length === 0 ? `leaves ${path} as it is (${rule})` : `leaves ${path} to ${managers.join(', ')} (${rule})`,
  ),
  ...taken.map(({ path, managers }) => `takes ${path} from ${managers.join(', ') || 'another manager'}`),
];

export function reportChoices(id: ResourceId, choices: FieldChoices, { onEvent }: Run): void {
  for (const text of choiceNotes(choices)) onEvent({ kind: 'note', text: `${formatId(id)}: ${text}` });
}
