import { causesText, diagnose, type Finding, isBroken, likelihoodOf } from '../cluster/diagnosis.ts';
import { timedOut, type Unready, unreadyLine } from '../cluster/observe.ts';
import { objectKey } from '../manifest/resource-id.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { Problem } from '../problem/problem.ts';
import { hasCode, type TshelmError } from '../support/errors.ts';
import { printable } from '../support/printable.ts';
import type { Run } from './context.ts';
import { explainedProblems } from './loose-end.ts';
import { looseEnds, withNearNames } from './near-names.ts';
import { objectsIn } from './plan-objects.ts';
import { secretMask } from './secret-mask.ts';
import { type Described, waitFaults } from './wait-faults.ts';

/** `details` of a failed wait beside those of the wait itself. */
export interface Explanation {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  readonly causes: readonly Finding[];
  readonly gaps: readonly string[];
}

/** More are looked at by nobody, and cost the API server requests when it may be in trouble itself. */
const maxResources = 20;

/**
 * The same failure with what the cluster tells of its cause: the likely one in the first line of the message, all of
 * them in `details`. It is looked for at once, before anything is rolled back or tidied up and the proof is gone.
 */
export async function explained(error: unknown, run: Run, { areLogsToldLater = false } = {}): Promise<unknown> {
  if (!hasCode(error, 'wait-failed', 'wait-timeout')) return error;
  const { unready } = error.details;
  if (unready.length === 0) return error;
  const ids = unready.slice(0, maxResources).map(({ id }) => id);
  const withoutSecrets = secretMask(run.plan);
  // Pods write what they like, escape sequences too; it goes to terminals and into the record.
  const mask = (text: string): string => printable(withoutSecrets(text));
  const diagnosed = await diagnose(run.cluster, ids, {
    signal: run.signal,
    mask,
    lastWords: run.lastWords,
    strategy: run.plan.strategy === 'ordered' ? 'ordered' : 'watcher',
  });
  const objects = objectsIn(run.plan);
  const findings = diagnosed.findings.map((finding) => withNearNames(finding, objects));
  const { gaps } = diagnosed;
  const told = findings.filter(({ kind }) => kind !== 'nothing');
  const described = describedOf(error, unready, told).map((each) => ({ ...each, said: mask(saidOf(each)) }));
  const message = mask(messageWith(error, unready, told));
  const seen = unjudgedWithProbe(unready, described, told).map((each) => ({ ...each, said: '' }));
  const undecided = waitFaults(seen, objects, mask).map((problem) => ({ ...problem, state: 'unjudged' as const }));
  const { problems, notes } = explainedProblems(
    [...waitFaults(described, objects, mask), ...undecided],
    looseEnds(objects),
  );
  const explanation: Explanation = {
    problems: areLogsToldLater ? problems.map(withoutLog) : problems,
    notes: [...unjudged(unready, [...described, ...seen]), ...notes, ...gaps.map((gap) => `(${gap})`)],
    causes: findings,
    gaps,
  };
  return error.wrapped({ message, details: { ...explanation } });
}

/** Of a hook the whole log is told. */
const withoutLog = (problem: Problem): Problem => ({
  ...problem,
  evidence: problem.evidence.filter(({ kind }) => kind !== 'log'),
});

const shownNames = 5;

/** What a first failure left undecided, where a probe has told something of it. */
export function unjudgedWithProbe(
  unready: readonly Unready[],
  described: readonly Described[],
  findings: readonly Finding[],
): readonly Described[] {
  return leftOf(unready, described)
    .map((one) => ({
      one,
      found: findings.filter(({ kind, resource }) => kind === 'probe' && isSame(resource, one.id)),
    }))
    .filter(({ found }) => found.length > 0)
    .slice(0, shownNames);
}

/** What a first failure left undecided and nothing is known of. */
export function unjudged(unready: readonly Unready[], described: readonly Described[]): readonly string[] {
  const left = leftOf(unready, described);
  if (left.length === 0) return [];
  const seen = left.slice(0, shownNames).map(({ id }) => `${id.kind}/${id.name}`);
  return [`not judged, because the run ended before: ${seen.join(', ')}${left.length > shownNames ? ', …' : ''}`];
}

const leftOf = (unready: readonly Unready[], described: readonly Described[]): readonly Unready[] =>
  unready.filter(({ id }) => !described.some(({ one }) => isSame(one.id, id)));

/**
 * Helm's lines, each with the cause of its resource in place of what it is waited for; the likely cause first. Resources
 * that were not given up yet are told too where something below them has failed or crashed.
 */
export function messageWith(error: TshelmError, unready: readonly Unready[], findings: readonly Finding[]): string {
  const described = describedOf(error, unready, findings);
  const lines = described.map(saidOf);
  return [...lines, ...(hasCode(error, 'wait-timeout') ? [timedOut(error.details.timeoutMs)] : [])].join('\n');
}

/** As it is told everywhere else: what is broken has failed, though the wait for it had not been given up. */
function saidOf({ one, found }: Described): string {
  const status = found.some(isBroken) ? 'Failed' : one.status;
  return unreadyLine({ ...one, status, reason: reasonWith(one, found) });
}

function describedOf(
  { code }: TshelmError,
  unready: readonly Unready[],
  findings: readonly Finding[],
): readonly Described[] {
  const isTold = ({ one, found }: Described): boolean =>
    code === 'wait-timeout' ||
    one.state === 'failed' ||
    found.some((each) => each === findings[0] || isBroken(each) || isHeld(each));
  return unready
    .map((one) => ({ one, found: findings.filter(({ resource }) => isSame(resource, one.id)) }))
    .filter(isTold)
    .sort((a, b) => likelihood(b.found[0]) - likelihood(a.found[0]));
}

/** Whether the scheduler or the API server has said why it cannot go on, though that may pass. */
const isHeld = ({ kind, reason }: Finding): boolean => kind === 'refused' || reason.startsWith('Unschedulable: ');

const likelihood = (finding: Finding | undefined): number => (finding === undefined ? 0 : likelihoodOf(finding));

/**
 * What was found says more than what was waited for, and how long it was waited for is not lost. Where a resource has
 * failed by its own word, something below it that is merely not done yet is no better reason.
 */
function reasonWith({ reason, state }: Unready, found: readonly Finding[]): string {
  const [finding] = found;
  if (finding === undefined || (state === 'failed' && !isBroken(finding))) return reason;
  return causesText(found, / \(no progress for [^)]*\)$/.exec(reason)?.[0]);
}

const isSame = (a: ResourceId, b: ResourceId): boolean => objectKey(a) === objectKey(b);
