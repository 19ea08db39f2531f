import type { ResourceId } from '../../manifest/types.ts';
import { linesBefore, linesUpTo, type TellingLine, tellingLine } from '../../problem/foreign/program-log.ts';
import type { Outlook } from './pod-trouble.ts';

/** What kind of evidence a finding rests on; the order of likelihood is {@link likelihoodOf}. */
export type FindingKind =
  | 'container'
  | 'pod'
  | 'refused'
  | 'volume'
  | 'schedule'
  | 'probe'
  | 'deletion'
  | 'condition'
  | 'nothing';

/** One cause, as far as the cluster tells it; the entries of a report's `causes`. */
export interface Finding {
  /** What was waited for. */
  readonly resource: ResourceId;
  /** From the resource down: `Deployment/web`, `ReplicaSet/web-7d`, `Pod/web-7d-x`, `container app`. */
  readonly chain: readonly string[];
  readonly kind: FindingKind;
  readonly outlook: Outlook;
  readonly reason: string;
  /** What a Job says of its own end: `BackoffLimitExceeded: …`. */
  readonly verdict?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly restarts?: number | undefined;
  /** `Readiness probe failed: HTTP probe failed with statuscode: 503`, the last one. */
  readonly probe?: string | undefined;
  /** What explains it further: a name of the release that is much like the missing one, what the largest node has. */
  readonly hint?: string | undefined;
  /** The pod was deleted after its log was read. */
  readonly isGone?: true | undefined;
  /** The last lines of the container's log. */
  readonly log: readonly string[];
  /** Those of the container before its last restart. */
  readonly previousLog: readonly string[];
  /** Warnings about what is in the chain, the latest last: `FailedScheduling: 0/3 nodes are available (x4)`. */
  readonly events: readonly string[];
}

/** Higher is more likely the cause, and less likely the consequence of something else. */
export function likelihoodOf({ kind, outlook, exitCode }: Finding): number {
  const proof = exitCode === undefined ? 0 : 2;
  if (outlook === 'never') return 100 + proof;
  if (outlook === 'doubtful') return 80 + proof;
  return kinds.length - kinds.indexOf(kind);
}

const kinds: readonly FindingKind[] = [
  'refused',
  'volume',
  'schedule',
  'pod',
  'container',
  'deletion',
  'condition',
  'probe',
  'nothing',
];

/** The likely cause first. */
export const rankFindings = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((a, b) => likelihoodOf(b) - likelihoodOf(a));

/** Whether something has failed there, and is not merely not done yet. */
export const isBroken = ({ outlook }: Finding): boolean => outlook !== 'open';

/**
 * What is wrong with one resource, in one line: the likely cause, then what else is broken, each place named once.
 * `patience` says how long it was waited for: ` (no progress for 30 s)`.
 */
export function causesText([first, ...others]: readonly Finding[], patience = ''): string {
  if (first === undefined) return '';
  const pod = first.chain.findLast((one) => one.startsWith('Pod/'));
  const more = others.filter(isBroken).map((finding) => {
    const chain = finding.chain.filter((one) => one !== pod);
    return `; ${causeText({ ...finding, chain, verdict: undefined })}`;
  });
  return [causeText(first, patience), ...more].join('');
}

/** One line, without the resource itself: `Pod/web-7d-x, container app: CrashLoopBackOff, exit code 1, 4 restarts; its log ends: …`. */
export function causeText(finding: Finding, patience = ''): string {
  const { chain, reason, verdict, exitCode, restarts = 0 } = finding;
  const place = chain.slice(1).filter((one) => !one.startsWith('ReplicaSet/'));
  const exit = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  const again = restarts === 0 ? '' : `, ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`;
  const where = place.length === 0 ? '' : `${place.join(', ')}: `;
  const said = exitCode === undefined ? undefined : tellingLine(tellingLog(finding));
  const log = said === undefined ? '' : `; its log ${said.isLast ? 'ends' : 'says'}: ${shortened(said.text)}`;
  const hint = finding.hint === undefined ? '' : `; ${finding.hint}`;
  return `${verdict === undefined ? '' : `${verdict}; `}${where}${reason}${exit}${again}${patience}${log}${hint}`;
}

