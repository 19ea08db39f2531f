/** Go's unicode package for what templates need: classes and one-to-one case mappings of a rune. */

const spaceClass = '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const space = new RegExp(`^[${spaceClass}]$`);

export const isSpace = remembered((rune: string): boolean => space.test(rune));
export const isUpper = remembered((rune: string): boolean => /^\p{Lu}$/u.test(rune));
export const isLower = remembered((rune: string): boolean => /^\p{Ll}$/u.test(rune));
export const isTitle = remembered((rune: string): boolean => /^\p{Lt}$/u.test(rune));
export const isLetter = remembered((rune: string): boolean => /^\p{L}$/u.test(rune));
export const isDigit = remembered((rune: string): boolean => /^\p{Nd}$/u.test(rune));
export const isNumber = remembered((rune: string): boolean => /^\p{N}$/u.test(rune));
export const isPunct = remembered((rune: string): boolean => /^\p{P}$/u.test(rune));

/** A text of megabytes has the same few runes again and again. */
export function remembered<T>(find: (rune: string) => T): (rune: string) => T {
  const known = new Map<string, T>();
  return (rune) => {
    let found = known.get(rune);
    if (found === undefined) {
      found = find(rune);
      if (known.size < mostRemembered) known.set(rune, found);
    }
    return found;
  };
}

const mostRemembered = 10_000;

/** A Go string as runes: what is not UTF-8 becomes U+FFFD. */
export const runesOf = (text: string): string[] => [...wellFormed(text)];

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
export const wellFormed = (text: string): string => text.replace(loneSurrogate, '\ufffd');

/** unicode.ToUpper. */
export const upperRune = remembered((rune: string): string => {
  const upper = rune.toUpperCase();
  return isOneRune(upper) ? upper : greekCapital(rune);
});

/** unicode.ToLower. */
export const lowerRune = remembered((rune: string): string => {
  const lower = rune.toLowerCase();
  return isOneRune(lower) ? lower : String.fromCodePoint(lower.codePointAt(0) as number);
});

/** unicode.ToTitle: differs from upper case in the digraphs, and leaves Georgian letters as they are. */
export function titleRune(rune: string): string {
  const code = rune.codePointAt(0) as number;
  if (code >= 0x1c4 && code <= 0x1cc) return String.fromCharCode(0x1c5 + 3 * Math.floor((code - 0x1c4) / 3));
  if (code >= 0x1f1 && code <= 0x1f3) return '\u01f2';
  if ((code >= 0x10d0 && code <= 0x10fa) || (code >= 0x10fd && code <= 0x10ff)) return rune;
  return upperRune(rune);
}

/** strings.ToUpper: rune by rune, so that 'ß' stays one letter. */
export const toUpper = (text: string): string =>
  isAscii(text) ? text.toUpperCase() : runesOf(text).map(upperRune).join('');

/** strings.ToLower. */
export const toLower = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : runesOf(text).map(lowerRune).join('');

/** strings.TrimSpace. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start] as string)) start++;
  while (end > start && isSpace(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

const isOneRune = (text: string): boolean => text.length === 1 || [...text].length === 1;

// Small letters with a iota below have a capital of their own, which JavaScript writes as two letters.
function greekCapital(rune: string): string {
  const code = rune.codePointAt(0) as number;
  if (code >= 0x1f80 && code <= 0x1faf) return String.fromCharCode(code | 8);
  return code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3 ? String.fromCharCode(code + 9) : rune;
}
