import {
  isAscii,
  isLetter,
  isNumber,
  isPunct,
  isSpace,
  isUpper,
  lowerRune,
  remembered,
  runesOf,
  upperRune,
  wellFormed,
} from '../../go/runes.ts';
import { unreachable } from '../../support/errors.ts';

/** xstrings.ToSnakeCase. */
export const snakeCase = (text: string): string => joinWords(text, '_');

/** xstrings.ToKebabCase. */
export const kebabCase = (text: string): string => joinWords(text, '-');

const isConnector = (rune: string): boolean => rune === '-' || rune === '_' || isSpace(rune);

/** xstrings.ToPascalCase: sprig's camelcase. */
export function camelCase(text: string): string {
  const runes = runesOf(text);
  const first = runes.findIndex((rune) => !isConnector(rune));
  if (first === -1) return runes.length === 0 ? '' : text + (runes.at(-1) as string);
  if (first === runes.length - 1) return runes.slice(0, first).join('') + upperRune(runes[first] as string);
  let out = runes.slice(0, first).join('');
  let inCapitals = isUpper(runes[first] as string);
  let current = upperRune(runes[first] as string);
  for (const rune of runes.slice(first + 1)) {
    const previous = current;
    current = rune;
    if (isConnector(current) && isConnector(previous)) {
      out += previous;
    } else if (isConnector(previous)) {
      inCapitals = isUpper(current);
      current = upperRune(current);
    } else {
      if (inCapitals) {
        if (isUpper(current)) current = lowerRune(current);
        else inCapitals = false;
      }
      out += previous;
    }
  }
  return out + current;
}

type WordKind = 'none' | 'number' | 'capitals' | 'letters' | 'connector' | 'punctuation' | 'other';

interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

/** Words in lower case with the connector between them; digits stay with the letters that they follow. */
function joinWords(text: string, connector: string): string {
  const words = wordsOf(text);
  let index = 0;
  let out = '';
  const next = (): Word => words[index++] ?? { kind: 'none', text: '' };
  const write = (word: Word): void => {
    out += word.kind === 'capitals' || word.kind === 'connector' ? lowered(word, connector) : word.text;
  };
  const writeWhile = (word: Word): Word => {
    let current = word;
    while (current.kind === 'letters' || current.kind === 'number') {
      write(current);
      current = next();
    }
    return current;
  };
  const separates = (word: Word): boolean => word.kind !== 'connector' && word.kind !== 'punctuation';

  let word = next();
  while (index < words.length) {
    if (word.kind !== 'connector') write(word);
    const previous = word;
    word = next();
    if (previous.kind === 'number') {
      word = writeWhile(word);
      if (word.kind !== 'none' && separates(word)) out += connector;
    } else if (previous.kind === 'connector') {
      write(previous);
    } else if (previous.kind !== 'punctuation') {
      if (word.kind !== 'number') {
        if (separates(word)) out += connector;
        continue;
      }
      if (index >= words.length) break;
      const digits = word;
      word = next();
      if (word.kind !== 'letters') {
        write(digits);
        if (separates(word)) out += connector;
        continue;
      }
      out += connector;
      write(digits);
      word = writeWhile(word);
      if (word.kind !== 'none' && separates(word)) out += connector;
    }
  }
  write(word);
  return out;
}

function lowered({ kind, text }: Word, connector: string): string {
  if (isAscii(text)) return kind === 'connector' ? connector.repeat(text.length) : text.toLowerCase();
  return Array.from(text, (rune) => (isConnector(rune) ? connector : isUpper(rune) ? lowerRune(rune) : rune)).join('');
}

/** xstrings' words: runs of one kind; a capital belongs to the small letters after it. U+FFFD belongs to any word. */
function wordsOf(text: string): Word[] {
  const runes = runesOf(text);
  const whole = wellFormed(text);
  const words: Word[] = [];
  let start = 0;
  let offset = 0;
  while (start < runes.length) {
    const first = nextValid(runes, start);
    const kind = first < runes.length ? kindOfRune(runes[first] as string) : 'none';
    const end = wordEnd(runes, first, kind);
    const from = offset;
    for (; start < end; start++) offset += (runes[start] as string).length;
    words.push({ kind, text: whole.slice(from, offset) });
  }
  return words;
}

const broken = '\ufffd';

const kindOfRune = remembered((rune: string): WordKind => {
  if (isConnector(rune)) return 'connector';
  if (isPunct(rune)) return 'punctuation';
  if (isUpper(rune)) return 'capitals';
  if (isAlphabet(rune)) return 'letters';
  return isNumber(rune) ? 'number' : 'other';
});

/** @param first where the first rune of the word is that is not U+FFFD */
function wordEnd(runes: readonly string[], first: number, kind: WordKind): number {
  const runTo = (from: number, belongs: (rune: string) => boolean): number => {
    let end = from;
    while (end < runes.length && (runes[end] === broken || belongs(runes[end] as string))) end++;
    return end;
  };
  switch (kind) {
    case 'none':
      return runes.length;
    case 'connector':
      return runTo(first + 1, isConnector);
    case 'punctuation':
      return runTo(first + 1, isPunct);
    case 'letters':
      return runTo(first + 1, isSmallLetter);
    case 'number':
      return runTo(first + 1, isNumber);
    case 'other':
      return runTo(first + 1, (rune) => kindOfRune(rune) === 'other');
    case 'capitals':
      return capitalsEnd(runes, first, runTo);
    default:
      return unreachable(kind);
  }
}

/** "HTTPServer": the last capital begins the next word when a small letter follows it. */
function capitalsEnd(
  runes: readonly string[],
  first: number,
  runTo: (from: number, belongs: (rune: string) => boolean) => number,
): number {
  const second = nextValid(runes, first + 1);
  if (second >= runes.length) return runes.length;
  if (!isUpper(runes[second] as string)) {
    return isAlphabet(runes[second] as string) ? runTo(second + 1, isSmallLetter) : first + 1;
  }
  const end = runTo(second + 1, isUpper);
  return end < runes.length && isAlphabet(runes[end] as string) ? end - 1 : end;
}

const isSmallLetter = (rune: string): boolean => kindOfRune(rune) === 'letters';

function nextValid(runes: readonly string[], from: number): number {
  let index = from;
  while (index < runes.length && runes[index] === broken) index++;
  return index;
}

/** Letters of scripts that write words; the Chinese characters do not count. */
function isAlphabet(rune: string): boolean {
  if (!isLetter(rune)) return false;
  const code = rune.codePointAt(0) as number;
  return !(
    (code >= 0x4e00 && code <= 0x9fcc) ||
    (code >= 0x3400 && code <= 0x4d85) ||
    (code >= 0x20000 && code <= 0x2b81d)
  );
}