/** What tells most of a container that ended is its log before the restart. */
export const tellingLog = ({ log, previousLog }: Pick<Finding, 'log' | 'previousLog'>): readonly string[] =>
  previousLog.length > 0 ? previousLog : log;

const shortened = (text: string, columns = 160): string =>
  text.length > columns ? `${text.slice(0, columns - 1)}…` : text;

/** A chain of errors (`cannot start: cannot connect: no such host`) ends in what lies behind them, so its middle is left out. */
function withoutMiddle(text: string, columns: number): string {
  if (text.length <= columns) return text;
  const [begin, rest] = [text.slice(0, columns / 3), text.slice(-columns / 2)];
  const head = begin.includes(': ') ? begin.slice(0, begin.lastIndexOf(': ') + 1) : begin;
  const tail = rest.includes(': ') ? rest.slice(rest.indexOf(': ') + 2) : rest;
  return `${head} … ${tail}`;
}

/**
 * The cause in one line, what the program said of it first: `container app: no host db (CrashLoopBackOff, exit code 1, 4
 * restarts)`. `patience` says how long it was waited for: ` (no progress for 30 s)`.
 */
export function problemText(finding: Finding, patience = ''): string {
  const { chain, reason, verdict, exitCode, restarts = 0 } = finding;
  const last = chain.at(-1) ?? '';
  const where = /^(?:init )?container |^PersistentVolumeClaim\//.test(last) && chain.length > 1 ? `${last}: ` : '';
  const exit = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  const again = restarts === 0 ? '' : `, ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`;
  const end = verdict === undefined ? '' : `; ${verdict}`;
  const complaint = complaintOf(finding);
  if (complaint === undefined) return `${where}${reason}${exit}${again}${end}${patience}`;
  const said = withoutHeader(complaint);
  // The program's own words are the cause: that its Job has given up needs no sentence.
  const brief = end.replace(/: Job has reached the specified backoff limit$/, '');
  return `${where}${withoutMiddle(said, shownColumns)} (${reason}${exit}${again}${brief})${patience}`;
}

/** What a program that ended by itself named as an error; what killed it (its memory, a probe) is in the reason. */
export const complaintOf = (finding: Finding): string | undefined => complaintIn(finding)?.text;

function complaintIn(finding: Finding): TellingLine | undefined {
  const isTold = finding.exitCode !== undefined || isAnswer.test(finding.reason);
  if (!isTold || /OOMKilled|killed after/.test(finding.reason)) return undefined;
  const said = tellingLine(tellingLog(finding));
  return said?.isError === true ? said : undefined;
}

/** A line of a log without its time, and of JSON what is meant for people: `error getting secret: secrets is forbidden`. */
function withoutHeader(line: string): string {
  const text = line.replace(
    /^[[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[.,\d]*(?:Z| ?[+-]\d\d:?\d\d| UTC)?[\])]?\s+/,
    '',
  );
  if (!text.startsWith('{'))
    return text.replace(/^[EFIW]\d{4} \d\d:\d\d:[\d.]+ +\d+ [\w.-]+:\d+\] |^\[[\w./-]+\.\w+:\d+\] /, '');
  try {
    const { msg, message = msg, err, error = err } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const parts = [message, error].filter((part) => typeof part === 'string' && part !== '');
    return parts.length === 0 ? text : parts.join(': ');
  } catch {
    return text;
  }
}

const shownLines = 5;
const shownColumns = 300;
const shownEvents = 3;

/** What is behind a finding. */
export interface Evidence {
  /** The end of its log up to the line that tells; none where {@link problemText} has said all of it. */
  readonly log: readonly string[];
  /** What shows the whole log, where that is longer. */
  readonly command: string | undefined;
  /** Warnings that say more than the finding itself. */
  readonly events: readonly string[];
}

