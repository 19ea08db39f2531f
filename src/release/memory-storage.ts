import { compareText } from '../support/order.ts';
import { newestOfEach } from './history.ts';
import { parseSelector } from './label-selector.ts';
import { recordLabels, recordName, releaseExists, releaseNotFound } from './record.ts';
import type { Release, ReleaseStorage } from './types.ts';

/** Keeps releases in this process: the `memory` driver of $HELM_DRIVER. `namespace` is where names are looked up, `given` what is there. */
export function memoryStorage(namespace = 'default', given: readonly Release[] = []): ReleaseStorage {
  const key = (name: string, version: number): string => recordName(name, version);
  const records = new Map(given.map((release) => [key(release.name, release.version), release]));
  const all = (): readonly Release[] =>
    [...records.values()].sort((a, b) => compareText(a.name, b.name) || a.version - b.version);
  const storage: ReleaseStorage = {
    driver: 'memory',
    async create(release) {
      if (records.has(key(release.name, release.version))) throw releaseExists(release);
      records.set(key(release.name, release.version), release);
    },
    async update(release) {
      if (!records.has(key(release.name, release.version))) throw releaseNotFound(release.name);
      records.set(key(release.name, release.version), release);
    },
    async delete(name, version) {
      if (!records.delete(key(name, version))) throw releaseNotFound(name);
    },
    async get(name, version) {
      return records.get(key(name, version));
    },
    async revisions(name) {
      return all().filter((release) => release.name === name);
    },
    async newest(name) {
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
