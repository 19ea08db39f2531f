/** The line of a log that most likely tells why its program ended, and whether nothing but blank lines follows it. */
export interface TellingLine {
  readonly text: string;
  readonly isLast: boolean;
  /** Whether it speaks of an error, and is not merely the last one. */
  readonly isError: boolean;
}

/**
 * Runtimes end a log with stack frames, their version or a brace: what names an error comes first, the last one of those,
 * then what sounds like one, then the last line that is none of that frame work.
 */
export function tellingLine(log: readonly string[]): TellingLine | undefined {
  const lines = log.map((line) => line.trim()).filter((line) => line !== '');
  const telling = lines.filter((line) => !frameWork.test(line));
  const complaint =
    telling.findLast((line) => namesError.test(line)) ?? telling.findLast((line) => soundsLikeError.test(line));
  const text = complaint ?? telling.at(-1) ?? lines.at(-1);
  return text === undefined ? undefined : { text, isLast: text === lines.at(-1), isError: complaint !== undefined };
}

/** The last lines of a log, without frames of a stack. */
export const linesBefore = (log: readonly string[], room: number): readonly string[] =>
  log.filter((line) => !frameWork.test(line.trim())).slice(-room);

/** The lines of a log up to the one that tells: what is written after it is mostly its consequence. */
export function linesUpTo(log: readonly string[], telling: string, room: number): readonly string[] {
  const end = log.findLastIndex((line) => line.trim() === telling);
  return linesBefore(end < 0 ? log : log.slice(0, end + 1), room);
}

/**
 * The part of a log that tells, in at most `room` lines: the telling one, the first that names an error, then the last
 * ones, without frames of a stack. `… 12 lines` stands for those left out between them.
 */
export function tellingLines(log: readonly string[], room: number): readonly string[] {
  if (log.length <= room) return log;
  const telling = tellingLine(log)?.text;
  const isFrame = (index: number): boolean => frameWork.test((log[index] as string).trim());
  const backwards = log.map((_line, index) => log.length - 1 - index);
  const first = [log.findLastIndex((line) => line.trim() === telling), log.findIndex((line) => namesError.test(line))];
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

/** Frames of Node, Java, .NET, Python, Ruby and Go, and what stands around them. */
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
const soundsLikeError = /error|fatal|fail|panic|denied|refused|cannot|unable to|not found|no such|read-only|timed out/i;
