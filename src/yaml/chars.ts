// Character classes of the YAML reader, over UTF-16 codes. The text ends with a NUL (cursor.ts).
const endOfText = 0;

export const isBreak = (code: number): boolean =>
  code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;

export const isSpace = (code: number): boolean => code === 0x20;

export const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

export const isBreakOrEnd = (code: number): boolean => code === endOfText || isBreak(code);

export const isBlankBreakOrEnd = (code: number): boolean => isBlank(code) || isBreakOrEnd(code);

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Letters, digits, "_" and "-": what anchors, tag handles and directive names are made of. */
export const isWord = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x2d;

/** The hexadecimal digit's value; -1 for anything else. */
export function hexDigit(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

export const codeOf = (char: string): number => char.charCodeAt(0);

// Regular expressions run at full speed from the first document on, loops over characters do not.
/** Up to the end of the line. */
export const restOfLine = /[^\0\n\r\x85\u2028\u2029]*/y;
/** Lines of blanks and comments, as far as a line feed ends them. */
export const emptyLines = /(?: *(?:#[^\0\n\r\x85\u2028\u2029]*)?\n){1,1000}/y;
/** The words of a plain scalar of the block context that stand on this line, and the blanks between them. */
export const plainWords =
  /(?:[^\0\t\n\r \x85\u2028\u2029:]+|:(?![\0\t\n\r \x85\u2028\u2029])|[\t ]+(?![\0\t\n\r \x85\u2028\u2029#:])){0,1000}/y;
/** In a flow collection: one word. */
export const plainFlowWord = /(?:[^\0\t\n\r \x85\u2028\u2029:,?[\]{}]+|:(?![\0\t\n\r \x85\u2028\u2029])){0,1000}/y;
/** What stands for itself in double quotes. */
export const unescapedWord = /[^\0\t\n\r \x85\u2028\u2029"\\]*/y;

/** How many lines or words the patterns above take at once: the engine keeps each in mind, and has a stack for some millions. */
const mostAtOnce = 1000;

/** Where the matches of a sticky pattern from `start` on end; `start` where there is none. */
export function endOf(pattern: RegExp, text: string, start: number): number {
  for (let end = start; ; ) {
    pattern.lastIndex = end;
    const next = pattern.test(text) ? pattern.lastIndex : end;
    if (next - end < mostAtOnce) return next;
    end = next;
  }
}
