import { timedOut } from '../../cluster/timed-out.ts';
import { batchTitle } from '../../execute/batch-title.ts';
import type { Fact } from '../../problem/fact.ts';
import { isOfObject, type Problem } from '../../problem/problem.ts';
import {
  addedDetail,
  causesOf,
  type ErrorCode,
  hasCode,
  messageOf,
  problemsOf,
  type SourcePlace,
  TshelmError,
} from '../../support/errors.ts';
import { trimSuffix } from '../../support/text.ts';
import { evidenceLines } from '../../words/evidence.ts';
import { factText } from '../../words/fact.ts';
import { codeText, detailLines, labelOf, mergedLines, type OnDisk } from '../../words/problem.ts';
import { remedyText } from '../../words/remedy.ts';
import { frameText } from './excerpt.ts';
import { type Mark, markedDetail, unmarked } from './line-role.ts';

/** The problems that say what is wrong; an object that was not sent has nothing to add to the message. */
export const knownProblems = (failure: unknown): readonly Problem[] =>
  problemsOf(failure).filter(({ state, cause }) => state !== 'unjudged' && cause.code !== 'not-sent');

/** What may be problems too: the run ended before that was decided. */
export const unjudgedProblems = (failure: unknown): readonly Problem[] =>
  problemsOf(failure).filter(({ state }) => state === 'unjudged');

const maxProblems = 10;
/** Objects of one cause. */
const maxNamed = 5;

/**
 * A failure as a list of what is wrong: the cause, and directly below it where it is written, which value makes it, the way
 * out and what the program wrote. Helm's words for it come last. Undefined for a failure that has no such list.
 */
export function problemsText(failure: unknown, onDisk: OnDisk, mark: Mark = unmarked): string | undefined {
  const problems = knownProblems(failure);
  if (problems.length === 0 || isReportedByHelm(failure)) return undefined;
  const { before, prefixes, helm } = messagePartsOf(failure, problems);
  const deadline = deadlineOf(failure);
  const late = deadline === undefined ? '' : ` (${deadline.replace(' (context deadline exceeded)', '')})`;
  const causes = byCause(problems.map((problem, index) => ({ problem, prefix: prefixes[index] ?? '' })));
  const [only, another] = causes;
  if (only !== undefined && another === undefined) {
    const { batch = '', step } = batchIn(before, failure);
    const isLed = !ledByWords.has(only[0].problem.code);
    const head = isLed ? `${step}${causeText(only)}` : `${messageOf(failure).trimEnd()}${codeText(only[0].problem)}`;
    const details = [...causeLines(only, onDisk, mark), ...(batch === '' ? [] : [markedDetail(mark, 'batch', batch)])];
    const block = [`${head}${late}`, ...indented(details, '  ')].join('\n');
    return paragraphs(
      [block, framesOf(only[0].problem, failure), ...unjudgedText(failure, onDisk, mark)],
      failure,
      helmText(isLed ? helm : [], failure, mark),
    );
  }
  const blocks = causes.slice(0, maxProblems).map((same, index) => {
    const number = `${index + 1}. `;
    const head = `${number}${same[0].prefix}${causeText(same)}`;
    return [mark('cause', head), ...indented(causeLines(same, onDisk, mark), ' '.repeat(number.length))].join('\n');
  });
  const more =
    causes.length > maxProblems ? [`… ${causes.length - maxProblems} more; --report FILE keeps them all`] : [];
  const head = `${before}${headOf(failure, causes)}${late}`;
  return paragraphs(
    [head, ...blocks, ...more, ...unjudgedText(failure, onDisk, mark)],
    failure,
    helmText(helm, failure, mark),
  );
}

/** Where a command has no words of its own, Helm's come first: `show` and `template` are compared with Helm's. */
const isReportedByHelm = (failure: unknown): boolean =>
  hasCode(failure, 'chart-invalid', 'values-invalid') && failure.details.command === undefined;

/** Helm's words say all that is known. */
const ledByWords: ReadonlySet<Problem['code']> = new Set(['chart-refuses', 'template-failed', 'yaml-invalid']);