/** What a finding rests on, as much of it as fits on a screen. */
export function evidenceOf(finding: Finding): Evidence {
  const log = tellingLog(finding);
  const { events } = withoutRepetition(finding);
  const complaint = complaintIn(finding);
  const lines = complaint === undefined ? linesBefore(log, shownLines) : linesUpTo(log, complaint, shownLines);
  return {
    log: lines.length === 1 && complaint !== undefined ? [] : lines.map((line) => shortened(line, shownColumns)),
    command: lines.length < log.length || isAnswer.test(finding.reason) ? logCommand(finding) : eventsCommand(finding),
    events: events.slice(-shownEvents),
  };
}

/** A program that answers its probe with an error knows the cause, and may say it later than it was waited for. */
const isAnswer = /probe failed: HTTP probe failed with statuscode: 5/;

/** Without the events that say what the reason, the verdict or a later event says, be it of another pod of the same owner. */
const withoutRepetition = (finding: Finding): Finding => {
  const told = [finding.reason.replace(/^[^:]*: /, '').replace(/; also missing: .*$/, ''), finding.verdict ?? ''].map(
    withoutDrawnNames,
  );
  const events = finding.events.filter((event, index) => {
    const text = withoutDrawnNames(event);
    const later = finding.events.slice(index + 1).map(withoutDrawnNames);
    const isSaid = told.some((one) => one !== '' && text.includes(one)) || isEcho(event, finding);
    return !later.includes(text) && !isSaid;
  });
  return { ...finding, events };
};

/** The kubelet's or the scheduler's event for what the finding says in more words. */
const isEcho = (event: string, { reason, chain, exitCode }: Finding): boolean =>
  // Of a program that ends, its readiness probe and the back-off say no more.
  (exitCode !== undefined &&
    /^(?:Unhealthy: Readiness probe failed|BackOff: Back-off restarting failed)/.test(event)) ||
  (reason.includes('also missing: ') && event.startsWith('FailedToRetrieveImagePullSecret: ')) ||
  (reason.startsWith('Unschedulable: ') && event.startsWith('FailedScheduling: ')) ||
  (event.startsWith('Unhealthy: ') && reason.includes(event.slice('Unhealthy: '.length).replace(/ \(x\d+\)$/, ''))) ||
  /^Failed: Error: (?:ErrImagePull|ImagePullBackOff)(?: |$)/.test(event) ||
  (/^(?:ErrImagePull|ImagePullBackOff): (?!Back-off)/.test(reason) &&
    event.startsWith('Failed: Failed to pull image')) ||
  (chain.at(-1)?.startsWith('PersistentVolumeClaim/') === true && event.startsWith('FailedScheduling: ')) ||
  (reason.startsWith('CrashLoopBackOff') && event.startsWith('BackOff: Back-off restarting failed container'));

/** The ends of names that Kubernetes draws at random (k8s.io/apimachinery, util/rand: its alphabet). */
const withoutDrawnNames = (text: string): string => text.replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-…');

/** What shows the events of a pod below what was waited for, which no log tells of. */
function eventsCommand({ resource, chain }: Finding): string | undefined {
  const pod = chain.length > 1 ? /^Pod\/(.*)$/.exec(chain.at(-1) ?? '')?.[1] : undefined;
  return pod === undefined ? undefined : `kubectl describe pod ${pod} -n ${resource.namespace}`;
}

/** What prints the log of the finding's container: `kubectl logs web-7d-x -n shop -c app -p`. */
function logCommand({ resource, chain, previousLog, isGone }: Finding): string | undefined {
  if (isGone) return undefined;
  const pod = chain.findLast((one) => one.startsWith('Pod/'))?.slice('Pod/'.length) ?? '';
  const container = /^(?:init )?container (.*)$/.exec(chain.at(-1) ?? '')?.[1];
  const previous = previousLog.length > 0 ? ' -p' : '';
  return `kubectl logs ${pod} -n ${resource.namespace}${container === undefined ? '' : ` -c ${container}`}${previous}`;
}
