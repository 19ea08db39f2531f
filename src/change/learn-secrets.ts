import { namesInPlan, secretsIn, secretsInManifest, secretsInObject } from '../execute/secret-mask.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import type { Plan } from '../plan/types.ts';
import type { Release, ReleaseStorage } from '../release/types.ts';
import type { SecretWords } from '../support/secret-words.ts';

/** What the Secrets of a plan hold: hooks and pods may tell it. Its names are told. */
export function learnFromPlan(plan: Plan, secrets: SecretWords): void {
  secrets.addNames(namesInPlan(plan));
  for (const secret of secretsIn(plan)) secrets.add(secret);
}

/** What Secrets among the objects hold. */
export function learnFromObjects(objects: readonly (KubernetesObject | undefined)[], secrets?: SecretWords): void {
  if (secrets === undefined) return;
  for (const object of objects) if (object !== undefined) for (const one of secretsInObject(object)) secrets.add(one);
}

/** A storage from whose releases is learnt what is secret in them: what their users gave, and what their Secrets hold. */
export const learningStorage = (storage: ReleaseStorage, secrets: SecretWords): ReleaseStorage => ({
  checkSize: (release) => storage.checkSize(release),
  recordId: (name, version) => storage.recordId(name, version),
  create: (release, options) => storage.create(release, options),
  update: (release, options) => storage.update(release, options),
  delete: (name, version, options) => storage.delete(name, version, options),
  get: (name, version) => storage.get(name, version),
  list: (options) => storage.list(options),
  underLock: (cluster) => learningStorage(storage.underLock(cluster), secrets),
  async revisions(name, options) {
    const revisions = await storage.revisions(name, options);
    learnFromReleases(revisions, secrets);
    return revisions;
  },
  async newest(name) {
    const newest = await storage.newest(name);
    learnFromReleases(newest === undefined ? [] : [newest], secrets);
    return newest;
  },
});

/** What users gave for releases, and what the Secrets of the last one hold. */
export function learnFromReleases(revisions: readonly Release[], secrets: SecretWords): void {
  secrets.addLater(() => {
    for (const { config } of revisions) secrets.addValues(config);
    for (const secret of secretsInManifest(revisions.at(-1)?.manifest ?? '')) secrets.add(secret);
  });
}
