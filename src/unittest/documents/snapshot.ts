import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { withPathErrors } from '../../go/path-error.ts';
import { decodeText, encodeText } from '../../go/text.ts';
import { GoError, type Value } from '../../go/value.ts';
import { readAny } from '../../render/yaml-values.ts';
import { makeDirectories } from '../../support/directories.ts';
import { writeNumberedTexts } from '../../yaml/index.ts';
import { asYaml, matching } from './text.ts';

/** What a comparison with a snapshot found. */
export interface Compared {
  readonly isPassed: boolean;
  /** The number of the snapshot in its test, from 1. */
  readonly number: number;
  readonly cached: string;
  readonly current: string;
  /** What an expression that was asked for does not find, or finds. */
  readonly mismatch: string | undefined;
  readonly isBrokenPattern: boolean;
}

/** Expressions that decide instead of the snapshot; '' for none. */
export interface SnapshotPatterns {
  readonly matches: string;
  readonly matchesNot: string;
}

/** Compares with the snapshots of one test, in their order. */
export type SnapshotComparer = (content: Value, patterns?: SnapshotPatterns) => Compared;

export interface SnapshotCounts {
  readonly total: number;
  readonly failed: number;
  readonly created: number;
  readonly vanished: number;
}

type Texts = Map<string, Map<number, string>>;

/**
 * The snapshots of a suite, in a file of helm-unittest's format: below the name of each test, what its assertions saw, by
 * numbers from 1. `isUpdating` takes what is seen now for right.
 */
export class Snapshots {
  private readonly file: string;
  private readonly isUpdating: boolean;
  private readonly cached: Texts;
  private readonly current: Texts = new Map();
  private updated = 0;
  private inserted = 0;
  private total = 0;

  /** Throws GoError where the file cannot be read. */
  constructor(file: string, isUpdating: boolean) {
    this.file = file;
    this.isUpdating = isUpdating;
    this.cached = existsSync(file) ? readTexts(file) : new Map();
  }

  comparerOf(test: string): SnapshotComparer {
    let number = 0;
    return (content, patterns) => {
      number += 1;
      return this.compare({ test, number }, content, patterns);
    };
  }

  get counts(): SnapshotCounts {
    const failed = this.isUpdating ? 0 : this.updated;
    return { total: this.total, failed, created: this.inserted, vanished: this.vanished };
  }

  /** Writes the file where that is called for: something is new or gone, or differs and is to be taken. Throws GoError. */
  store(): void {
    const isChanged = this.inserted + this.vanished > 0 || (this.isUpdating && this.updated > 0);
    if (!isChanged) return;
    const folder = dirname(this.file);
    withPathErrors('mkdir', folder, () => makeDirectories(folder));
    if (!statSync(folder).isDirectory()) throw new GoError(`snapshot cache dir ${folder} is not a directory`);
    withPathErrors('open', this.file, () => writeFileSync(this.file, encodeText(writeNumberedTexts(this.current))));
  }

  private compare(
    { test, number }: { readonly test: string; readonly number: number },
    content: Value,
    patterns: SnapshotPatterns | undefined,
  ): Compared {
    this.total += 1;
    const cached = this.cached.get(test)?.get(number);
    if (cached === undefined) this.inserted += 1;
    const current = asYaml(content);
    const byPattern = patternResult(current, patterns);
    const isSame = cached === undefined || cached === current;
    if (byPattern === undefined && !isSame) this.updated += 1;
    const texts = this.current.get(test) ?? new Map<number, string>();
    this.current.set(test, texts.set(number, this.isUpdating ? current : (cached ?? current)));
    return {
      isPassed: this.isUpdating || (byPattern === undefined ? isSame : byPattern.isPassed),
      number,
      cached: cached ?? '',
      current,
      mismatch: byPattern?.mismatch,
      isBrokenPattern: byPattern?.isBroken ?? false,
    };
  }

  private get vanished(): number {
    let count = 0;
    for (const [test, texts] of this.cached) {
      for (const number of texts.keys()) if (!this.current.get(test)?.has(number)) count += 1;
    }
    return count;
  }
}

function patternResult(text: string, patterns: SnapshotPatterns | undefined) {
  const [matches, matchesNot] = [patterns?.matches.trim() ?? '', patterns?.matchesNot.trim() ?? ''];
  if (matches === '' && matchesNot === '') return undefined;
  const found = matches === '' ? true : matching(matches, text);
  if (found !== true) {
    const mismatch = ` pattern '${matches}' not found in snapshot`;
    return { isPassed: false, mismatch, isBroken: typeof found === 'object' };
  }
  const refused = matchesNot === '' ? false : matching(matchesNot, text);
  const isBroken = typeof refused === 'object';
  const mismatch = refused === true ? ` pattern '${matchesNot}' should not be in snapshot` : undefined;
  return { isPassed: refused !== true, mismatch, isBroken };
}

function readTexts(file: string): Texts {
  const value = readAny(decodeText(withPathErrors('open', file, () => readFileSync(file))));
  const texts: Texts = new Map();
  if (!(value instanceof Map)) return texts;
  for (const [test, numbered] of value) {
    if (!(numbered instanceof Map)) continue;
    const entries = [...numbered].map(([number, text]) => [Number(number), text] as const);
    texts.set(test, new Map(entries.filter((entry): entry is [number, string] => typeof entry[1] === 'string')));
  }
  return texts;
}
