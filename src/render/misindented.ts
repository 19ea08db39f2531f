import { builtInType } from '../kinds/field-types.ts';
import { misfits } from '../kinds/object-fields.ts';
import { isObject } from '../support/json.ts';
import { indentOf, isListItem, keyColumn } from '../support/text.ts';
import { readPlainYaml } from '../yaml/index.ts';

/** Lines of a text, counted from 1, that are too deep or not deep enough. */
export interface Misindented {
  readonly from: number;
  /** The last one. */
  readonly until: number;
  /** Whether they are all that one action has written. */
  readonly isBlock: boolean;
  /** By how many columns they would have to move. */
  readonly by?: number | undefined;
}

type IncluderOf = (line: number) => string | undefined;

/** What keeps a text from being YAML: an open quote, or else an indentation. Undefined where it is neither, or too long to try. */
export function wrongLines(text: string, line: number, includerOf?: IncluderOf) {
  if (text.length > longestTried) return undefined;
  const open = openQuote(text, line);
  if (open !== undefined) return { from: open, until: open, isBlock: false, code: 'yaml-quote-open' } as const;
  const colonless = withoutColon(text, line);
  if (colonless !== undefined)
    return { from: colonless, until: colonless, isBlock: false, code: 'yaml-colon-missing' } as const;
  const found = misindented(text, line, includerOf);
  return found && ({ ...found, code: 'yaml-indent' } as const);
}

/** Each of the lines near the mistake costs a reading of the whole. */
const longestTried = 100_000;
const farthest = 30;
const mostMs = 300;

/**
 * The lines whose indentation makes a text no YAML. A reader stumbles at `line`, often below the mistake: the lines above it
 * are tried, each by itself and each block, at other depths. Undefined where none of them makes it YAML. `includerOf`: the
 * action that brought a line from elsewhere.
 */
export function misindented(
  text: string,
  line: number,
  includerOf: IncluderOf = () => undefined,
): Misindented | undefined {
  const lines = text.split('\n');
  const near = Array.from({ length: farthest }, (_one, index) => line + 1 - index).filter((one) => one >= 1);
  const singles = near.map((at) => ({ from: at, until: at, isBlock: false }));
  const until = Date.now() + mostMs;
  const found: (Misindented & { readonly cost: number })[] = [];
  const [lone = [], long = []] = partitioned(blocksOf(near.toReversed(), includerOf));
  for (const block of [...lone, ...singles, ...long]) {
    const first = lines[block.from - 1];
    if (first === undefined || first.trim() === '' || first.trimStart().startsWith('#')) continue;
    const own = indentOf(first);
    for (const depth of depthsNear(lines, block)) {
      if (Date.now() > until) break;
      const cost = costOf(shifted(lines, block, depth - own));
      if (cost !== undefined) found.push({ ...block, by: depth - own, cost });
    }
  }
  const least = Math.min(...found.map(({ cost }) => cost));
  const [best] = found.filter(({ cost }) => cost === least);
  return best;
}

const partitioned = (blocks: readonly Misindented[]) =>
  [true, false].map((isLone) => blocks.filter(({ from, until }) => (from === until) === isLone));

/** Lines that one action of a template has written: `include "shop.labels" . | nindent 4` */
function blocksOf(lines: readonly number[], includerOf: (line: number) => string | undefined): readonly Misindented[] {
  const blocks: Misindented[] = [];
  let last: string | undefined;
  for (const line of lines) {
    const includer = includerOf(line);
    const open = blocks.at(-1);
    if (includer !== undefined && includer === last && open !== undefined)
      blocks[blocks.length - 1] = { ...open, until: line };
    else if (includer !== undefined) blocks.push({ from: line, until: line, isBlock: true });
    last = includer;
  }
  return blocks;
}

/** Those of the lines around, of children of them, and none of its own. */
function depthsNear(lines: readonly string[], { from, until }: Misindented): readonly number[] {
  const own = indentOf(lines[from - 1] as string);
  const around = [...lines.slice(Math.max(0, from - 8), from - 1), ...lines.slice(until, until + 4)];
  const depths = around
    .filter((one) => one.trim() !== '')
    .flatMap((one) => [indentOf(one), indentOf(one) + 2, ...(isListItem(one) ? [indentOf(one) + 4] : [])]);
  return [...new Set(depths)].filter((depth) => depth !== own && Math.abs(depth - own) <= 4);
}

