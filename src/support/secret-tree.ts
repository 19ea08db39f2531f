import { compareLines } from './compare-lines.ts';
import { groupBy } from './group-by.ts';
import { type Fields, isObject } from './json.ts';
import { hidden } from './known-words.ts';
import { describesSecret, isReference, isSecretName } from './secret-names.ts';
import { isSecretValue, type TextKind } from './secret-text.ts';

/** Takes out of a text what is secret, line by line. */
export type MaskText = (text: string, kind: TextKind) => string;

export interface TreeOptions {
  /** Where the value is. */
  readonly side: Side;
  readonly mask: MaskText;
  /** Whether names say what is secret: not in a CRD, which describes fields, and not where only names of secrets stand. */
  readonly hasValues?: boolean | undefined;
  /** A text that stays as it is, by the keys that lead to it. */
  readonly isName?: ((keys: readonly string[]) => boolean) | undefined;
  /** A text that is a file even if it has one line. */
  readonly isFile?: ((keys: readonly string[]) => boolean) | undefined;
}

type Side = 'before' | 'after';

/**
 * A value of maps, lists and texts as it may be shown. What differs from `other` only in what is masked says on which side
 * it is: `*** (before)`, `*** (after)`.
 */
export const maskTree = <T>(value: T, other: unknown, options: TreeOptions): T =>
  new TreeMask(options).value(value, other, { keys: [], isMember: false }) as T;

interface Place {
  readonly keys: readonly string[];
  /** Whether the value is in a map of a secret's name. */
  readonly isMember: boolean;
}

class TreeMask {
  readonly #options: TreeOptions;

  constructor(options: TreeOptions) {
    this.#options = options;
  }

  value(value: unknown, other: unknown, place: Place): unknown {
    if (Array.isArray(value)) return this.#list(value as unknown[], other, place);
    if (isObject(value)) return this.#map(value, isObject(other) ? other : {}, place);
    if (this.#options.isName?.(place.keys)) return value;
    const isFile = this.#options.isFile?.(place.keys) === true;
    const isText = this.#options.hasValues === false;
    return this.#leaf(value, other, (plain) =>
      this.#options.mask(plain, { isDocument: isFile || (!isText && plain.includes('\n')) }),
    );
  }

  #map(map: Fields, other: Fields, { keys, isMember }: Place): unknown {
    const members = Object.entries(map).map(([key, value]) => {
      const isSecret = this.#isSecret(key, value, map, isMember);
      const place = { keys: [...keys, key], isMember: isSecretName(key) };
      return [key, isSecret ? this.#hidden(value, other[key]) : this.value(value, other[key], place)] as const;
    });
    return members.every(([key, value]) => value === map[key]) ? map : Object.fromEntries(members);
  }

  #isSecret(key: string, value: unknown, map: Fields, isMember: boolean): boolean {
    if (this.#options.hasValues === false || !(typeof value === 'string' || typeof value === 'number')) return false;
    const text = String(value);
    const isNamed = key === 'value' && typeof map['name'] === 'string' && isSecretValue(map['name'], text);
    return isNamed || isSecretValue(key, text) || (isMember && !describesSecret(key) && isPlainSecret(value));
  }

  #list(list: readonly unknown[], other: unknown, { keys, isMember }: Place): unknown {
    const others = counterparts(list, Array.isArray(other) ? (other as unknown[]) : []);
    const items = list.map((item, index) => {
      const isHidden = (isMember && isPlainSecret(item)) || (isPlainSecret(item) && isSecretFlag(list[index - 1]));
      return isHidden && this.#options.hasValues !== false
        ? this.#hidden(item, others[index])
        : this.value(item, others[index], { keys: [...keys, String(index)], isMember: false });
    });
    return items.every((item, index) => item === list[index]) ? list : items;
  }

  #hidden(value: unknown, other: unknown): unknown {
    return this.#leaf(value, other, () => hidden);
  }

  #leaf(value: unknown, other: unknown, mask: (plain: string) => string): unknown {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return value;
    const plain = String(value);
    const own = { plain, shown: mask(plain) };
    if (other === undefined || other === null || typeof other === 'object')
      return own.shown === plain ? value : own.shown;
    const plainOther = String(other as string | number);
    const shown = maskedAsPair(own, { plain: plainOther, shown: mask(plainOther) }, this.#options.side);
    return shown === plain ? value : shown;
  }
}

