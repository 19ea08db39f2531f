import { slogLine } from '../../go/slog.ts';
import { chartFactOf } from '../../render/chart-facts.ts';
import { textWidth } from '../../show/table.ts';
import { addedDetail, causesOf, hasCode, messageOf, type SourcePlace, TshelmError } from '../../support/errors.ts';
import { chartText } from '../../words/chart.ts';
import { clipped, wrapped } from '../terminal/fit.ts';
import { brokenSchemasText } from './broken-schemas-text.ts';
import { onDisk as inFolder, type OnDisk } from './chart-file.ts';
import { mistakeOf } from './decide.ts';
import { excerptText, windowOf, windowStart } from './excerpt.ts';
import { faultsOf, faultsText } from './fault-text.ts';
import { mistakeText } from './mistake-text.ts';
import { plainWords } from './plain-words.ts';
import { refusedValuesText } from './refused-values-text.ts';

/**
 * What a failure looks like on standard error: what was warned of before it, then what is wrong, fault by fault
 * (fault-text.ts); or Helm's line, and the place in the user's file with the lines around it. A failure of tshelm itself
 * (any other exception) comes with its stack.
 */
export function errorText(thrown: unknown, onDisk: OnDisk = asNamed): string {
  return `${warningsBefore(thrown)}Error: ${textOf(thrown, onDisk)}`;
}

function textOf(thrown: unknown, onDisk: OnDisk): string {
  const message = messageOf(thrown);
  const place = addedDetail(thrown, 'place');
  const mistake = mistakeOf(thrown);
  if (mistake !== undefined) return `${mistakeText(mistake, onDisk)}\n`;
  const told = faultsText(thrown, onDisk) ?? ownWords(thrown, onDisk).replace(/\n$/, '');
  const paragraphs = [
    place === undefined ? '' : excerptText(placeOnDisk(place, onDisk), message).replace(/\n$/, ''),
    meaningOf(thrown, onDisk),
    refusedValuesText(thrown, onDisk),
    brokenSchemasText(thrown, onDisk),
    ...(faultsOf(thrown).length > 0
      ? []
      : [(addedDetail(thrown, 'notes') ?? []).join('\n'), addedDetail(thrown, 'report') ?? '']),
  ].filter((text) => text !== '');
  const stack = isOurMistake(thrown) ? `${(thrown as Error).stack}\n` : '';
  const isBroken = paragraphs.length > 0 || !message.endsWith('\n');
  return `${[told, ...paragraphs].join('\n\n')}\n${isBroken ? '' : '\n'}${stack}`;
}

/** The message; files are named as on disk in what Helm has no words for. */
function ownWords(thrown: unknown, onDisk: OnDisk): string {
  if (hasCode(thrown, 'stack-failed')) return releaseTexts(messageOf(thrown), thrown.details.errors);
  if (hasCode(thrown, 'dependency-cycle', 'invalid-ordering')) return withFiles(messageOf(thrown), thrown, onDisk);
  return messageOf(thrown);
}

/** The failure of each release as it is told where it is the only one, below its name. */
function releaseTexts(message: string, errors: Readonly<Record<string, unknown>>): string {
  return Object.entries(errors).reduce((text, [id, error]) => {
    const told = textOf(error, inFolder(addedDetail(error, 'chartFolder'), '/')).trimEnd();
    const block = told.replace(/\n(?=.)/g, '\n    ');
    return text.replace(`  ${id}: ${messageOf(error)}`, () => `  ${id}: ${block}${block.includes('\n') ? '\n' : ''}`);
  }, message);
}

function withFiles(told: string, thrown: unknown, onDisk: OnDisk): string {
  const files = new Set((addedDetail(thrown, 'faults') ?? []).flatMap(({ file }) => file ?? []));
  return [...files].reduce((text, file) => text.replaceAll(`${file}:`, () => `${onDisk(file)}:`), told);
}