function shifted(lines: readonly string[], { from, until }: Misindented, by: number): string {
  return lines
    .map((one, index) => {
      if (index < from - 1 || index >= until || one.trim() === '') return one;
      return by > 0 ? ' '.repeat(by) + one : one.slice(Math.min(-by, indentOf(one)));
    })
    .join('\n');
}

/** The line above the one where the reader stumbles whose quote is open: closed there, the text is YAML. */
export function openQuote(text: string, line: number): number | undefined {
  const lines = text.split('\n');
  const at = lines.findLastIndex((one, index) => {
    if (index >= line || index < line - farthest) return false;
    const quote = openQuoteIn(one);
    return quote !== undefined && costOf(lines.with(index, `${one}${quote}`).join('\n')) !== undefined;
  });
  return at < 0 ? undefined : at + 1;
}

/** The quote that a line opens and does not close: one before its value, or any `"`. */
export function openQuoteIn(line: string): '"' | "'" | undefined {
  const isOdd = (quote: string): boolean => line.split(quote).length % 2 === 0;
  if (/(?:^\s*|[:-]\s+)'/.test(line) && isOdd("'")) return "'";
  return isOdd('"') ? '"' : undefined;
}

/** The line near the one where the reader stumbles that is YAML with a colon behind its first word. */
function withoutColon(text: string, line: number): number | undefined {
  const lines = text.split('\n');
  const at = lines.findLastIndex((one, index) => {
    if (index > line || index < line - 3) return false;
    const meant = withColon(one);
    if (meant === undefined || (isBareWord(one) && !hasBlockBelow(lines, index))) return false;
    return costOf(lines.with(index, meant).join('\n')) !== undefined;
  });
  return at < 0 ? undefined : at + 1;
}

/** A line that begins with a word instead of a key, with the colon of one: `ports`, `app web`. */
function withColon(line: string): string | undefined {
  const [, start, rest] = /^( *(?:- )?[A-Za-z][\w./-]*)( [^\s:#][^:#]*|\s*)$/.exec(line) ?? [];
  return start === undefined ? undefined : `${start}:${rest}`;
}

const isBareWord = (line: string): boolean => !line.trim().replace(/^- /, '').includes(' ');

/** Whether deeper lines follow, or a list as deep. */
function hasBlockBelow(lines: readonly string[], index: number): boolean {
  const own = keyColumn(lines[index] as string);
  const next = lines.slice(index + 1).find((one) => one.trim() !== '');
  return next !== undefined && (indentOf(next) > own || (indentOf(next) === own && isListItem(next)));
}

/**
 * How odd the text is as YAML: keys without a value, lines that are unusually deep, and fields that its kind does not have
 * there. Undefined where it is none.
 */
function costOf(text: string): number | undefined {
  try {
    // Below a key: the reader takes no notice of what follows a document, as where its first line alone is deeper.
    const below = text.split('\n').map((line) => (line.startsWith('---') ? '' : ` ${line}`));
    const { document } = readPlainYaml(`document:\n${below.join('\n')}`) as { readonly document: unknown };
    return nullsIn(document) + unusualSteps(text) + misfitsIn(document);
  } catch {
    return undefined;
  }
}

function misfitsIn(document: unknown): number {
  if (!isObject(document)) return 0;
  const type = builtInType(String(document['apiVersion']), String(document['kind']));
  return type === undefined ? 0 : misfits(type, document);
}

/** Lines that are neither as deep as the line above them, nor two columns deeper, nor as deep as one that encloses it. */
function unusualSteps(text: string): number {
  let enclosing: readonly number[] = [0];
  let unusual = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const depth = indentOf(line);
    enclosing = enclosing.filter((one) => one <= depth);
    const above = enclosing.at(-1) ?? 0;
    if (depth !== above && depth !== above + 2) unusual += 1;
    enclosing = isListItem(line) ? [...enclosing, depth, depth + 2] : [...enclosing, depth];
  }
  return unusual / 2;
}

function nullsIn(value: unknown): number {
  if (value === null || value === undefined) return 1;
  if (typeof value !== 'object') return 0;
  const members = value instanceof Map ? [...value.values()] : Object.values(value);
  return members.reduce<number>((sum, member) => sum + nullsIn(member), 0);
}
