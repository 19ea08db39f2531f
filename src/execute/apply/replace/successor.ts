import { isApiError } from '../../../cluster/api-error.ts';
import { fieldDifferences } from '../../../manifest/field-differences.ts';
import { type FieldRule, rulesOf } from '../../../manifest/field-rules.ts';
import type { KubernetesObject } from '../../../manifest/types.ts';
import { type LeftField, withoutLeft } from '../left-fields.ts';
import type { Target } from '../targets.ts';
import { type TrialOptions, tryAsNew } from './trial.ts';

/** What is created in place of an object that is deleted. */
export interface Successor {
  readonly object: KubernetesObject;
  /** As the server would make it; undefined where that is not known. */
  readonly made: KubernetesObject | undefined;
  /** What keeps the value that the deleted object has. */
  readonly left: readonly LeftField[];
  readonly notes: readonly string[];
}

interface SuccessorOptions extends TrialOptions {
  readonly fieldRules?: readonly FieldRule[] | undefined;
}

/**
 * Tries what would be created in place of an object. Fields that rules leave to others keep their live values: otherwise an
 * autoscaler's replicas would start again with the chart's. Where the server takes these in no new object, the fields get the
 * chart's values, which a note says. Errors: the server's refusal.
 */
export async function trySuccessor(
  target: Target,
  live: KubernetesObject,
  options: SuccessorOptions,
): Promise<Successor> {
  const { object, left } = withoutLeft(target.object, live, rulesOf(target.id, options.fieldRules), 'keep');
  try {
    return { object, made: await tryAsNew({ ...target, object }, live, options), left, notes: [] };
  } catch (error) {
    const kept = fieldDifferences(target.object, object).map(({ path }) => path);
    if (kept.length === 0 || !isApiError(error) || error.failure.status !== 422) throw error;
    const made = await tryAsNew(target, live, options);
    const paths = kept.join(', ');
    const note = `${paths} cannot be left: the API server refuses the present values in a new object, which gets those of the chart`;
    return { object: target.object, made, left: [], notes: [note] };
  }
}
