import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { goPathError } from '../go/path-error.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { readPlainYaml } from '../yaml/index.ts';
import { releaseOfJson } from './codec.ts';
import { newestOfEach } from './history.ts';
import { parseSelector } from './label-selector.ts';
import { checkNameAsked } from './name.ts';
import { recordLabels, recordName, releaseExists, releaseNotFound } from './record.ts';
import type { StorageOptions } from './storage-options.ts';
import type { Release, ReleaseStorage } from './types.ts';

/**
 * The `memory` driver of $HELM_DRIVER, with the releases that the files in $HELM_MEMORY_DRIVER_DATA list as YAML.
 * Errors: `corrupt-release`. Go: loadReleasesInMemory.
 */
export function openMemoryStorage({ namespace, env }: StorageOptions): ReleaseStorage {
  const files = env?.['HELM_MEMORY_DRIVER_DATA'] || undefined;
  return memoryStorage(namespace, files?.split(delimiter).flatMap(releasesIn));
}

/** Keeps releases in this process. `namespace` is where names are looked up, `given` what is there. */
export function memoryStorage(namespace = 'default', given: readonly Release[] = []): ReleaseStorage {
  const key = (name: string, version: number): string => recordName(name, version);
  const records = new Map(given.map((release) => [key(release.name, release.version), release]));
  const all = (): readonly Release[] =>
    [...records.values()].sort((a, b) => compareText(a.name, b.name) || a.version - b.version);
  const storage: ReleaseStorage = {
    async checkSize() {},
    recordId: () => undefined,
    async create(release, { dryRun } = {}) {
      if (records.has(key(release.name, release.version))) throw releaseExists(release);
      if (!dryRun) records.set(key(release.name, release.version), release);
    },
    async update(release, { dryRun } = {}) {
      if (!records.has(key(release.name, release.version))) throw releaseNotFound(release.name);
      if (!dryRun) records.set(key(release.name, release.version), release);
    },
    async delete(name, version, { dryRun } = {}) {
      const isThere = dryRun ? records.has(key(name, version)) : records.delete(key(name, version));
      if (!isThere) throw releaseNotFound(name);
    },
    async get(name, version) {
      return records.get(key(name, version));
    },
    async revisions(name) {
      checkNameAsked(name);
      return all().filter((release) => release.name === name);
    },
    async newest(name) {
      checkNameAsked(name);
      return newestOfEach(all().filter((release) => release.name === name))[0];
    },
    async list(options = {}) {
      const wanted = options.namespace ?? namespace;
      const here = all().filter((release) => wanted === '' || release.namespace === wanted);
      const newest = options.newestOnly === true ? newestOfEach(here) : here;
      const matches = parseSelector(options.labelSelector ?? '');
      return newest.filter((release) => matches(recordLabels(release)));
    },
    underLock: () => storage,
  };
  return storage;
}

function releasesIn(file: string): readonly Release[] {
  const failed = (doing: string, cause: unknown): TshelmError =>
    new TshelmError('corrupt-release', {
      message: `Unable to ${doing} memory driver data: ${messageOf(cause)}`,
      cause,
    });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw failed('read', goPathError('open', file, cause));
  }
  try {
    const listed = readPlainYaml(text) ?? [];
    if (!Array.isArray(listed)) throw new Error(`${file} is not a list of releases`);
    return listed.map(releaseOfJson);
  } catch (cause) {
    throw failed('unmarshal', cause);
  }
}
