import { namesInPlan, secretsIn, secretsInManifest, secretsInObject } from '../execute/secret-mask.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import type { Plan } from '../plan/types.ts';
import type { Release, ReleaseStorage } from '../release/types.ts';
import { derivedSecrets } from '../render/derived-secrets.ts';
import type { ReRenderer } from '../render/re-renderer.ts';
import { SecretWords } from '../support/secret-words.ts';
import { againOf } from './again-of-release.ts';

/** What the Secrets of a plan hold: hooks and pods may tell it. Its names are not hidden. */
export function learnFromPlan(plan: Plan, secrets: SecretWords): void {
  secrets.addNames(namesInPlan(plan));
  for (const secret of secretsIn(plan)) secrets.add(secret);
}

/** What templates of objects that are no Secrets make of secret values. It runs them once more: where changes are shown. */
export function learnFromTemplates(again: ReRenderer, secrets: SecretWords): void {
  const given = new SecretWords();
  given.addValues(again.values);
  const found = derivedSecrets(again, (text) => given.knows(text) || secrets.knows(text));
  // What has the secret itself is hidden in this part.
  const unknown = [...found].filter((text) => !typeNames.has(text) && secrets.redact(text) === text);
  for (const text of unknown) secrets.add(text);
}

/** What `kindOf` and `typeOf` say of a secret. */
const typeNames: ReadonlySet<string> = new Set(['string', 'int', 'int64', 'float64', 'bool', 'map', 'slice']);

/** The same of the chart of a stored release, but for its subcharts, which the record does not keep. */
export const learnFromRecordedTemplates = (release: Release, secrets: SecretWords): void =>
  learnFromTemplates(againOf(release), secrets);

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
