import type { ObjectProblem } from '../../problem/problem.ts';
import type { WorkloadFact } from '../../problem/workload-fact.ts';

/** What is wrong with an object that was waited for, as data: a problem whose cause is a fact of a workload. */
export type WorkloadProblem = ObjectProblem & {
  readonly cause: WorkloadFact;
  readonly symptom?: WorkloadFact | undefined;
};

/** Higher is more likely the cause, and less likely the consequence of something else. */
export function likelihoodOf({ outlook, code, container, exitCode }: WorkloadFact): number {
  const proof = exitCode === undefined ? 0 : 2;
  if (outlook === 'never') return 100 + proof;
  if (outlook === 'doubtful') return 80 + proof;
  const at = inOrder.findIndex((codes) => codes.includes(code));
  return inOrder.length - (at >= 0 ? at : container === undefined ? 3 : 4);
}

/** The codes of what may pass, the likely cause first; a pod and a container have their places in between. */
const inOrder: readonly (readonly WorkloadFact['code'][])[] = [
  ['pods-exceed-quota', 'pods-refused', 'service-account-missing', 'priority-class-missing', 'pods-not-created'],
  ['claim-not-bound', 'claim-missing', 'storage-class-missing', 'mount-failed'],
  ['pod-unschedulable'],
  ['pod-pending', 'pod-failed'],
  ['program-ended', 'container-held'],
  ['being-deleted'],
  ['condition'],
  ['probe-failed', 'container-not-ready'],
  ['not-found', 'not-readable', 'not-ready', 'ready-now'],
];

/** The likely cause first. */
export const ranked = (problems: readonly WorkloadProblem[]): readonly WorkloadProblem[] =>
  [...problems].sort((a, b) => likelihoodOf(b.cause) - likelihoodOf(a.cause));

/** The likely cause, and beside it what else is broken. */
export const causesIn = ([first, ...others]: readonly WorkloadProblem[]): readonly WorkloadFact[] =>
  [first ?? [], others.filter(isBroken)].flat().map(({ cause }) => cause);

/** Whether something has failed there, and is not merely not done yet. */
export const isBroken = ({ cause }: WorkloadProblem): boolean => cause.outlook !== 'open';
