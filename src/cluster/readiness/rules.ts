import { holds, type ReadinessRules, readinessRulesOf } from '../../manifest/readiness-rules.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { messageOf } from '../../support/errors.ts';
import type { HealthRule, Readiness } from '../types.ts';
import { unsettled } from './watcher.ts';
import { failed, ready, waiting } from './words.ts';

/**
 * The rule in the object's own annotations (HIP-0025): one true failure condition fails it, else one true success
 * condition makes it ready. Undefined unless both annotations are set.
 */
export function chartRule(object: KubernetesObject): HealthRule | undefined {
  try {
    const rules = readinessRulesOf(object.metadata.annotations ?? {});
    return rules && ((live) => unsettled(live) ?? statusReadiness(live['status'], rules));
  } catch (error) {
    return () => failed(messageOf(error));
  }
}

function statusReadiness(status: unknown, rules: ReadinessRules): Readiness {
  const failing = rules.failure.find((rule) => holds(rule, status));
  if (failing !== undefined) return failed(`its failure condition ${failing.text} is true`);
  if (rules.success.some((rule) => holds(rule, status))) return ready;
  return waiting(`none of its success conditions is met: ${rules.success.map(({ text }) => text).join(', ')}`);
}
