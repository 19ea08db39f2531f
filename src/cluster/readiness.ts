import type { KubernetesObject } from '../manifest/types.ts';
import { factsText } from '../words/workload.ts';
import { isCustom } from './readiness/custom.ts';
import { legacyReadiness } from './readiness/legacy.ts';
import { chartRule } from './readiness/rules.ts';
import { Unreported } from './readiness/unreported.ts';
import { hasOwnRule, unsettled, watcherReadiness } from './readiness/watcher.ts';
import type { HealthRule, Readiness } from './types.ts';

export { isCustom, Unreported };

export interface ReadinessOptions {
  readonly strategy: 'watcher' | 'legacy' | 'ordered';
  /** Jobs count as ready when complete, not already when started (watcher) or at once (legacy); always so in `ordered`. */
  readonly waitForJobs: boolean;
  /** The ReplicaSets of a Deployment, the Pods of a ReplicaSet or ReplicationController: what `legacy` looks at as well. */
  readonly related?: readonly KubernetesObject[] | undefined;
  /** The user's own rules: the one for an object, undefined where there is none. Not for `legacy`. */
  readonly userRules?: UserRules | undefined;
}

export type UserRules = (
  of: Pick<KubernetesObject, 'apiVersion' | 'kind'> & Partial<Pick<KubernetesObject, 'metadata'>>,
) => HealthRule | undefined;

/**
 * The rule that judges an object, and where it comes from: the chart's annotations, the user, tshelm's own rule for the
 * kind, or the conditions and phases that most kinds have in common.
 */
export interface ChosenRule {
  readonly source: 'chart' | 'user' | 'kind' | 'common-words';
  readonly judge: HealthRule;
}

/** Of what is ready: why it counts as that although something is missing. */
export const reasonOf = (state: Readiness): string | undefined =>
  state.state === 'ready' ? state.facts && factsText(state.facts) : state.reason;

/** Whether a live object is as ready as the strategy demands; a reason is a short sentence with counts. */
export function readiness(object: KubernetesObject, options: ReadinessOptions): Readiness {
  return options.strategy === 'legacy'
    ? legacyReadiness(object, options.waitForJobs, options.related ?? [])
    : chooseRule(object, options).judge(object);
}

/** The chart's own annotations come first (in `ordered`, HIP-0025), then the user's rules, then the built-in ones. */
export function chooseRule(object: KubernetesObject, options: ReadinessOptions): ChosenRule {
  const { strategy, waitForJobs, userRules } = options;
  const ofChart = strategy === 'ordered' ? chartRule(object) : undefined;
  if (ofChart !== undefined) return { source: 'chart', judge: ofChart };
  const ofUser = userRules?.(object);
  if (ofUser !== undefined) return { source: 'user', judge: (live) => unsettled(live) ?? ofUser(live) };
  const source = hasOwnRule(object) ? 'kind' : 'common-words';
  return { source, judge: (live) => watcherReadiness(live, waitForJobs) };
}
