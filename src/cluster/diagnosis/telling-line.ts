/** The line of a log that most likely tells why its program ended, and whether nothing but blank lines follows it. */
export interface TellingLine {
  readonly text: string;
  readonly isLast: boolean;
}

/**
 * Runtimes end a log with stack frames, their version or a brace: what names an error comes first, the last one of those,
 * then what sounds like one, then the last line that is none of that frame work.
 */
export function tellingLine(log: readonly string[]): TellingLine | undefined {
  const lines = log.map((line) => line.trim()).filter((line) => line !== '');
  const telling = lines.filter((line) => !frameWork.test(line));
  const text =
    telling.findLast((line) => namesError.test(line)) ??
    telling.findLast((line) => soundsLikeError.test(line)) ??
    telling.at(-1) ??
    lines.at(-1);
  return text === undefined ? undefined : { text, isLast: text === lines.at(-1) };
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
const soundsLikeError = /error|fatal|fail|panic|denied|refused|cannot|not found|no such/i;
