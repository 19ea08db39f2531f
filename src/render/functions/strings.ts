import { fromByteString, toByteString } from '../../go/byte-string.ts';
import { formatValue } from '../../go/fmt/format.ts';
import { checkTextLength } from '../../go/limits.ts';
import {
  isDigit,
  isLetter,
  isLower,
  isSpace,
  isTitle,
  isUpper,
  lowerRune,
  runesOf,
  titleRune,
  toLower,
  toUpper,
  trimSpace,
  upperRune,
} from '../../go/runes.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { GoError, nilList, type Value, withGoType } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { camelCase, kebabCase, snakeCase } from './case-words.ts';
import { textOf, textsOf } from './conversion.ts';
import type { FunctionEnvironment } from './environment.ts';
import { randomDraws } from './environment.ts';
import { abbreviate, abbreviateBoth, initials, withoutSpaces, wrap, wrapWith } from './text-layout.ts';

/** sprig's string functions; `shuffle` draws from the environment. */
export const stringFunctions = (environment: FunctionEnvironment): FunctionTable => ({
  ...fixedStringFunctions,
  shuffle: goFunction('func(string) string', (text: string) => shuffle(text, environment)),
});

const textToText = 'func(string) string';
const fixedStringFunctions: FunctionTable = {
  hello: goFunction('func() string', () => 'Hello!'),
  trim: goFunction(textToText, trimSpace),
  upper: goFunction(textToText, toUpper),
  lower: goFunction(textToText, toLower),
  title: goFunction(textToText, title),
  untitle: goFunction(textToText, untitle),
  swapcase: goFunction(textToText, swapCase),
  snakecase: goFunction(textToText, snakeCase),
  camelcase: goFunction(textToText, camelCase),
  kebabcase: goFunction(textToText, kebabCase),
  nospace: goFunction(textToText, withoutSpaces),
  initials: goFunction(textToText, initials),
  abbrev: goFunction('func(int, string) string', abbreviate),
  abbrevboth: goFunction('func(int, int, string) string', abbreviateBoth),
  wrap: goFunction('func(int, string) string', wrap),
  wrapWith: goFunction('func(int, string, string) string', wrapWith),
  trunc: goFunction('func(int, string) string', truncate),
  substr: goFunction('func(int, int, string) string', substring),
  repeat: goFunction('func(int, string) string', repeat),
  indent: goFunction('func(int, string) string', indent),
  nindent: goFunction('func(int, string) string', (spaces: number, text: string) => `\n${indent(spaces, text)}`),
  trimall: goFunction('func(string, string) string', trimAll),
  trimAll: goFunction('func(string, string) string', trimAll),
  trimSuffix: goFunction('func(string, string) string', trimSuffix),
  trimPrefix: goFunction('func(string, string) string', trimPrefix),
  contains: goFunction('func(string, string) bool', (part: string, text: string) => text.includes(part)),
  hasPrefix: goFunction('func(string, string) bool', (part: string, text: string) => text.startsWith(part)),
  hasSuffix: goFunction('func(string, string) bool', (part: string, text: string) => text.endsWith(part)),
  replace: goFunction('func(string, string, string) string', replace),
  plural: goFunction('func(string, string, int) string', plural),
  quote: goFunction('func(...any) string', (values: readonly Value[]) =>
    notNil(values)
      .map((value) => quote(textOf(value)))
      .join(' '),
  ),
  squote: goFunction('func(...any) string', (values: readonly Value[]) =>
    notNil(values)
      .map((value) => `'${formatValue(value)}'`)
      .join(' '),
  ),
  cat: goFunction('func(...any) string', (values: readonly Value[]) => notNil(values).map(formatValue).join(' ')),
  join: goFunction('func(string, any) string', join),
  split: goFunction('func(string, string) map[string]string', (separator: string, text: string) =>
    numbered(splitText(text, separator)),
  ),
  splitn: goFunction('func(string, int, string) map[string]string', (separator: string, limit: number, text: string) =>
    numbered(splitText(text, separator, limit)),
  ),
  splitList: goFunction('func(string, string) []string', (separator: string, text: string) =>
    splitText(text, separator),
  ),
};

const notNil = (values: readonly Value[]): Value[] => values.filter((value) => value !== null && value !== undefined);

/** strings.Title: the first letter of each word; a word ends at ASCII punctuation and at any space. */
function title(text: string): string {
  let previous = ' ';
  return runesOf(text)
    .map((rune) => {
      const isFirst = endsWord(previous);
      previous = rune;
      return isFirst ? titleRune(rune) : rune;
    })
    .join('');
}

