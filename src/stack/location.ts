import { TshelmError } from '../support/errors.ts';
import { literalPattern } from '../support/pattern.ts';
import { indentOf, isListItem } from '../support/text.ts';
import { absolute, type Place, type Reading } from './reading.ts';

/** Something that a state file says. */
export interface StateEntry {
  readonly field: string;
  /** Whose field it is; undefined: that of a part of the file, such as `helmDefaults`. */
  readonly release?: string | undefined;
  readonly part?: string | undefined;
  /** What is in the field. */
  readonly text?: string | undefined;
  /** Keys below the field, each below the one before. */
  readonly keys?: readonly string[] | undefined;
}

/** What is needed to look for it. */
export interface StateText {
  readonly place: Place;
  /** Absolute. */
  readonly bases?: readonly string[];
}

/**
 * `FILE:LINE` of what a state file, or a base of it, says; the line of the release where the field is not to be found, and
 * the file alone where a template writes both. Texts are searched and not parsed: most files are templates.
 */
export function locationOf(
  entry: StateEntry,
  { place, bases = [] }: StateText,
  { world }: Pick<Reading, 'world'>,
): string {
  const own = absolute(place, place.file);
  const places = [own, ...bases].flatMap((path) => {
    const found = foundIn(world.readFile(path).split('\n'), entry);
    return found === undefined ? [] : [{ ...found, path }];
  });
  const [best] = places.sort((a, b) => b.certainty - a.certainty);
  return best === undefined ? own : `${best.path}:${best.line + 1}`;
}

/** What the task returns; its failure is reported with the place of what it reads, and with a way out where one is given. */
export function located<T>(locate: () => string, task: () => T, wayOut = ''): T {
  try {
    return task();
  } catch (error) {
    throw withLocation(error, locate, wayOut);
  }
}

/** The failure with the place of what it is about behind its message. */
export function withLocation(error: unknown, locate: () => string, wayOut = ''): unknown {
  if (!(error instanceof TshelmError)) return error;
  return error.wrapped({ message: `${error.message} (${locate()})${wayOut === '' ? '' : `: ${wayOut}`}` });
}

interface Found {
  readonly line: number;
  readonly certainty: number;
}

/** The field in the block of the release, else anywhere (templates are inherited), else the release itself. */
function foundIn(lines: readonly string[], { field, release, part, text, keys = [] }: StateEntry): Found | undefined {
  const keyWithin = (key: string, from: number, to: number): number | undefined => {
    const pattern = new RegExp(`(?:^|[\\s{,-])(["']?)${literalPattern(key)}\\1:`);
    const at = lines.findIndex((line, index) => index >= from && index < to && pattern.test(line) && !isComment(line));
    return at < 0 ? undefined : at;
  };
  const within = (from: number, to: number): number | undefined => {
    const first = [field, ...keys].reduce<number | undefined>(
      (at, key) => (at === undefined ? undefined : keyWithin(key, at, to)),
      from,
    );
    if (text === undefined || first === undefined) return first;
    const at = lines.findIndex((line, index) => index >= first && index < to && line.includes(text));
    return at < 0 ? first : at;
  };
  if (release === undefined) {
    const begin = part === undefined ? 0 : lines.findIndex((line) => line.startsWith(`${part}:`));
    return begin < 0 ? undefined : found(within(begin, lines.length), 3);
  }
  const block = blockOf(release, lines);
  if (block !== undefined) {
    const own = within(block.from, block.to);
    if (own !== undefined) return found(own, 3);
  }
  const elsewhere = within(0, lines.length);
  const hasText = elsewhere !== undefined && (text === undefined || lines[elsewhere]?.includes(text));
  if (hasText && (block === undefined || inherits(lines, block))) return found(elsewhere, 2);
  return found(block?.from, 1);
}

const found = (line: number | undefined, certainty: number): Found | undefined =>
  line === undefined ? undefined : { line, certainty };

interface Block {
  readonly from: number;
  readonly to: number;
}

/** The lines of the list item that has this name: as far as the next line that is not deeper than its dash. */
function blockOf(release: string, lines: readonly string[]): Block | undefined {
  const name = new RegExp(`(?:^|[\\s{,-])name:\\s*(["']?)${literalPattern(release)}\\1(?=[\\s,}#]|$)`);
  const start = lines.findIndex((line) => line.startsWith('releases:'));
  const at = lines.findIndex((line, index) => index >= start && name.test(line) && !isComment(line));
  if (at < 0) return undefined;
  const depth = indentOf(lines[at] as string);
  const isItem = (line: string): boolean => isListItem(line) && indentOf(line) < depth;
  const from = isListItem(lines[at] as string) ? at : lastBefore(lines, at, isItem);
  const dash = indentOf(lines[from] as string);
  const ends = (line: string, index: number): boolean =>
    index > from && line.trim() !== '' && !isComment(line) && indentOf(line) <= dash;
  const to = lines.findIndex(ends);
  return { from, to: to < 0 ? lines.length : to };
}

function lastBefore(lines: readonly string[], at: number, matches: (line: string) => boolean): number {
  for (let index = at; index >= 0; index--) if (matches(lines[index] as string)) return index;
  return at;
}

/** Whether a release takes fields from templates of the file. */
const inherits = (lines: readonly string[], block: Block | undefined): boolean =>
  lines.some((line) => line.startsWith('defaultInherit:')) ||
  lines.slice(block?.from, block?.to).some((line) => /(?:\binherit:|<<:)/.test(line));

const isComment = (line: string): boolean => line.trimStart().startsWith('#');
