import { pathText } from '../../manifest/field-path.ts';
import type { ResourceId } from '../../manifest/types.ts';
import type { FieldPlace, Place, TemplatePlace, ValuePlace } from '../../problem/place.ts';
import { isOfObject, isSameObject, type ObjectProblem } from '../../problem/problem.ts';
import { addedDetail, hasCode, messageOf } from '../../support/errors.ts';
import { evidenceLines } from '../../words/evidence.ts';
import { factText } from '../../words/fact.ts';
import { remedyText } from '../../words/remedy.ts';
import { keysText } from '../../words/value.ts';
import type { OnDisk } from './chart-file.ts';
import type { GivenAt } from './given-values.ts';

/** The problems of a failure that say what is wrong; an object that was not sent has nothing to add to the message. */
export const faultsOf = (failure: unknown): readonly ObjectProblem[] =>
  objectProblems(failure).filter(({ state }) => state !== 'unjudged');

/** What may be problems too: the run ended before that was decided. */
export const unjudgedOf = (failure: unknown): readonly ObjectProblem[] =>
  objectProblems(failure).filter(({ state }) => state === 'unjudged');

const objectProblems = (failure: unknown): readonly ObjectProblem[] =>
  (addedDetail(failure, 'problems') ?? []).filter(isOfObject).filter(({ cause }) => cause.code !== 'not-sent');

const maxFaults = 10;
/** Objects of one cause. */
const maxNamed = 5;

/**
 * A failure as a list of what is wrong: the cause, and directly below it where it is written, which value makes it, the way
 * out and what the program wrote. Helm's words for it come last. Undefined for a failure that has no such list.
 */
export function faultsText(failure: unknown, onDisk: OnDisk): string | undefined {
  const faults = faultsOf(failure);
  if (faults.length === 0) return undefined;
  const { before, prefixes, timeout, helm } = spokenOf(failure, faults);
  const late = timeout === '' ? '' : ` (${timeout})`;
  const causes = byCause(faults.map((fault, index) => ({ fault, prefix: prefixes[index] ?? '' })));
  const [only, another] = causes;
  if (only !== undefined && another === undefined) {
    const { batch = '', step } = batchIn(before);
    const head = `${step}${causeText(only)}${late}`;
    const details = [...causeLines(only, onDisk), ...(batch === '' ? [] : [labelled('batch', batch)])];
    const block = [head, ...indented(details, '  ')].join('\n');
    return paragraphs([block, ...unjudgedText(failure, onDisk)], failure, helm);
  }
  const blocks = causes.slice(0, maxFaults).map((same, index) => {
    const number = `${index + 1}. `;
    const head = `${number}${same[0].prefix}${causeText(same)}`;
    return [head, ...indented(causeLines(same, onDisk), ' '.repeat(number.length))].join('\n');
  });
  const more = causes.length > maxFaults ? [`… ${causes.length - maxFaults} more; --report FILE keeps them all`] : [];
  const head = `${before}${headOf(failure, causes)}${late}`;
  return paragraphs([head, ...blocks, ...more, ...unjudgedText(failure, onDisk)], failure, helm);
}

const ofContainer = /^(?:init )?container ([^:]+): /;

/** `Deployment/web, Deployment/api: no such tag` */
function causeText(same: Cause): string {
  const names = [...new Set(same.map((one) => labelOf(one.fault)))];
  const rest = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  const containers = [...new Set(same.flatMap((one) => ofContainer.exec(factText(one.fault.cause))?.[1] ?? []))];
  const several = `containers ${containers.slice(0, maxNamed).join(', ')}: `;
  const problem = factText(same[0].fault.cause);
  const told = containers.length > 1 ? problem.replace(ofContainer, () => several) : problem;
  return `${names.slice(0, maxNamed).join(', ')}${rest}: ${told}${codeText(same[0].fault)}`;
}

