import { type ComparedLine, compareLines } from '../../support/compare-lines.ts';
import { compareText, sortedEntries } from '../../support/order.ts';
import { SecretWords } from '../../support/secret-words.ts';
import { trimSuffix } from '../../support/text.ts';
import type { ManifestEntries, ManifestEntry } from './entries.ts';
import { learnFromEntries, type SecretsShown, shownEntries } from './secrets.ts';

/** What would become of one object, in helm-diff's words. */
export type ManifestChangeKind = 'ADD' | 'REMOVE' | 'MODIFY' | 'OWNERSHIP' | 'MODIFY_SUPPRESSED';

export interface ManifestChange {
  readonly key: string;
  readonly kind: string;
  readonly change: ManifestChangeKind;
  readonly lines: readonly ComparedLine[];
  /** Both states as they may be shown; undefined where there is none. */
  readonly before: ManifestEntry | undefined;
  readonly after: ManifestEntry | undefined;
}

export interface CompareOptions {
  readonly secrets: SecretsShown;
  /** What is known to be secret, for what is redacted. */
  readonly words?: SecretWords | undefined;
  readonly stripTrailingCr?: boolean | undefined;
  /** Objects of one kind count as renamed where at most this share of their lines differs; 0 looks for none. */
  readonly findRenames?: number | undefined;
  /** Lines that match one of these are left out of what is shown. */
  readonly suppressLines?: readonly ((line: string) => boolean)[] | undefined;
  /** Objects that another release has now: `OLD` and `NEW` owner by key. */
  readonly owners?: ReadonlyMap<string, { readonly old: string; readonly next: string }> | undefined;
}

export interface ManifestComparison {
  /** Owners first, then what is changed, removed and added, each by key. */
  readonly changes: readonly ManifestChange[];
  /** Whether anything differs, what is left out of the output included. */
  readonly hasChanges: boolean;
}

/** What leads from one manifest to the other. Follows helm-diff's generateReport. */
export function compareManifests(
  before: ManifestEntries,
  after: ManifestEntries,
  given: CompareOptions,
): ManifestComparison {
  const { words = new SecretWords() } = given;
  const options = { ...given, words };
  if (options.secrets === 'redacted') learnFromEntries([...before.values(), ...after.values()], words);
  const keysOf = (entries: ManifestEntries): string[] => [...entries.keys()].sort(compareText);
  const common = keysOf(before).filter((key) => after.has(key));
  const gone = keysOf(before).filter((key) => !after.has(key));
  const fresh = keysOf(after).filter((key) => !before.has(key));
  const renames = findRenames(gone, fresh, { before, after }, options);
  const renamed = new Set(renames.values());
  const changes = [
    ...ownerChanges(options),
    ...common.flatMap((key) => changeOf(key, before.get(key), after.get(key), options)),
    ...[...renames].flatMap(([key, next]) => changeOf(key, before.get(key), after.get(next), options)),
    ...gone
      .filter((key) => !renames.has(key) && before.get(key)?.isKept === false)
      .flatMap((key) => changeOf(key, before.get(key), undefined, options)),
    ...fresh.filter((key) => !renamed.has(key)).flatMap((key) => changeOf(key, undefined, after.get(key), options)),
  ];
  return { changes: changes.map((change) => withoutLines(change, options)), hasChanges: changes.length > 0 };
}

const ownerChanges = ({ owners = new Map() }: CompareOptions): ManifestChange[] =>
  sortedEntries(owners).map(([key, { old, next }]) => ({
    key,
    kind: '',
    change: 'OWNERSHIP',
    lines: compareLines([old], [next]),
    before: undefined,
    after: undefined,
  }));

function changeOf(
  key: string,
  before: ManifestEntry | undefined,
  after: ManifestEntry | undefined,
  options: CompareOptions,
): ManifestChange[] {
  if (before !== undefined && after !== undefined && before.content === after.content) return [];
  const [old, next] = shownEntries(before, after, options);
  const change = old === undefined ? 'ADD' : next === undefined ? 'REMOVE' : 'MODIFY';
  const lines = compareLines(linesOf(old, options), linesOf(next, options));
  if (change === 'MODIFY' && lines.every(({ sign }) => sign === ' ')) return [];
  return [{ key, kind: (old ?? next)?.kind ?? '', change, lines, before: old, after: next }];
}

const linesOf = (entry: ManifestEntry | undefined, { stripTrailingCr }: CompareOptions): string[] => {
  const lines = (entry?.content ?? '').split('\n');
  return stripTrailingCr ? lines.map((line) => trimSuffix(line, '\r')) : lines;
};

/** Objects that are gone, with the new one of their kind that they resemble most. Follows helm-diff's contentSearch. */
function findRenames(
  gone: readonly string[],
  fresh: readonly string[],
  { before, after }: { readonly before: ManifestEntries; readonly after: ManifestEntries },
  options: CompareOptions,
): ReadonlyMap<string, string> {
  const most = options.findRenames ?? 0;
  const renames = new Map<string, string>();
  if (most <= 0) return renames;
  const left = new Set(fresh);
  for (const key of gone) {
    const old = before.get(key) as ManifestEntry;
    let nearest: { readonly key: string; readonly share: number } | undefined;
    for (const candidate of left) {
      const share = differingShare(old, after.get(candidate) as ManifestEntry, options);
      if (share > 0 && share < (nearest?.share ?? Number.POSITIVE_INFINITY)) nearest = { key: candidate, share };
    }
    if (nearest === undefined || nearest.share >= most) continue;
    left.delete(nearest.key);
    renames.set(key, nearest.key);
  }
  return renames;
}

/** How many of the lines differ; 0 for objects that cannot be the same. */
function differingShare(before: ManifestEntry, after: ManifestEntry, options: CompareOptions): number {
  const ratio = before.content.length / after.content.length;
  if (before.kind !== after.kind || (before.kind !== 'Secret' && (ratio < 0.1 || ratio > 10))) return 0;
  const [old, next] = shownEntries(before, after, options);
  const lines = compareLines(linesOf(old, options), linesOf(next, options));
  return lines.filter(({ sign }) => sign !== ' ').length / lines.length;
}

/** Without the lines that are not to be shown; a change that has no others shows none at all. */
function withoutLines(change: ManifestChange, { suppressLines = [] }: CompareOptions): ManifestChange {
  if (suppressLines.length === 0) return change;
  const lines = change.lines.filter(({ text }) => !suppressLines.some((matches) => matches(text)));
  if (lines.some(({ sign }) => sign !== ' ')) return { ...change, lines };
  return { ...change, lines: [], change: change.change === 'MODIFY' ? 'MODIFY_SUPPRESSED' : change.change };
}
