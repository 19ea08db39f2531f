/**
 * The order in which Go's YAML libraries write the keys of a map (sorter.go): letters after everything else,
 * runs of digits as numbers ("a2" before "a10"), otherwise by code point.
 */
export function compareKeys(a: string, b: string): number {
  return compare(a, b, false);
}

/** The same in go.yaml.in/yaml/v3, where a letter after a digit comes before what is no letter. */
export function compareKeysV3(a: string, b: string): number {
  return compare(a, b, true);
}

function compare(a: string, b: string, v3: boolean): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if ((left | right) >= 0x80) return compareRunes([...a], [...b], v3);
    if (left !== right) return compareAt(a, b, index, v3);
  }
  return a.length - b.length;
}

/** Runes of a key: the key itself as long as it is ASCII. */
type Runes = string | readonly string[];

function compareRunes(a: readonly string[], b: readonly string[], v3: boolean): number {
  const index = a.findIndex((rune, at) => rune !== b[at]);
  if (index < 0 || index >= b.length) return a.length - b.length;
  return compareAt(a, b, index, v3);
}

/** The runes at `index` are the first that differ. */
function compareAt(a: Runes, b: Runes, index: number, v3: boolean): number {
  const left = a[index] as string;
  const right = b[index] as string;
  const leftIsLetter = isLetter(left);
  const rightIsLetter = isLetter(right);
  if (leftIsLetter && rightIsLetter) return codePoint(left) - codePoint(right);
  if (!leftIsLetter && !rightIsLetter) return compareDigits(a, b, index);
  const isLetterFirst = v3 && index > 0 && isDigit(a[index - 1] as string);
  return leftIsLetter === isLetterFirst ? -1 : 1;
}

/** Neither rune at `index` is a letter: the numbers that start there decide, then their lengths, then the runes. */
function compareDigits(a: Runes, b: Runes, index: number): number {
  const inNumber = (a[index] === '0' || b[index] === '0') && hasNonZeroDigitBefore(a, index) ? 1n : 0n;
  const [leftNumber, leftEnd] = readDigits(a, index, inNumber);
  const [rightNumber, rightEnd] = readDigits(b, index, inNumber);
  if (leftNumber !== rightNumber) return leftNumber < rightNumber ? -1 : 1;
  if (leftEnd !== rightEnd) return leftEnd - rightEnd;
  return codePoint(a[index] as string) - codePoint(b[index] as string);
}

function hasNonZeroDigitBefore(runes: Runes, index: number): boolean {
  for (let before = index - 1; before >= 0 && isDigit(runes[before] as string); before--) {
    if (runes[before] !== '0') return true;
  }
  return false;
}

function readDigits(runes: Runes, from: number, start: bigint): [bigint, number] {
  let end = from;
  let number = start;
  while (end < runes.length && isDigit(runes[end] as string)) {
    number = BigInt.asIntN(64, number * 10n + BigInt(codePoint(runes[end] as string) - 0x30));
    end++;
  }
  return [number, end];
}

const codePoint = (rune: string): number => rune.codePointAt(0) as number;

function isLetter(rune: string): boolean {
  const code = rune.charCodeAt(0);
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return /^\p{L}$/u.test(rune);
}

function isDigit(rune: string): boolean {
  const code = rune.charCodeAt(0);
  if (code < 0x80) return code >= 0x30 && code <= 0x39;
  return /^\p{Nd}$/u.test(rune);
}
