/** Reads JSON; integers that a JavaScript number cannot hold exactly become bigint, so that they survive unchanged. */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  let hasMarked = false;
  const marked = text.replace(stringOrLongNumber, (token) => {
    if (token.startsWith('"') || Number.isSafeInteger(Number(token))) return token;
    hasMarked = true;
    return `"${mark}${token}"`;
  });
  return hasMarked ? JSON.parse(marked, revive) : JSON.parse(text);
}

/** Writes JSON with the digits of every bigint. */
export function writeJson(value: unknown): string {
  let hasMarked = false;
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'bigint') return item;
    hasMarked = true;
    return `${mark}${item}`;
  });
  return hasMarked ? text.replace(markedString, '$1') : text;
}

// No YAML or JSON document of the user's can hold this text: it begins with a character of the private use area.
const mark = '\uf8ff\uf8feint:';
const markedString = new RegExp(`"${mark}(-?\\d+)"`, 'g');
const stringOrLongNumber = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

const revive = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value;