function endsWord(rune: string): boolean {
  if (rune <= '\x7f') return !/[\w]/.test(rune);
  return !isLetter(rune) && !isDigit(rune) && isSpace(rune);
}

/** goutils.Uncapitalize: the first letter after each space, in lower case. */
function untitle(text: string): string {
  let afterSpace = true;
  return runesOf(text)
    .map((rune) => {
      if (isSpace(rune)) {
        afterSpace = true;
        return rune;
      }
      const changed = afterSpace ? lowerRune(rune) : rune;
      afterSpace = false;
      return changed;
    })
    .join('');
}

/** goutils.SwapCase: small letters become capitals, at the start of a word title case. */
function swapCase(text: string): string {
  let afterSpace = true;
  return runesOf(text)
    .map((rune) => {
      if (isUpper(rune) || isTitle(rune)) {
        afterSpace = false;
        return lowerRune(rune);
      }
      if (!isLower(rune)) {
        afterSpace = isSpace(rune);
        return rune;
      }
      const changed = afterSpace ? titleRune(rune) : upperRune(rune);
      afterSpace = false;
      return changed;
    })
    .join('');
}

function shuffle(text: string, environment: FunctionEnvironment): string {
  const runes = runesOf(text);
  const draw = randomDraws(environment, runes.length);
  for (let last = runes.length - 1; last > 0; last--) {
    const drawn = draw(last + 1);
    [runes[last], runes[drawn]] = [runes[drawn] as string, runes[last] as string];
  }
  return runes.join('');
}

/** The first `count` bytes, or the last ones when it is negative. */
function truncate(count: number, text: string): string {
  const bytes = toByteString(text);
  if (count < 0 && bytes.length + count > 0) return fromByteString(bytes.slice(count));
  return count >= 0 && bytes.length > count ? fromByteString(bytes.slice(0, count)) : text;
}

/** The bytes from `start` to `end`: up to `end` when start is negative, from `start` on when end is. */
function substring(start: number, end: number, text: string): string {
  const bytes = toByteString(text);
  const length = bytes.length;
  if (start < 0) {
    if (end < 0) throw outOfRange(`[:${end}]`);
    if (end > length) throw outOfRange(`[:${end}] with length ${length}`);
    return fromByteString(bytes.slice(0, end));
  }
  const stop = end < 0 || end > length ? length : end;
  if (start > stop) throw outOfRange(`[${start}:${stop}]`);
  return fromByteString(bytes.slice(start, stop));
}

const outOfRange = (bounds: string): GoError => new GoError(`runtime error: slice bounds out of range ${bounds}`);

/** strings.Repeat. */
function repeat(count: number, text: string): string {
  if (count < 0) throw new GoError('strings: negative Repeat count');
  checkTextLength(text.length * count);
  return text.repeat(count);
}

function indent(spaces: number, text: string): string {
  const pad = repeat(spaces, ' ');
  return pad + replace('\n', `\n${pad}`, text);
}

/** strings.Trim: `cutset` is a set of runes. */
function trimAll(cutset: string, text: string): string {
  const cut = new Set(cutset);
  const runes = [...text];
  let start = 0;
  let end = runes.length;
  while (start < end && cut.has(runes[start] as string)) start++;
  while (end > start && cut.has(runes[end - 1] as string)) end--;
  return runes.slice(start, end).join('');
}

function trimSuffix(suffix: string, text: string): string {
  return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
}

function trimPrefix(prefix: string, text: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

/** strings.ReplaceAll; an empty `old` is found before and after every rune. */
function replace(old: string, replacement: string, text: string): string {
  const parts = old === '' ? ['', ...text, ''] : text.split(old);
  checkTextLength(text.length + (parts.length - 1) * replacement.length);
  return parts.join(replacement);
}

/** strings.Join of the texts of a list. */
function join(separator: string, list: Value): string {
  const texts = textsOf(list);
  checkTextLength(texts.reduce((length, text) => length + text.length + separator.length, 0));
  return texts.join(separator);
}

function plural(one: string, many: string, count: number): string {
  return count === 1 ? one : many;
}

/** strings.Split, or SplitN with a limit: an empty separator splits into runes. */
export function splitText(text: string, separator: string, limit = -1): string[] {
  if (limit === 0) return nilList('[]string') as string[];
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0 || parts.length <= limit) return withGoType(parts, '[]string');
  const rest = parts.slice(limit - 1).join(separator);
  return withGoType([...parts.slice(0, limit - 1), rest], '[]string');
}

/** The parts as a map: `_0`, `_1`, … */
const numbered = (parts: readonly string[]): Map<string, string> =>
  withGoType(new Map(parts.map((part, index) => [`_${index}`, part])), 'map[string]string');
