import { GoError } from './value.ts';

/** Go's filepath.Match on Unix: `*` and `?` stop at `/`, `[a-z]`, `[^a]`, `\` escapes. Throws GoError `syntax error in pattern`. */
export function pathMatch(pattern: string, name: string): boolean {
  const star = pattern.indexOf('*');
  if (isPlain(pattern, star)) return matchPlain(pattern, star, name);
  const runes = [...name];
  const chunks = chunksOf([...pattern]);
  let at = 0;
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.afterStar && chunk.pattern.length === 0) return !runes.includes('/', at);
    const end = findChunk(chunk, runes, at, index === chunks.length - 1);
    if (end === undefined) return false;
    at = end;
  }
  return at === runes.length;
}

/** Whether a pattern is plain text with one star at most, as nearly all lines of .helmignore are. */
const isPlain = (pattern: string, star: number): boolean =>
  !/[?[\\]/.test(pattern) && (star < 0 || !pattern.includes('*', star + 1));

function matchPlain(pattern: string, star: number, name: string): boolean {
  if (star < 0) return pattern === name;
  const rest = pattern.length - star - 1;
  if (name.length < pattern.length - 1) return false;
  if (!name.startsWith(pattern.slice(0, star)) || !name.endsWith(pattern.slice(star + 1))) return false;
  return !name.slice(star, name.length - rest).includes('/');
}

/** A piece of a pattern between stars. */
interface Chunk {
  readonly afterStar: boolean;
  readonly pattern: readonly string[];
}

/** Where the chunk, tried here or (after a star) further right within one path element, ends. */
function findChunk(chunk: Chunk, name: readonly string[], from: number, isLast: boolean): number | undefined {
  const here = matchChunk(chunk.pattern, name, from);
  if (here !== undefined && (here === name.length || !isLast)) return here;
  if (!chunk.afterStar) return undefined;
  for (let start = from; start < name.length && name[start] !== '/'; start++) {
    const end = matchChunk(chunk.pattern, name, start + 1);
    if (end !== undefined && (!isLast || end === name.length)) return end;
  }
  return undefined;
}

function chunksOf(pattern: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at < pattern.length; ) {
    let start = at;
    while (pattern[start] === '*') start++;
    const end = chunkEnd(pattern, start);
    chunks.push({ afterStar: start > at, pattern: pattern.slice(start, end) });
    at = end;
  }
  return chunks;
}

function chunkEnd(pattern: readonly string[], start: number): number {
  let inRange = false;
  let at = start;
  for (; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '[') inRange = true;
    else if (char === ']') inRange = false;
    else if (char === '*' && !inRange) return at;
  }
  return Math.min(at, pattern.length);
}

/** Where the chunk ends in the name; undefined where it does not match. The whole chunk is checked either way. */
function matchChunk(chunk: readonly string[], name: readonly string[], from: number): number | undefined {
  let failed = false;
  let at = from;
  for (let index = 0; index < chunk.length; at++) {
    const rune: string | undefined = failed ? undefined : name[at];
    const element = readElement(chunk, index, rune);
    failed ||= rune === undefined || !element.matched;
    index = element.next;
  }
  return failed ? undefined : at;
}

interface Element {
  readonly matched: boolean;
  readonly next: number;
}

function readElement(chunk: readonly string[], index: number, rune: string | undefined): Element {
  switch (chunk[index]) {
    case '[':
      return readRange(chunk, index + 1, rune);
    case '?':
      return { matched: rune !== '/', next: index + 1 };
    case '\\':
      if (index + 1 === chunk.length) throw badPattern();
      return { matched: chunk[index + 1] === rune, next: index + 2 };
    default:
      return { matched: chunk[index] === rune, next: index + 1 };
  }
}

function readRange(chunk: readonly string[], start: number, rune: string | undefined): Element {
  let at = start;
  const isNegated = chunk[at] === '^';
  if (isNegated) at++;
  const value = rune?.codePointAt(0) ?? -1;
  let isIn = false;
  for (let count = 0; ; count++) {
    if (chunk[at] === ']' && count > 0) return { matched: isIn !== isNegated, next: at + 1 };
    const low = rangeRune(chunk, at);
    let high = low;
    if (chunk[low.next] === '-') high = rangeRune(chunk, low.next + 1);
    if (low.rune <= value && value <= high.rune) isIn = true;
    at = high.next;
  }
}

function rangeRune(chunk: readonly string[], start: number): { rune: number; next: number } {
  const at = chunk[start] === '\\' ? start + 1 : start;
  const char = chunk[at];
  if (char === undefined || chunk[start] === '-' || chunk[start] === ']' || at + 1 === chunk.length) throw badPattern();
  return { rune: char.codePointAt(0) as number, next: at + 1 };
}

const badPattern = (): GoError => new GoError('syntax error in pattern');