/** Where a person finds what the codes in brackets mean; '' where there is none. */
export function codesNote(failure: unknown): string {
  const [first] = faultsOf(failure).filter((problem) => codeText(problem) !== '');
  return first === undefined ? '' : `\nWhat the code in brackets means: docs/problems.md#${first.code}\n`;
}

/** ` [field-type]`, by which docs/problems.md says more; what is a sentence still has no code to look up. */
const codeText = ({ code }: ObjectProblem): string => (code === 'not-ready' ? '' : ` [${code}]`);

/** Below it what stands below each of them, the places first. */
function causeLines(same: Cause, onDisk: OnDisk): readonly string[] {
  const all = same.slice(0, maxNamed).flatMap((one) => detailLines(one.fault, onDisk));
  const lines = withoutRepeats([...new Set(all)]);
  const places = lines.filter((line) => /^(?:where|object)/.test(line));
  return same.length === 1 ? lines : [...places, ...lines.filter((line) => !places.includes(line))];
}

/** Faults that are told as one. */
type Cause = readonly [Prefixed, ...Prefixed[]];

interface Prefixed {
  readonly fault: ObjectProblem;
  readonly prefix: string;
}

/** Of one cause are a kind that is not served, a value that several take, a complaint of several containers. */
function byCause(all: readonly Prefixed[]): readonly Cause[] {
  const causes = new Map<string, [Prefixed, ...Prefixed[]]>();
  for (const one of all) {
    const { remedies, symptom, places, evidence } = one.fault;
    const values = places.map((place) => (place.kind === 'field' ? place.values : place));
    const seen = evidence.filter(({ kind }) => kind !== 'message').map(({ kind, lines }) => ({ kind, lines }));
    const cause = factText(one.fault.cause)
      .replace(ofContainer, '')
      .replace(/ \(no progress for [^)]*\)$/, '');
    const key = JSON.stringify([one.prefix, cause, remedies.map(remedyText), seen, symptom, values]);
    const same = causes.get(key);
    if (same === undefined) causes.set(key, [one]);
    else same.push(one);
  }
  return [...causes.values()];
}

/** The batch in what stands before the cause, which it would only delay; one that is the only one tells nothing. */
function batchIn(before: string): { readonly step: string; readonly batch?: string | undefined } {
  const [whole = '', batch] = /batch (\d+ of \d+ of .*\)): /.exec(before) ?? [];
  return { step: before.replace(whole, ''), batch: batch?.startsWith('1 of 1 ') ? undefined : batch };
}

function unjudgedText(failure: unknown, onDisk: OnDisk): readonly string[] {
  const lines = unjudgedOf(failure).flatMap((fault) => [
    `  ${labelOf(fault)}: ${factText(fault.cause)}`,
    ...indented(detailLines(fault, onDisk), '    '),
  ]);
  return lines.length === 0 ? [] : [['still starting when the run stopped:', ...lines].join('\n')];
}

function headOf(failure: unknown, causes: readonly unknown[]): string {
  const count = causes.length === 1 ? '1 error' : `${causes.length} errors`;
  if (hasCode(failure, 'preflight-refused', 'malformed-object', 'no-matches-for-kind'))
    return `${count}, nothing was sent`;
  return count;
}