/** The lines of the file at fault, and of what it renders where that is another text. */
function framesOf({ places }: Problem, failure: unknown): string {
  const place = addedDetail(failure, 'place');
  const rendered = addedDetail(failure, 'renderedPlace');
  const at = places.find((one) => one.kind !== 'field' && one.kind !== 'value' && one.file === place?.file);
  const known: SourcePlace | undefined =
    place !== undefined && at !== undefined && 'line' in at && at.line !== undefined
      ? { ...place, line: at.line, column: 'column' in at ? at.column : undefined }
      : place;
  return [
    known === undefined ? '' : trimSuffix(frameText(known), '\n'),
    rendered === undefined
      ? ''
      : // Their numbers would be taken for lines of a file.
        `  which renders:\n\n${trimSuffix(frameText(rendered, { isNumbered: false }), '\n')}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Problems with one cause as a block: what is wrong with which objects, and the lines below it. */
export interface CauseBlock {
  readonly problems: readonly [Problem, ...Problem[]];
  readonly head: string;
  readonly lines: readonly string[];
}

/** Problems of one cause stand in one block. */
export const causeBlocks = (problems: readonly Problem[], onDisk: OnDisk): readonly CauseBlock[] =>
  byCause(problems.map((problem) => ({ problem, prefix: '' }))).map((same) => ({
    problems: same.map(({ problem }) => problem) as [Problem, ...Problem[]],
    head: causeText(same),
    lines: causeLines(same, onDisk, unmarked),
  }));

/** `Deployment/web, Deployment/api: no such tag`, `Deployment/web: containers app, proxy: no such tag` */
function causeText(same: Cause): string {
  const [{ problem }] = same;
  const names = [...new Set(same.map((one) => labelOf(one.problem)))].filter((name) => name !== '');
  const rest = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  const containers = new Set(
    same.flatMap(({ problem: { cause } }) => ('container' in cause ? (cause.container ?? []) : [])),
  );
  const several = `containers ${[...containers].slice(0, maxNamed).join(', ')}: `;
  const told = containers.size > 1 ? several + factText(withoutContainer(problem.cause)) : factText(problem.cause);
  return `${names.slice(0, maxNamed).join(', ')}${rest}${names.length === 0 ? '' : ': '}${told}${codeText(problem)}`;
}

const withoutContainer = (cause: Fact): Fact => ('outlook' in cause ? { ...cause, container: undefined } : cause);

/** Where a person reads more: about a problem that has a code, also one that Helm's words do not show, or else about the failure. */
export function codesNote(failure: unknown, mark: Mark): string {
  const [first] = knownProblems(failure).filter((problem) => codeText(problem) !== '');
  if (first !== undefined) {
    const about = isReportedByHelm(failure) ? 'More about this' : 'What the code in brackets means';
    return `\n${mark('aside', `${about}: tshelm explain ${first.code}`)}\n`;
  }
  const code = codeOf(failure);
  return code === undefined ? '' : `  ${markedDetail(mark, 'more', `tshelm explain ${code}`)}\n`;
}

/** The usage that they show, or the word that they correct, is all there is to say. */
const ofUsage: ReadonlySet<ErrorCode> = new Set(['bad-flag', 'no-results', 'unknown-command', 'wrong-arguments']);

/** The code of a failure, or of the first of its causes that has one of its own; of a stack that of its releases, where they agree. */
function codeOf(failure: unknown): ErrorCode | undefined {
  const coded = causesOf(failure).find((cause) => cause instanceof TshelmError && cause.code !== 'failed');
  if (!(coded instanceof TshelmError) || ofUsage.has(coded.code)) return undefined;
  if (!hasCode(coded, 'stack-failed')) return coded.code;
  const codes = new Set(Object.values(coded.details.errors).map(codeOf));
  const [only] = codes;
  return codes.size === 1 && only !== undefined ? only : coded.code;
}

/** Below it what is below each of them, the places first. */
function causeLines(same: Cause, onDisk: OnDisk, mark: Mark): readonly string[] {
  const lines = mergedLines(same.slice(0, maxNamed).flatMap((one) => detailLines(one.problem, onDisk)));
  const places = lines.filter(({ label }) => label === 'where' || label === 'object');
  const sorted = same.length === 1 ? lines : [...places, ...lines.filter((line) => !places.includes(line))];
  return sorted.map(({ label, text }) => markedDetail(mark, label, text));
}

/** Problems that are reported as one. */
type Cause = readonly [Prefixed, ...Prefixed[]];

interface Prefixed {
  readonly problem: Problem;
  readonly prefix: string;
}

/** Of one cause are a kind that is not served, a value that several take, a complaint of several containers. */
function byCause(all: readonly Prefixed[]): readonly Cause[] {
  const causes = new Map<string, [Prefixed, ...Prefixed[]]>();
  for (const one of all) {
    const { remedies, symptom, places, evidence, subject } = one.problem;
    const values = places.map((place) => (place.kind === 'field' ? place.values : place));
    const seen = evidence.filter(({ kind }) => kind !== 'message').map(({ kind, lines }) => ({ kind, lines }));
    const cause = withoutContainer(one.problem.cause);
    const told = factText('outlook' in cause ? { ...cause, noProgressMs: undefined } : cause);
    const owner = isOfObject(one.problem) ? '' : subject;
    const key = JSON.stringify([one.prefix, owner, told, remedies.map(remedyText), seen, symptom, values]);
    const same = causes.get(key);
    if (same === undefined) causes.set(key, [one]);
    else same.push(one);
  }
  return [...causes.values()];
}

/** The batch in what comes before the cause, which it would only delay; one that is the only one tells nothing. */
function batchIn(before: string, failure: unknown): { readonly step: string; readonly batch?: string | undefined } {
  const batch = addedDetail(failure, 'batch');
  if (batch === undefined || batch.of === 0) return { step: before };
  const title = batchTitle(batch);
  return { step: before.replace(`${title}: `, ''), batch: batch.of > 1 ? title.replace('batch ', '') : undefined };
}

/** What is not decided. */
function unjudgedText(failure: unknown, onDisk: OnDisk, mark: Mark): readonly string[] {
  const lines = unjudgedProblems(failure).flatMap((problem) => [
    `  ${labelOf(problem)}: ${factText(problem.cause)}`,
    ...mergedLines(detailLines(problem, onDisk)).map(({ label, text }) => `    ${markedDetail(mark, label, text)}`),
  ]);
  return lines.length === 0 ? [] : [[mark('cause', 'still starting when the run stopped:'), ...lines].join('\n')];
}

function headOf(failure: unknown, causes: readonly unknown[]): string {
  const count = causes.length === 1 ? '1 error' : `${causes.length} errors`;
  if (hasCode(failure, 'preflight-refused', 'malformed-object', 'no-matches-for-kind'))
    return `${count}, nothing was sent`;
  return count;
}

function paragraphs(blocks: readonly string[], failure: unknown, helm: string): string {
  const notes = [...(addedDetail(failure, 'notes') ?? []), ...preflightNote(failure)];
  return [...blocks, notes.join('\n'), addedDetail(failure, 'report') ?? '', helm]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Helm's words for what the blocks say. */
function helmText(helm: readonly string[], failure: unknown, mark: Mark): string {
  const title = hasCode(failure, 'invalid-manifest')
    ? "Helm's error (its line number counts in the rendered text)"
    : "Helm's error";
  const lines = helm.length > 1 ? [`${title}:`, ...indented(helm, '  ')] : helm.map((line) => `${title}: ${line}`);
  return lines.map((line) => mark('aside', line)).join('\n');
}

/** Objects were only asked about: that nothing was changed but the record of a run whose hooks come first, and the way past the check. */
function preflightNote(failure: unknown): readonly string[] {
  if (!hasCode(failure, 'preflight-refused')) return [];
  const changed = addedDetail(failure, 'recorded') === undefined ? 'nothing was changed' : 'no object was changed';
  return [`${changed}; --preflight=never skips this check`];
}

const indented = (lines: readonly string[], by: string): readonly string[] =>
  lines.map((line) => (line === '' ? '' : `${by}${line}`));

interface MessageParts {
  /** What comes before the first cause: `INSTALLATION FAILED: batch 1 of 2 of shop (db): `. */
  readonly before: string;
  /** The same of each problem, where it differs. */
  readonly prefixes: readonly string[];
  /** What else the message says, without the causes of waits: people search for it. */
  readonly helm: readonly string[];
}

/** What is around the problems' own lines in a message. */
function messagePartsOf(failure: unknown, problems: readonly Problem[]): MessageParts {
  const message = messageOf(failure).trimEnd();
  const command = commandOf(failure);
  if (hasCode(failure, 'preflight-refused', 'encrypted-value')) return { before: command, prefixes: [], helm: [] };
  if (hasCode(failure, 'diff-refused'))
    return { before: `release ${failure.details.release} would be refused: `, prefixes: [], helm: [] };
  const said = problems.map((problem) => evidenceLines(problem, 'message'));
  const starts = said.map(([text]) => (text === undefined ? -1 : message.indexOf(text)));
  const first = Math.min(...starts.filter((start) => start >= 0));
  const before = Number.isFinite(first) ? message.slice(0, first) : command;
  const prefixes = starts.map((start) => (start < 0 ? '' : message.slice(message.lastIndexOf('\n', start) + 1, start)));
  const isShared = prefixes.every((prefix) => prefix === '' || prefix === before);
  const words = said.reduce((text, [whole = '', short = whole]) => text.replace(whole, () => short), message);
  const lines = words.slice(before.length).split('\n');
  const deadline = deadlineOf(failure);
  const helm = lines.map((line) => (line === deadline ? 'context deadline exceeded' : line));
  // Where several objects are told one by one, the first line of what Helm says of them all is enough to be found by.
  const isLong =
    problems.length > 1 &&
    helm.length > 1 &&
    hasCode(failure, 'malformed-object', 'no-matches-for-kind', 'ownership-conflict');
  return {
    before: isShared ? before : command,
    prefixes: isShared ? [] : prefixes.map((prefix) => prefix.replace(command, '')),
    helm: isLong ? [`${helm[0]} …`] : helm,
  };
}

/** `INSTALLATION FAILED: `, or ''. */
export function commandOf(failure: unknown): string {
  const command = addedDetail(failure, 'command');
  return command === undefined ? '' : `${command}: `;
}

/** The line that says that the time for a wait is over. */
function deadlineOf(failure: unknown): string | undefined {
  const late = causesOf(failure).find((cause) => hasCode(cause, 'wait-timeout'));
  return hasCode(late, 'wait-timeout') ? timedOut(late.details.timeoutMs, late.details.limitedBy) : undefined;
}
