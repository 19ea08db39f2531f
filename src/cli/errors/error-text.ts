import { slogLine } from '../../go/slog.ts';
import { textWidth } from '../../show/table.ts';
import {
  addedDetail,
  causesOf,
  hasCode,
  messageOf,
  problemsOf,
  type SourcePlace,
  TshelmError,
} from '../../support/errors.ts';
import { hangingIndent, trimSuffix } from '../../support/text.ts';
import { factText } from '../../words/fact.ts';
import type { OnDisk } from '../../words/problem.ts';
import { remedyText } from '../../words/remedy.ts';
import { clipped, foldedLine, labelledFrom } from '../terminal/fit.ts';
import { noPaint, type Paint } from '../terminal/paint.ts';
import { onDisk as inFolder } from './chart-file.ts';
import { excerptText, windowOf, windowStart } from './excerpt.ts';
import { lineAndRole, type Mark, type MarkedLine, markedDetail, paintedLine, unmarked } from './line-role.ts';
import { knownProblems, problemsText } from './problems-text.ts';

/**
 * What a failure looks like on standard error: what was warned of before it, then what is wrong, problem by problem
 * (problems-text.ts); or Helm's line, and the place in the user's file with the lines around it. A failure of tshelm itself
 * (any other exception) comes with its stack.
 */
export function errorText(thrown: unknown, onDisk: OnDisk = asNamed, mark: Mark = unmarked): string {
  return warningsBefore(thrown) + mark('headline', `Error: ${textOf(thrown, onDisk, mark)}`);
}

function textOf(thrown: unknown, onDisk: OnDisk, mark: Mark): string {
  const message = messageOf(thrown);
  const messageText = isOrder(thrown) ? undefined : problemsText(thrown, onDisk, mark);
  if (messageText !== undefined) return `${messageText}\n`;
  const place = addedDetail(thrown, 'place');
  const remedies = remediesText(thrown, mark);
  const paragraphs = [
    place === undefined ? '' : trimSuffix(excerptText(placeOnDisk(place, onDisk), message, mark), '\n'),
    meaningText(thrown),
    remedies,
    (addedDetail(thrown, 'notes') ?? []).join('\n'),
    addedDetail(thrown, 'report') ?? '',
  ].filter((text) => text !== '');
  const stack = isInternalError(thrown) ? `${(thrown as Error).stack}\n` : '';
  const isBroken = paragraphs.length > 0 || !message.endsWith('\n');
  const headline = trimSuffix(ownWords(thrown, onDisk, mark), '\n');
  // One line and its way out belong together.
  const gap = paragraphs.join('') === remedies && !headline.includes('\n') ? '\n' : '\n\n';
  return `${[headline, ...paragraphs].join(gap)}\n${isBroken ? '' : '\n'}${stack}`;
}

/** Mistakes in an order are listed by their message, with their places. */
const isOrder = (thrown: unknown): boolean => hasCode(thrown, 'dependency-cycle', 'invalid-ordering');

/** What Helm's words mean, where these come first. */
const meaningText = (thrown: unknown): string =>
  isOrder(thrown)
    ? ''
    : knownProblems(thrown)
        .map(({ cause }) => factText(cause))
        .join('\n');

/** What to do about a failure whose problems, if it has any, stand in its message. */
export function remediesText(thrown: unknown, mark: Mark = unmarked): string {
  const remedies = addedDetail(thrown, 'remedies') ?? [];
  const ofOrder = isOrder(thrown) ? knownProblems(thrown).flatMap((problem) => problem.remedies) : [];
  const lines = [...remedies, ...ofOrder].map((remedy) => `  ${markedDetail(mark, 'fix', remedyText(remedy))}`);
  return [...new Set(lines)].join('\n');
}

/** The message; files are named as on disk in what Helm has no words for. */
function ownWords(thrown: unknown, onDisk: OnDisk, mark: Mark): string {
  if (hasCode(thrown, 'stack-failed')) return releaseTexts(messageOf(thrown), thrown.details.errors, mark);
  if (!isOrder(thrown)) return messageOf(thrown);
  const places = problemsOf(thrown).flatMap((problem) => problem.places);
  const files = new Set(places.flatMap((place) => (place.kind === 'file' ? place.file : [])));
  return [...files].reduce((text, file) => text.replaceAll(`${file}:`, () => `${onDisk(file)}:`), messageOf(thrown));
}

