import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { loadChart } from '../../chart/load.ts';
import type { Notify } from '../../chart/notice.ts';
import { ifReadable } from '../../go/if-readable.ts';
import { withPathErrors } from '../../go/path-error.ts';
import { compareVersions, parseVersion } from '../../go/semver.ts';
import { GoError } from '../../go/value.ts';
import { namesIn } from '../../support/directories.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { addTo } from '../../support/group-by.ts';
import { formatTime } from '../../support/time.ts';
import { writeFileAtomically } from '../atomic-file.ts';
import { digestOf } from '../provenance/message.ts';
import type { IndexEntry } from './index-entry.ts';
import { type RepositoryIndex, readIndexFile } from './index-file.ts';
import { indexJson, indexYaml, type WrittenIndex } from './index-text.ts';
import { joinUrl } from './url.ts';

export interface IndexDirectoryOptions {
  /** The URL that the archives will be below; '' for URLs relative to the index. */
  readonly url: string;
  /** An index whose other versions are taken over; made where it is not there. */
  readonly merge?: string | undefined;
  readonly asJson: boolean;
  readonly now: Date;
  readonly onNotice?: Notify | undefined;
}

/**
 * Writes `index.yaml` for the archives in a folder and in the folders directly below it. Go: cmd.index,
 * repo.IndexDirectory. Fails with `index-failed`.
 */
export async function indexDirectory(folder: string, options: IndexDirectoryOptions): Promise<void> {
  const directory = resolve(folder);
  const generated = formatTime(options.now);
  const entries = await entriesOf(directory, options);
  if (options.merge) mergeIndex(entries, options.merge, options);
  const sorted = new Map([...entries].map(([name, versions]) => [name, newestFirst(versions)]));
  const index: WrittenIndex = { generated, publicKeys: [], annotations: {}, entries: sorted };
  const path = join(directory, 'index.yaml');
  // The folder is not made where it is not there, as in Helm.
  withPathErrors('open', path, () => statSync(directory));
  writeFileAtomically(path, options.asJson ? indexJson(index) : indexYaml(index));
}

async function entriesOf(
  directory: string,
  { url, now, onNotice }: IndexDirectoryOptions,
): Promise<Map<string, IndexEntry[]>> {
  const entries = new Map<string, IndexEntry[]>();
  for (const archive of archivesIn(directory)) {
    // As in Helm, an archive of something else is passed over.
    const chart = await loadChart(archive, { onNotice, ofAnyVersion: true }).catch(() => undefined);
    if (chart === undefined) continue;
    const { metadata } = chart;
    const entry: IndexEntry = {
      metadata,
      urls: [urlOf(relative(directory, archive), url)],
      created: formatTime(now),
      removed: false,
      digest: digestOf(readFileSync(archive)).slice('sha256:'.length),
      outdated: {},
    };
    addTo(entries, metadata.name, entry);
  }
  return entries;
}

/** As Go's Glob finds them: `*.tgz`, then `*\/*.tgz`. */
function archivesIn(directory: string): string[] {
  const isArchive = (name: string): boolean => name.endsWith('.tgz');
  const names = namesIn(directory);
  const below = names.flatMap((name) =>
    namesIn(join(directory, name))
      .filter(isArchive)
      .map((file) => join(directory, name, file)),
  );
  return [...names.filter(isArchive).map((name) => join(directory, name)), ...below];
}

function urlOf(path: string, base: string): string {
  const folder = dirname(path) === '.' ? '' : dirname(path).replaceAll('\\', '/');
  const parent = joined(base, folder);
  return parent === '' ? basename(path) : joined(parent, basename(path));
}

function joined(base: string, name: string): string {
  return ifReadable(() => joinUrl(base, name)) ?? [base, name].filter((part) => part !== '').join('/');
}

/** Versions that are in the folder win. */
function mergeIndex(entries: Map<string, IndexEntry[]>, path: string, options: IndexDirectoryOptions): void {
  if (!existsSync(path)) {
    const empty: WrittenIndex = {
      generated: formatTime(options.now),
      publicKeys: [],
      annotations: {},
      entries: new Map(),
    };
    writeFileAtomically(path, options.asJson ? indexJson(empty) : indexYaml(empty));
    return;
  }
  const other = readMerged(path, options.onNotice);
  for (const name of other.names) {
    for (const { entry } of other.versions(name) ?? []) {
      const { name: chart, version } = entry.metadata;
      const known = entries.get(chart) ?? [];
      if (!isKnown(known, version)) entries.set(chart, [...known, entry]);
    }
  }
}

function readMerged(path: string, onNotice: Notify | undefined): RepositoryIndex {
  try {
    return readIndexFile(path, onNotice);
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    throw new TshelmError('index-failed', { message: `merge failed: ${messageOf(cause)}`, cause });
  }
}

/** Go: IndexFile.Has, which asks whether the version chooses one of those: 1.0.0 and v1.0.0 are one. */
function isKnown(known: readonly IndexEntry[], version: string): boolean {
  const wanted = parseVersion(version);
  return known.some(
    ({ metadata }) => metadata.version === version || compareVersions(parseVersion(metadata.version), wanted) === 0,
  );
}

const newestFirst = (entries: readonly IndexEntry[]): IndexEntry[] =>
  [...entries].sort((a, b) => compareVersions(parseVersion(b.metadata.version), parseVersion(a.metadata.version)));
