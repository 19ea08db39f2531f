import { causeText, diagnose, type Finding, findingsText, likelihoodOf } from '../cluster/diagnosis.ts';
import { timedOut, type Unready, unreadyLine } from '../cluster/observe.ts';
import { objectKey } from '../manifest/resource-id.ts';
import type { ResourceId } from '../manifest/types.ts';
import { hasCode, type TshelmError } from '../support/errors.ts';
import { printable } from '../support/printable.ts';
import type { Run } from './context.ts';
import { secretMask } from './secret-mask.ts';

/** `details` of a failed wait beside those of the wait itself. */
export interface Explanation {
  /** The findings for a terminal. */
  readonly diagnosis: string;
  readonly causes: readonly Finding[];
  readonly gaps: readonly string[];
}

/** More are looked at by nobody, and cost the API server requests when it may be in trouble itself. */
const maxResources = 20;

/**
 * The same failure with what the cluster tells of its cause: the likely one in the first line of the message, all of
 * them in `details`. It is looked for at once, before anything is rolled back or tidied up and the proof is gone.
 */
export async function explained(error: unknown, run: Run): Promise<unknown> {
  if (!hasCode(error, 'wait-failed', 'wait-timeout')) return error;
  const { unready } = error.details;
  if (unready.length === 0) return error;
  const ids = unready.slice(0, maxResources).map(({ id }) => id);
  const withoutSecrets = secretMask(run.plan);
  // Pods write what they like, escape sequences too; it goes to terminals and into the record.
  const mask = (text: string): string => printable(withoutSecrets(text));
  const { findings, gaps } = await diagnose(run.cluster, ids, {
    signal: run.signal,
    mask,
    strategy: run.plan.strategy === 'ordered' ? 'ordered' : 'watcher',
  });
  const told = findings.filter(({ kind }) => kind !== 'nothing');
  const message = mask(messageWith(error, unready, told));
  const explanation: Explanation = {
    diagnosis: findingsText(told.length > 0 ? told : findings, gaps, message),
    causes: findings,
    gaps,
  };
  return error.wrapped({ message, details: explanation });
}

/**
 * Helm's lines, each with the cause of its resource in place of what it is waited for; the likely cause first. Resources
 * that were not given up yet are told too where something below them has failed or crashed.
 */
export function messageWith(error: TshelmError, unready: readonly Unready[], findings: readonly Finding[]): string {
  const isTimeout = error.code === 'wait-timeout';
  const likeliest = findings[0];
  const described = unready
    .map((one) => ({ one, finding: findings.find(({ resource }) => isSame(resource, one.id)) }))
    .filter(({ one, finding }) => isTimeout || one.state === 'failed' || isBroken(finding, likeliest))
    .sort((a, b) => likelihood(b.finding) - likelihood(a.finding));
  const lines = described.map(({ one, finding }) => unreadyLine({ ...one, reason: reasonWith(one, finding) }));
  return [...lines, ...(hasCode(error, 'wait-timeout') ? [timedOut(error.details.timeoutMs)] : [])].join('\n');
}

/** A resource that was not given up yet, but is hardly better off than the one that was. */
const isBroken = (finding: Finding | undefined, likeliest: Finding | undefined): boolean =>
  finding !== undefined && (finding === likeliest || finding.outlook !== 'open');

const likelihood = (finding: Finding | undefined): number => (finding === undefined ? 0 : likelihoodOf(finding));

/**
 * What was found says more than what was waited for, and how long it was waited for is not lost. Where a resource has
 * failed by its own word, something below it that is merely not done yet is no better reason.
 */
function reasonWith({ reason, state }: Unready, finding: Finding | undefined): string {
  if (finding === undefined || (state === 'failed' && finding.outlook === 'open')) return reason;
  const patience = /\(no progress for [^)]*\)$/.exec(reason)?.[0];
  return `${causeText(finding)}${patience === undefined ? '' : ` ${patience}`}`;
}

const isSame = (a: ResourceId, b: ResourceId): boolean => objectKey(a) === objectKey(b);