/** What a failure means in plain words, and what was probably meant; '' where there is nothing to add, or each fault says it. */
export function meaningOf(thrown: unknown, onDisk: OnDisk = asNamed): string {
  const hints = (addedDetail(thrown, 'hints') ?? []).map((hint) => withFiles(hint, thrown, onDisk));
  const isTold = faultsOf(thrown).length > 0;
  // What a template failed of is told in Helm's words alone where no place is shown.
  const fact = isTold || addedDetail(thrown, 'place') === undefined ? undefined : chartFactOf(thrown);
  const words = isTold ? '' : [fact && chartText(fact), plainWords(messageOf(thrown))].filter(Boolean).join('\n');
  return [words, ...hints].filter((text) => text !== '').join('\n');
}

/**
 * An error as a terminal of so many columns shows it (undefined: there is none): lines that are too long go on below,
 * indented; of those of files the part around the caret stays, and those of stacks are as they are. To be called once
 * secrets are masked: a fold may divide one.
 */
export function folded(text: string, columns: number | undefined): string {
  if (!columns) return text;
  const lines = text.split('\n');
  const caret = lines.find((line) => quoted.test(line) && line.endsWith('^')) ?? '';
  return lines
    .map((line) => {
      if (quoted.test(line)) return clippedQuote(line, caret, columns - 1);
      return isFrame(line) ? line : foldedLine(line, Math.max(20, columns - 1));
    })
    .join('\n');
}

const quoted = /^[> ] +\d* \| /;
const isFrame = (line: string): boolean => /^ {4}at /.test(line);

/** Where the caret would be out of sight, it and the line above it are shown from further on. */
function clippedQuote(line: string, caret: string, columns: number): string {
  const head = quoted.exec(line)?.[0] ?? '';
  const room = Math.max(8, columns - head.length);
  const body = line.slice(head.length);
  if (line !== caret && !line.startsWith('>')) return head + clipped(body, room, '…');
  const from = windowStart(caret.length - 1 - head.length, room);
  return head + (line === caret ? body.slice(from) : windowOf(body, from, room));
}

/** So far a line is indented that goes on what a label stands before. */
const labelledFrom = 9;

function foldedLine(line: string, columns: number): string {
  if (textWidth(line) <= columns) return line;
  const start = /^ +(?:(?:where|value|fix|so|log|also|more|next) +)?|^\d+\. /.exec(line)?.[0] ?? '';
  const isColumn = /\S/.test(start) || start.length >= labelledFrom;
  const before = ' '.repeat(start.length + (isColumn ? 0 : 2));
  const [first = '', ...rest] = wrapped(line.slice(start.length), columns - before.length);
  return [start + first, ...rest.map((each) => before + each)].join('\n');
}

/** A failure of rendering brings the warnings that there were until then, `details.warnings`. */
function warningsBefore(thrown: unknown): string {
  const warnings = addedDetail(thrown, 'warnings') ?? [];
  return warnings.map((warning) => `${warning}\n`).join('');
}

const asNamed: OnDisk = (file) => file;

/** The same place under the file's path; of rendered text nothing is on disk. */
const placeOnDisk = (place: SourcePlace, onDisk: OnDisk): SourcePlace => ({ ...place, file: onDisk(place.file) });

const isOurMistake = (thrown: unknown): boolean =>
  thrown instanceof TypeError || thrown instanceof ReferenceError || messageOf(thrown).startsWith('internal: ');

/** The failure of a command whose errors Helm begins with words of their own: `INSTALLATION FAILED: …`. */
export function withPrefix(prefix: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || isOurMistake(thrown)) return thrown;
  const message = `${prefix}: ${thrown.message}`;
  return thrown instanceof TshelmError
    ? thrown.wrapped({ message })
    : new TshelmError('failed', { message, cause: thrown });
}

/** The failure to reach the cluster at all, as Helm's install and template say and log it; one that a step names came later. */
export function asReachability(thrown: unknown): unknown {
  if (!hasCode(thrown, 'cluster-unreachable')) return thrown;
  if (causesOf(thrown).filter((cause) => hasCode(cause, thrown.code)).length > 1) return thrown;
  const message = `cluster reachability check failed: ${thrown.message}`;
  const warnings = [...(addedDetail(thrown, 'warnings') ?? []), slogLine('ERROR', message)];
  return thrown.wrapped({ message, details: { warnings } });
}
