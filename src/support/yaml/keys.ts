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
  if (isAscii.test(a) && isAscii.test(b)) return compareRunes(a, b, v3);
  return compareRunes([...a], [...b], v3);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const isAscii = /^[\0-\x7f]*$/;

type Runes = string | readonly string[];

function compareRunes(a: Runes, b: Runes, v3: boolean): number {
  const length = Math.min(a.length, b.length);
  let afterDigit = false;
  for (let index = 0; index < length; index++) {
    const left = a[index] as string;
    const right = b[index] as string;
    if (left === right) {
      if (v3) afterDigit = isDigit(left);
      continue;
    }
    const leftIsLetter = isLetter(left);
    const rightIsLetter = isLetter(right);
    if (leftIsLetter && rightIsLetter) return codePoint(left) - codePoint(right);
    if (leftIsLetter || rightIsLetter) return rightIsLetter === !(v3 && afterDigit) ? -1 : 1;
    return compareDigits(a, b, index);
  }
  return a.length - b.length;
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
