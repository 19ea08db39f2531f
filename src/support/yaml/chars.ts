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