function paragraphs(blocks: readonly string[], failure: unknown, helm: readonly string[]): string {
  const notes = [...(addedDetail(failure, 'notes') ?? []), ...preflightNote(failure)];
  const words =
    helm.length > 1
      ? `Helm's words:\n${indented(helm, '  ').join('\n')}`
      : helm.map((line) => `Helm's words: ${line}`).join('');
  return [...blocks, notes.join('\n'), addedDetail(failure, 'report') ?? '', words]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Objects were only asked about: that nothing was changed, and the way past the check. */
const preflightNote = (failure: unknown): readonly string[] =>
  hasCode(failure, 'preflight-refused')
    ? [
        messageOf(failure)
          .split('\n', 1)
          .join('')
          .replace(commandPrefix(messageOf(failure)), '')
          .replace(/:$/, ''),
      ]
    : [];

const indented = (lines: readonly string[], by: string): readonly string[] => lines.map((line) => `${by}${line}`);

/** `Deployment/web`; of what has no kind or no name, what it has. */
export const labelOf = ({ subject: { id, template } }: ObjectProblem): string =>
  [id.kind, id.name].filter((part) => part !== '').join('/') || template;

const labelWidth = 7;
export const labelled = (label: string, text: string): string => `${label.padEnd(labelWidth)}${text}`;

/** What stands below a cause: `where  shop/templates/web.yaml:18: image: {{ .Values.image }}` and so on. */
export function detailLines(fault: ObjectProblem, onDisk: OnDisk): readonly string[] {
  const { remedies, symptom, evidence } = fault;
  const facts = (['event', 'change'] as const).flatMap((kind) => evidenceLines(fault, kind));
  const [first, ...rest] = evidenceLines(fault, 'log');
  return [
    ...placeLines(fault, onDisk),
    ...remedies.map((remedy) => labelled('fix', remedyText(remedy))),
    ...(symptom === undefined ? [] : [labelled('so', factText(symptom))]),
    ...(first === undefined ? [] : [labelled('log', first), ...rest.map((line) => labelled('', line))]),
    ...facts.map((text) => labelled('also', text)),
    ...evidence.flatMap(({ command }) => (command === undefined ? [] : [labelled('more', command)])),
  ];
}

function placeLines({ subject, places }: ObjectProblem, onDisk: OnDisk): readonly string[] {
  const lines = places.flatMap((place) => linesOf(place, subject.id, onDisk));
  if (lines.length > 0) return withoutRepeats([...new Set(lines)]);
  const { template, line } = subject;
  return template === '' ? [] : [labelled('object', `${onDisk(template)}${line === undefined ? '' : `:${line}`}`)];
}

function linesOf(place: Place, subject: ResourceId, onDisk: OnDisk): readonly string[] {
  switch (place.kind) {
    case 'field':
      return fieldLines(place, subject, onDisk);
    case 'value':
      return [labelled('value', valueText(place, onDisk))];
    default:
      return [whereLine(place, '', onDisk)];
  }
}

/** Lines of one template that read alike are told by one, with all their numbers: `where  web.yaml:18, 31: image: …`. */
function withoutRepeats(lines: readonly string[]): readonly string[] {
  const numbers = new Map<string, string[]>();
  const parts = lines.map((line) => /^(where .*?):(\d+)(: .*)$/.exec(line));
  const keyOf = ([, before, , after]: RegExpExecArray): string => `${before}\0${after}`;
  for (const part of parts)
    if (part !== null) numbers.set(keyOf(part), [...(numbers.get(keyOf(part)) ?? []), part[2] as string]);
  return lines.flatMap((line, index) => {
    const part = parts[index];
    if (part === null || part === undefined) return [line];
    const [first, ...others] = numbers.get(keyOf(part)) ?? [];
    if (first !== part[2]) return [];
    return [`${part[1]}:${[first, ...others].join(', ')}${part[3]}`];
  });
}

function fieldLines({ path, object, lines = [], values = [] }: FieldPlace, subject: ResourceId, onDisk: OnDisk) {
  const [first, ...helpers] = lines;
  const told = values.map((value) => labelled('value', valueText(value, onDisk)));
  if (first === undefined) return told;
  const owner = isSameObject(object, subject) ? '' : ` (${object.kind}/${object.name})`;
  const written = first.written ?? pathText(path);
  const included = helpers.map((one) => whereLine(one, ' (in the helper)', onDisk));
  return [whereLine({ ...first, written }, owner, onDisk), ...included, ...told];
}

const whereLine = ({ file, line, written = '' }: Omit<TemplatePlace, 'kind'>, owner: string, onDisk: OnDisk): string =>
  labelled(
    'where',
    `${onDisk(file)}${line === undefined ? '' : `:${line}`}${written === '' ? '' : `: ${written}`}${owner}`,
  );

function valueText(value: ValuePlace, onDisk: OnDisk): string {
  const at = placeOfValue(value, onDisk);
  const own = value.ownFile === undefined ? '' : ` (the default; yours belongs in ${value.ownFile})`;
  return `${keysText(value.keys)} is ${setTo(value.text)}${at === undefined ? 'with -f or --set' : givenText(at)}${own}`;
}

/** `set to 8080 `, before the place that sets it. */
export const setTo = (value: string | undefined): string => (value === undefined ? 'set ' : `set to ${value} `);

/** `in ci.yaml:3` or `by --set` */
export const givenText = (given: GivenAt): string =>
  'flag' in given ? `by ${given.flag}` : `in ${given.file}:${given.line}`;

/** Where a value is to be changed; undefined where the user gave it in a way that cannot be told any more. */
export function placeOfValue({ flag, file, line, isGiven }: ValuePlace, onDisk: OnDisk): GivenAt | undefined {
  if (flag !== undefined) return { flag };
  if (file === undefined || line === undefined) return undefined;
  return { file: isGiven ? file : onDisk(file), line };
}

interface Spoken {
  /** What stands before the first cause: `INSTALLATION FAILED: batch 1 of 2 of shop (db): `. */
  readonly before: string;
  /** The same of each fault, where it differs. */
  readonly prefixes: readonly string[];
  /** `timed out after 5m0s`, or ''. */
  readonly timeout: string;
  /** What else the message says, without the causes of waits: people search for it. */
  readonly helm: readonly string[];
}

/** Takes a message apart into what stands around the faults' own lines. */
function spokenOf(failure: unknown, faults: readonly ObjectProblem[]): Spoken {
  const message = messageOf(failure).replace(/\n$/, '');
  if (hasCode(failure, 'preflight-refused'))
    return { before: commandPrefix(message), prefixes: [], timeout: '', helm: [] };
  const said = faults.map((fault) => evidenceLines(fault, 'message')[0] ?? '');
  const starts = said.map((text) => (text === '' ? -1 : message.indexOf(text)));
  const first = Math.min(...starts.filter((start) => start >= 0));
  const before = Number.isFinite(first) ? message.slice(0, first) : commandPrefix(message);
  const prefixes = starts.map((start) => (start < 0 ? '' : message.slice(message.lastIndexOf('\n', start) + 1, start)));
  const isShared = prefixes.every((prefix) => prefix === '' || prefix === before);
  const command = commandPrefix(message);
  const timeout = /^timed out after \S+(?= \(context deadline exceeded\)$)/m.exec(message)?.[0] ?? '';
  return {
    before: isShared ? before : command,
    prefixes: isShared ? [] : prefixes.map((prefix) => prefix.replace(command, '')),
    timeout,
    helm: shortened(helmLines(message.slice(before.length), timeout), faults),
  };
}

/** `INSTALLATION FAILED: ` */
export const commandPrefix = (message: string): string => /^[A-Z]+ FAILED: /.exec(message)?.[0] ?? '';

/** Of a malformed object, which its fault tells in the same words. */
const isPlace = /, line \d+ of the rendered object: /;

/** Where several faults are told one by one, the first line of what Helm says of them all is enough to be found by. */
const shortened = (lines: readonly string[], faults: readonly ObjectProblem[]): readonly string[] =>
  faults.length > 1 && lines.length > 1 && (lines[0] ?? '').startsWith('unable to build') ? [`${lines[0]} …`] : lines;

const helmLines = (message: string, timeout: string): readonly string[] =>
  message.split('\n').flatMap((line) => {
    if (timeout !== '' && line.startsWith(timeout)) return ['context deadline exceeded'];
    const wait = /resource \S+ (?:not ready|still exists)\. status: \w+(?=, message: )/.exec(line)?.[0];
    return line.trim() === '' || isPlace.test(line) ? [] : [wait ?? line];
  });