const isPlainSecret = (value: unknown): boolean =>
  typeof value === 'string' ? value !== '' && !value.startsWith('-') && !isReference(value) : typeof value === 'number';

/** `--db-pass`, before its value. */
const isSecretFlag = (item: unknown): boolean =>
  typeof item === 'string' && /^--?[A-Za-z][\w.-]*$/.test(item) && isSecretName(item);

/** What each item is compared with: that of the same name, or that of the same place. */
function counterparts(list: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const nameOf = (item: unknown): unknown => (isObject(item) ? item['name'] : undefined);
  const byName = new Map(others.map((item) => [nameOf(item), item]));
  return list.map((item, index) => byName.get(nameOf(item) ?? noName) ?? others[index]);
}

const noName = Symbol('no name');

interface Shown {
  readonly plain: string;
  readonly shown: string;
}

/**
 * A text as it may be shown beside another one: where a line of the other is masked, so is the line that it replaces, or that
 * replaces it. What was secret before is then not shown because nobody knows it any more.
 */
export function maskedAsPair(own: Shown, other: Shown, side: Side): string {
  return markDifferences(
    { ...own, shown: maskedBeside(own, other) },
    { ...other, shown: maskedBeside(other, own) },
    side,
  );
}

function maskedBeside(own: Shown, other: Shown): string {
  if (own.plain === other.plain || !other.shown.includes(hidden)) return own.shown;
  const lines = own.shown.split('\n');
  const plain = own.plain.split('\n');
  const shownOther = other.shown.split('\n');
  let [at, otherAt] = [0, 0];
  let [open, masked]: [number[], string[]] = [[], []];
  const endHunk = (): void => {
    const marks = groupBy([...new Set(masked)], keyOf);
    for (const index of open) lines[index] = maskedLike(lines[index] as string, marks);
    [open, masked] = [[], []];
  };
  for (const { sign } of compareLines(plain, other.plain.split('\n'))) {
    if (sign === ' ') endHunk();
    if (sign !== '+') {
      if (sign === '-' && lines[at] === plain[at]) open.push(at);
      at += 1;
    }
    if (sign !== '-') {
      const line = shownOther[otherAt] ?? '';
      if (sign === '+' && line.includes(hidden)) masked.push(line);
      otherAt += 1;
    }
  }
  endHunk();
  // A text of one line is that of one field.
  return lines.length === 1 && lines[0] === own.plain ? hidden : lines.join('\n');
}

/** The key of a line, with what comes before it; '' where it has none. */
const keyOf = (line: string): string => /^\s*(?:-\s+)?["']?[\w./-]+["']?\s*[:=]\s*/.exec(line)?.[0] ?? '';

/** What is in the place of a mask in a line of the same key, or else all behind the key. */
function maskedLike(line: string, masked: ReadonlyMap<string, readonly string[]>): string {
  const key = keyOf(line);
  const marks = masked.get(key) ?? [];
  for (const mark of marks) {
    const before = mark.slice(0, mark.indexOf(hidden));
    const behind = mark.slice(mark.lastIndexOf(hidden) + hidden.length);
    const isLike = line.startsWith(before) && line.endsWith(behind);
    if (isLike && line.length >= before.length + behind.length) return before + hidden + behind;
  }
  return key !== '' && marks.length > 0 ? key + hidden : line;
}

/** The masked lines of which the other text has the same, but for what is masked, with the side where they stand. */
function markDifferences(own: Shown, other: Shown, side: Side): string {
  if (own.plain === other.plain || !own.shown.includes(hidden)) return own.shown;
  const [plain, shown] = [own.plain.split('\n'), own.shown.split('\n')];
  const [plainOther, shownOther] = [other.plain.split('\n'), other.shown.split('\n')];
  const mark = (line: string): string => line.replaceAll(hidden, `${hidden} (${side})`);
  if (own.shown === other.shown)
    return shown.map((line, at) => (plain[at] === plainOther[at] ? line : mark(line))).join('\n');
  const same = new Set(plainOther);
  const maskedOther = new Set(shownOther.filter((line) => line.includes(hidden)));
  const differs = (line: string, at: number): boolean => !same.has(plain[at] as string) && maskedOther.has(line);
  return shown.map((line, at) => (differs(line, at) ? mark(line) : line)).join('\n');
}
