import { holds, readinessRulesOf } from '../../manifest/readiness-rules.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { messageOf } from '../../support/errors.ts';
import type { Readiness } from '../types.ts';
import { unobservedGeneration } from './watcher.ts';
import { failed, ready, waiting } from './words.ts';

/**
 * Readiness by the object's own annotations (HIP-0025): one true failure condition fails it, else one true success
 * condition makes it ready. A status of an older generation tells nothing of what was applied. Undefined where not both
 * annotations are there: then the built-in rules decide.
 */
export function ruledReadiness(object: KubernetesObject): Readiness | undefined {
  try {
    const rules = readinessRulesOf(object.metadata.annotations ?? {});
    if (rules === undefined) return undefined;
    if (object.metadata.deletionTimestamp) return waiting('it is being deleted');
    const unobserved = unobservedGeneration(object);
    if (unobserved !== undefined) return unobserved;
    const failing = rules.failure.find((rule) => holds(rule, object['status']));
    if (failing !== undefined) return failed(`its failure condition ${failing.text} is true`);
    if (rules.success.some((rule) => holds(rule, object['status']))) return ready;
    return waiting(`none of its success conditions is met: ${rules.success.map(({ text }) => text).join(', ')}`);
  } catch (error) {
    return failed(messageOf(error));
  }
}
