/** The parts before and after the first separator; nothing after where there is none. Go: strings.Cut. */
export function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Without what it begins with, where it does so. */
export const trimPrefix = (text: string, prefix: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text;

/** Without what it ends with, where it does so. */
export const trimSuffix = (text: string, suffix: string): string =>
  suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;

/** With a single line break at its end. */
export const endingInLineBreak = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return `${text.slice(0, end)}\n`;
};

/** The lines of a text that ends them as Unix or as Windows does. */
export const linesOf = (text: string): string[] => text.split(/\r?\n/);

/** The same as Go's bufio.Scanner reads them: the line break at the end begins no further line. */
export const scannedLines = (text: string): string[] => {
  const lines = linesOf(text);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

/** With so many spaces before each line but the first, save the empty ones. */
export const hangingIndent = (text: string, spaces: number): string =>
  text.replace(/\n(?=.)/g, `\n${' '.repeat(spaces)}`);

/** Where the text of a line begins; -1 for an empty one. */
export const indentOf = (line: string): number => line.search(/\S/);

/** The column of what follows the dashes of list items. */
export const keyColumn = (line: string): number => /^ *(?:- +)*/.exec(line)?.[0].length ?? 0;

/** Whether a line of YAML begins an item of a list. */
export const isListItem = (line: string): boolean => /^\s*-(?:\s|$)/.test(line);

/** Whether it consists of decimal digits. */
export const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** The same with a sign, or without one. */
export const isInteger = (text: string): boolean => /^[+-]?\d+$/.test(text);

/** `noHooks` for `no-hooks`. */
export const camelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());

/** Without the backslashes that escape. */
export const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');

/** Without the double quotes around it. */
export const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1');

/** A word as a POSIX shell reads it. */
export const shellWord = (word: string): string =>
  /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** `a, b or c` */
export const orList = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** `1 resource`, `2 resources` */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