/** The failure of each release as it is reported where it is the only one, below its name. */
function releaseTexts(message: string, errors: Readonly<Record<string, unknown>>, mark: Mark): string {
  return Object.entries(errors).reduce((text, [id, error]) => {
    const messageText = textOf(error, inFolder(addedDetail(error, 'chartFolder'), '/'), mark).trimEnd();
    const block = hangingIndent(messageText, 4);
    return text.replace(`  ${id}: ${messageOf(error)}`, () => `  ${id}: ${block}${block.includes('\n') ? '\n' : ''}`);
  }, message);
}

/**
 * An error as a terminal of so many columns shows it (undefined: there is none): lines that are too long go on below,
 * indented; of those of files the part around the caret stays, and those of stacks are as they are. To be called once
 * secrets are masked: a fold may divide one. Marked lines lose their signs, and get their colours.
 */
export function wrapForTerminal(text: string, columns: number | undefined, paint: Paint = noPaint): string {
  const lines = text.split('\n').map(lineAndRole);
  const caret = lines.find(({ line }) => quoted.test(line) && line.endsWith('^'))?.line ?? '';
  return lines
    .map((marked) => {
      const { line, role } = marked;
      if (quoted.test(line)) return paintedQuote(columns ? clippedQuote(line, caret, columns - 1) : line, paint);
      if (isFrame(line)) return paint.dim(line);
      return paintedLine(columns ? foldedMarked(marked, Math.max(20, columns - 1)) : line, role, paint);
    })
    .join('\n');
}

const quoted = /^[> ] +\d* \| /;
const isFrame = (line: string): boolean => /^ {4}at /.test(line);

/** The line in question stands out from those around it. */
function paintedQuote(line: string, { bad, dim, strong }: Paint): string {
  if (line.startsWith('>')) return strong(bad('>') + line.slice(1));
  return line.endsWith('^') ? dim(line.slice(0, -1)) + strong(bad('^')) : dim(line);
}

/** Where the caret would be out of sight, it and the line above it are shown from further on. */
function clippedQuote(line: string, caret: string, columns: number): string {
  const head = quoted.exec(line)?.[0] ?? '';
  const room = Math.max(8, columns - head.length);
  const body = line.slice(head.length);
  if (line !== caret && !line.startsWith('>')) return head + clipped(body, room, '…');
  const from = windowStart(caret.length - 1 - head.length, room);
  return head + (line === caret ? body.slice(from) : windowOf(body, from, room));
}

/** A command stays whole, on a line of its own where that helps. */
function foldedMarked({ line, pastedAt }: MarkedLine, columns: number): string {
  if (pastedAt === undefined || textWidth(line) <= columns) return foldedLine(line, columns);
  const text = foldedLine(line.slice(0, pastedAt).trimEnd(), columns);
  return `${text}\n${' '.repeat(labelledFrom)}${line.slice(pastedAt)}`;
}

/** A failure of rendering brings the warnings that there were until then, `details.warnings`. */
function warningsBefore(thrown: unknown): string {
  const warnings = addedDetail(thrown, 'warnings') ?? [];
  return warnings.map((warning) => `${warning}\n`).join('');
}

const asNamed: OnDisk = (file) => file;

/** The same place under the file's path; of rendered text nothing is on disk. */
const placeOnDisk = (place: SourcePlace, onDisk: OnDisk): SourcePlace => ({ ...place, file: onDisk(place.file) });

const isInternalError = (thrown: unknown): boolean =>
  thrown instanceof TypeError || thrown instanceof ReferenceError || messageOf(thrown).startsWith('internal: ');

/** The failure of a command whose errors Helm begins with words of their own: `INSTALLATION FAILED: …`. */
export function withPrefix(prefix: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || isInternalError(thrown)) return thrown;
  const message = `${prefix}: ${thrown.message}`;
  return thrown instanceof TshelmError
    ? thrown.wrapped({ message, details: { command: prefix } })
    : new TshelmError('failed', { message, details: { command: prefix }, cause: thrown });
}

/** The failure to reach the cluster at all, as Helm's install and template say and log it; one that a step names came later. */
export function asReachability(thrown: unknown): unknown {
  if (!hasCode(thrown, 'cluster-unreachable')) return thrown;
  if (causesOf(thrown).filter((cause) => hasCode(cause, thrown.code)).length > 1) return thrown;
  const message = `cluster reachability check failed: ${thrown.message}`;
  const warnings = [...(addedDetail(thrown, 'warnings') ?? []), slogLine('ERROR', message)];
  return thrown.wrapped({ message, details: { warnings } });
}
