import { causesIn, diagnose, isBroken, likelihoodOf, type WorkloadProblem } from '../cluster/diagnosis.ts';
import { type Unready, unreadyHead, unreadyLine } from '../cluster/observe.ts';
import { timedOut } from '../cluster/timed-out.ts';
import { objectKey } from '../manifest/resource-id.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { Problem } from '../problem/problem.ts';
import type { WorkloadFact } from '../problem/workload-fact.ts';
import { hasCode, type TshelmError } from '../support/errors.ts';
import { printable } from '../support/printable.ts';
import { factsText } from '../words/workload.ts';
import type { Run } from './context.ts';
import { objectsIn } from './plan-objects.ts';
import { secretMask } from './secret-mask.ts';
import { type Described, isOwnWordBetter, waitProblems } from './wait-problems.ts';

/** `details` of a failed wait beside those of the wait itself. */
export interface Explanation {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  readonly causes: readonly WorkloadProblem[];
  readonly gaps: readonly string[];
}

/** More are looked at by nobody, and cost the API server requests when it may be in trouble itself. */
const maxResources = 20;

/**
 * The same failure with what the cluster says of its cause: the likely one in the first line of the message, all of
 * them in `details`. It is looked for at once, before anything is rolled back or tidied up and the proof is gone.
 */
export async function explained(error: unknown, run: Run, { areLogsReportedLater = false } = {}): Promise<unknown> {
  if (!hasCode(error, 'wait-failed', 'wait-timeout')) return error;
  const { unready } = error.details;
  if (unready.length === 0) return error;
  const ids = unready.slice(0, maxResources).map(({ id }) => id);
  const withoutSecrets = secretMask(run.plan);
  // Pods write what they like, escape sequences too; it goes to terminals and into the record.
  const mask = (text: string): string => printable(withoutSecrets(text));
  const { problems, gaps } = await diagnose(run.cluster, ids, {
    signal: run.signal,
    mask,
    deletedPodLogs: run.deletedPodLogs,
    strategy: run.plan.strategy === 'ordered' ? 'ordered' : 'watcher',
    userRules: run.context.userRules,
  });
  const objects = objectsIn(run.plan);
  const masked = unready.map((one) => ({ ...one, reason: mask(one.reason) }));
  const found = problems.filter(isInformative);
  const described = describedOf(error, masked, found).map((each) => ({ ...each, messageLine: unreadyLineOf(each) }));
  const seen = unjudgedWithProbe(masked, described, found).map((each) => ({ ...each, messageLine: [] }));
  const undecided = waitProblems(seen, objects).map((one) => ({ ...one, state: 'unjudged' as const }));
  const waited = [...waitProblems(described, objects), ...undecided];
  const explanation: Explanation = {
    problems: areLogsReportedLater ? waited.map(withoutLog) : waited,
    notes: [...unjudged(masked, [...described, ...seen]), ...gaps.map((gap) => `(${gap})`)],
    causes: problems,
    gaps,
  };
  return error.wrapped({ message: messageWith(error, masked, found), details: { ...explanation } });
}

/** Whether it says more than what was waited for. */
const isInformative = ({ code, cause }: WorkloadProblem): boolean =>
  cause.outlook !== 'open' || !uninformativeCodes.has(code);

const uninformativeCodes: ReadonlySet<WorkloadProblem['code']> = new Set<WorkloadFact['code']>([
  'not-found',
  'not-readable',
  'not-ready',
  'ready-now',
]);

/** Of a hook the whole log is printed. */
const withoutLog = (problem: Problem): Problem => ({
  ...problem,
  evidence: problem.evidence.filter(({ kind }) => kind !== 'log'),
});

const shownNames = 5;

/** What a first failure left undecided, where a probe has told something of it. */
export function unjudgedWithProbe(
  unready: readonly Unready[],
  described: readonly Described[],
  problems: readonly WorkloadProblem[],
): readonly Described[] {
  const isOfProbe = ({ code }: WorkloadProblem): boolean => code === 'probe-failed' || code === 'container-not-ready';
  return leftOf(unready, described)
    .map((one) => ({ one, found: problems.filter((problem) => isOfProbe(problem) && isAbout(problem, one.id)) }))
    .filter(({ found }) => found.length > 0)
    .slice(0, shownNames);
}

/** What a first failure left undecided and nothing is known of. */
export function unjudged(unready: readonly Unready[], described: readonly Described[]): readonly string[] {
  const left = leftOf(unready, described);
  if (left.length === 0) return [];
  const seen = left.slice(0, shownNames).map(({ id }) => `${id.kind}/${id.name}`);
  return [`still starting when the run stopped: ${seen.join(', ')}${left.length > shownNames ? ', …' : ''}`];
}

const leftOf = (unready: readonly Unready[], described: readonly Described[]): readonly Unready[] =>
  unready.filter(({ id }) => !described.some(({ one }) => isSame(one.id, id)));

/**
 * Helm's lines, each with the cause of its resource in place of what it is waited for; the likely cause first. Resources
 * that were not given up yet are reported too where something below them has failed or crashed.
 */
export function messageWith(
  error: TshelmError,
  unready: readonly Unready[],
  problems: readonly WorkloadProblem[],
): string {
  const lines = describedOf(error, unready, problems).flatMap((each) => unreadyLineOf(each).slice(0, 1));
  return [
    ...lines,
    ...(hasCode(error, 'wait-timeout') ? [timedOut(error.details.timeoutMs, error.details.limitedBy)] : []),
  ].join('\n');
}

/** Helm's line with the cause, and without it. What is broken has failed, though the wait for it had not been given up. */
function unreadyLineOf({ one, found }: Described): readonly string[] {
  const status = found.some(isBroken) ? 'Failed' : one.status;
  const withReason = { ...one, status, reason: reasonWith(one, found) };
  return [unreadyLine(withReason), unreadyHead(withReason)];
}

function describedOf(
  { code }: TshelmError,
  unready: readonly Unready[],
  problems: readonly WorkloadProblem[],
): readonly Described[] {
  const isShown = ({ one, found }: Described): boolean =>
    code === 'wait-timeout' ||
    one.state === 'failed' ||
    found.some((each) => each === problems[0] || isBroken(each) || isBlocked(each));
  return unready
    .map((one) => ({ one, found: problems.filter((problem) => isAbout(problem, one.id)) }))
    .filter(isShown)
    .sort((a, b) => likelihood(b.found[0]) - likelihood(a.found[0]));
}

/** Whether the scheduler or the API server has said why it cannot go on, though that may pass. */
const isBlocked = ({ code }: WorkloadProblem): boolean => code === 'pod-unschedulable' || code === 'pods-not-created';

const likelihood = (problem: WorkloadProblem | undefined): number =>
  problem === undefined ? 0 : likelihoodOf(problem.cause);

/** What was found says more than what was waited for, and how long it was waited for is not lost. */
function reasonWith(one: Unready, found: readonly WorkloadProblem[]): string {
  const [first, ...others] = causesIn(found);
  if (first === undefined || isOwnWordBetter(one, first)) return one.reason;
  const { noProgressMs, isRestartTooLate } = one.facts?.[0] ?? {};
  return factsText([{ ...first, noProgressMs, isRestartTooLate }, ...others]);
}

const isAbout = ({ subject }: WorkloadProblem, id: ResourceId): boolean => isSame(subject.id, id);

const isSame = (a: ResourceId, b: ResourceId): boolean => objectKey(a) === objectKey(b);
