import { newestOfEach } from './history.ts';
import type { Release, ReleaseStorage } from './types.ts';

/** The same records, but of some releases those that there will be: to plan with, before they are written. */
export function foreseenStorage(
  storage: ReleaseStorage,
  histories: ReadonlyMap<string, readonly Release[]>,
): ReleaseStorage {
  const newestOf = (history: readonly Release[]): Release | undefined => newestOfEach(history)[0];
  return {
    checkSize: (release) => storage.checkSize(release),
    recordId: (name, version) => storage.recordId(name, version),
    create: (release) => storage.create(release),
    update: (release) => storage.update(release),
    delete: (name, version) => storage.delete(name, version),
    underLock: (cluster) => foreseenStorage(storage.underLock(cluster), histories),
    async get(name, version) {
      const known = histories.get(name);
      return known === undefined ? storage.get(name, version) : known.find((release) => release.version === version);
    },
    async revisions(name, options) {
      return histories.get(name) ?? (await storage.revisions(name, options));
    },
    async newest(name) {
      const known = histories.get(name);
      return known === undefined ? storage.newest(name) : newestOf(known);
    },
    async list(options = {}) {
      const others = (await storage.list(options)).filter(({ name }) => !histories.has(name));
      const foreseen = [...histories.values()].flat();
      return [...others, ...(options.newestOnly ? newestOfEach(foreseen) : foreseen)];
    },
  };
}
