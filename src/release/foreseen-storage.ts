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
    // Whether a record that is foreseen could be written, cannot be asked.
    create: async (release, options) =>
      options?.dryRun && histories.has(release.name) ? undefined : storage.create(release, options),
    update: async (release, options) =>
      options?.dryRun && histories.has(release.name) ? undefined : storage.update(release, options),
    delete: async (name, version, options) =>
      options?.dryRun && histories.has(name) ? undefined : storage.delete(name, version, options),
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
