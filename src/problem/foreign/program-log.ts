import { Quote, textOf } from '../quote.ts';

/** The line of a log that most likely tells why its program ended, and whether nothing but blank lines follows it. */
export interface RelevantLine {
  /** With the indented lines that go on with it, in one line. */
  readonly text: string;
  readonly isLast: boolean;
  /** Whether it speaks of an error, and is not merely the last one. */
  readonly isError: boolean;
  /** Where it begins and ends in the log, counted from 0. */
  readonly from: number;
  readonly to: number;
}

/**
 * Runtimes end a log with stack frames, their version or a brace, and programs with what they do about their error: what
 * names an error comes first, the last one of those, then what sounds like one, then the last line that is none of that.
 */
export function relevantLine(log: readonly string[]): RelevantLine | undefined {
  const lines = log.map((text, at) => ({ text: text.trim(), at })).filter(({ text }) => text !== '');
  const telling = lines.filter(({ text }) => !frameWork.test(text));
  const causes = telling.filter(({ text }) => !consequencePattern.test(text));
  const complaint = [causes, telling]
    .flatMap((some) => [namesError, soundsLikeError].map((kind) => some.findLast(({ text }) => kind.test(text))))
    .find((line) => line !== undefined);
  const line = complaint ?? telling.at(-1) ?? lines.at(-1);
  if (line === undefined) return undefined;
  const more = complaint === undefined ? [] : continuation(log, line.at);
  const to = line.at + more.length;
  const text = [line.text, ...more].join(' ');
  return { text, isLast: to >= (lines.at(-1)?.at ?? 0), isError: complaint !== undefined, from: line.at, to };
}

const maxContinued = 2;

/** The lines below an error that are further to the right and are text: neither frames nor its fields. */
function continuation(log: readonly string[], at: number): readonly string[] {
  const margin = indentOf(log[at] as string);
  const below = log.slice(at + 1, at + 1 + maxContinued);
  const end = below.findIndex(
    (line) => indentOf(line) <= margin || structuredLinePattern.test(line) || frameWork.test(line.trim()),
  );
  return (end < 0 ? below : below.slice(0, end)).map((line) => line.trim());
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** `code: 'ECONNREFUSED',`, `[cause]: …` */
const structuredLinePattern = /^\s*(?:[\w$]+: .*[,{]|\[\w+\]: .*)$/;

/** Lines that differ in numbers alone (times, attempts) as the last of them, with how many there were. */
function withoutRepeats(log: readonly string[]): readonly string[] {
  const patterns = log.map((line) => line.replace(/\d+/g, '0'));
  return log.flatMap((line, index) => {
    if (line.trim() !== '' && patterns[index + 1] === patterns[index]) return [];
    const first = patterns.findLastIndex((pattern, before) => before < index && pattern !== patterns[index]);
    const times = index - first;
    return [times > 1 && line.trim() !== '' ? `${line} (${times} times)` : line];
  });
}

const shownLines = 5;
const shownColumns = 300;

/**
 * The end of a log up to the line that most likely says why its program ended, as much of it as fits on a screen: what is
 * written after that line is mostly its consequence, and frames of a stack say nothing.
 */
export function lastLines(quotes: readonly Quote[]): readonly Quote[] {
  const log = quotes.map(textOf);
  const telling = relevantLine(log);
  const before = telling?.isError === true ? log.slice(0, telling.to + 1) : log;
  const lines = withoutRepeats(before.filter((line) => !frameWork.test(line.trim()))).slice(-shownLines);
  return lines.map((line) => new Quote(line.length > shownColumns ? `${line.slice(0, shownColumns - 1)}…` : line));
}

/**
 * The part of a log that tells, in at most `room` lines: the telling one, the first that names an error, then the last
 * ones, without frames of a stack. `… 12 lines` stands for those left out between them.
 */
export function relevantLines(log: readonly string[], room: number): readonly string[] {
  if (log.length <= room) return log;
  const telling = relevantLine(log);
  const isFrame = (index: number): boolean => frameWork.test((log[index] as string).trim());
  const backwards = log.map((_line, index) => log.length - 1 - index);
  const first = [telling?.from ?? -1, telling?.to ?? -1, log.findIndex((line) => namesError.test(line))];
  const wanted = [...first, ...backwards.filter((index) => !isFrame(index))];
  const places = [...new Set(wanted)].filter((index) => index >= 0);
  let shown: readonly string[] = [];
  for (const [count] of places.entries()) {
    const lines = withGaps(
      log,
      places.slice(0, count + 1).sort((a, b) => a - b),
    );
    if (count > 0 && lines.length > room) break;
    shown = lines;
  }
  return shown;
}

/** Nothing stands for what is before them: a log's beginning is not read anyway. */
function withGaps(log: readonly string[], places: readonly number[]): readonly string[] {
  return [...places, log.length].flatMap((place, index) => {
    const left = index === 0 ? 0 : place - 1 - (places[index - 1] as number);
    const gap = left === 0 ? [] : [`… ${left} ${left === 1 ? 'line' : 'lines'}`];
    return place === log.length ? gap : [...gap, log[place] as string];
  });
}

/** Frames of Node, Java, .NET, Python, Ruby and Go, and what is around them. */
const frameWork = new RegExp(
  [
    String.raw`^at\s`,
    String.raw`^\.\.\. \d+ (?:more|common frames)`,
    String.raw`^File ".*", line \d+`,
    String.raw`^from .*:\d+:in `,
    String.raw`^goroutine \d+ \[`,
    String.raw`^\S+\.go:\d+`,
    String.raw`^(?:main|runtime|[\w./-]+)\.\S*\(.*\)$`,
    String.raw`^Node\.js v\d`,
    String.raw`^exit status \d+$`,
    String.raw`^Emitted '.*' event`,
    String.raw`^[\s^~{}()[\];,.-]*$`,
  ].join('|'),
);

/** `psycopg2.OperationalError: …`, `Caused by: …`, `panic: …`, `… FATAL: …` */
const namesError = /(?:^|[\s\].:])(?:[\w$]*(?:Error|Exception)|Caused by|panic|fatal(?: error)?|FATAL|PANIC): /;
/** What a program does once it has failed. */
const consequencePattern =
  /\b(?:giv(?:ing|en)|gave) up\b|\b(?:exiting|aborting|aborted|shutting down|terminating|stopping|rolled back|rolling back)\b/i;
const soundsLikeError = /error|fatal|fail|panic|denied|refused|cannot|unable to|not found|no such|read-only|timed out/i;
