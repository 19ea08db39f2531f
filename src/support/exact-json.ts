/** Reads JSON; integers that a JavaScript number cannot hold exactly become bigint, so that they survive unchanged. */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  let hasLongNumber = false;
  const marked = text.replace(stringOrLongNumber, (token: string, colon: string | undefined) => {
    if (token.startsWith('"')) {
      return colon === undefined && mayBeginWithMark(token) ? `"${textMark}${token.slice(1)}` : token;
    }
    if (Number.isSafeInteger(Number(token))) return token;
    hasLongNumber = true;
    return `"${numberMark}${token}"`;
  });
  return hasLongNumber ? JSON.parse(marked, unmarked) : JSON.parse(text);
}

/** Writes JSON with the digits of every bigint, in one line, or with an indent as JSON.stringify does. */
export function writeJson(value: unknown, indent = ''): string {
  return plainJson(value, indent) ?? markedJson(value, indent);
}

/** Without a look at every value, which takes eight times as long; undefined where there is something to be marked. */
function plainJson(value: unknown, indent: string): string | undefined {
  try {
    const text = JSON.stringify(value, undefined, indent);
    return text.includes(mark) ? undefined : text;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function markedJson(value: unknown, indent: string): string {
  let hasMarked = false;
  const marked = (_key: string, item: unknown): unknown => {
    const isMarkedText = typeof item === 'string' && item.startsWith(mark);
    if (typeof item !== 'bigint' && !isMarkedText) return item;
    hasMarked = true;
    return `${isMarkedText ? textMark : numberMark}${item}`;
  };
  const text = JSON.stringify(value, marked, indent);
  return hasMarked ? text.replace(markedValue, (_value, digits?: string, rest?: string) => digits ?? `"${rest}`) : text;
}

// JSON.parse and JSON.stringify know no bigint: between them and the text each one is a string that begins with a mark.
// A string that begins with the mark by itself is given one of its own, so that it comes back as it was. Keys are never
// marked.
const mark = '\uf8ff\uf8fe';
const numberMark = `${mark}int:`;
const textMark = `${mark}text:`;

/** The colon of a key is taken along, a string without an end to the end. A digit of a fraction or an exponent begins no number. */
const stringOrLongNumber = /"(?:[^"\\]|\\[^])*(?:"(\s*:)?|\\?$)|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
/** Inside a string a quotation mark is behind a backslash. */
const markedValue = new RegExp(`(?<!\\\\)"(?:${numberMark}(-?\\d+)"|${textMark}((?:[^"\\\\]|\\\\.)*"))(?!:)`, 'g');

/** Its first character may be written as an escape. */
const mayBeginWithMark = (token: string): boolean => token[1] === '\\' || token[1] === mark[0];

function unmarked(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(mark)) return value;
  return value.startsWith(textMark) ? value.slice(textMark.length) : BigInt(value.slice(numberMark.length));
}
