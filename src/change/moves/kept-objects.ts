import type { Manifest } from '../../manifest/types.ts';
import { parseSelector } from '../../release/label-selector.ts';
import type { ReleaseId } from '../../release/types.ts';
import { manifestsNamed, refusal } from './named-objects.ts';

/** `true`: all; else a label selector, or names as `ConfigMap/settings` with commas between. */
export type KeepObjects = boolean | string;

/**
 * The resources that an uninstall with `keepObjects` leaves. Errors: `invalid-selector`, `move-refused` for a name that no
 * resource has.
 */
export function keptObjects(
  manifests: readonly Manifest[],
  keep: KeepObjects | undefined,
  id: ReleaseId,
): readonly Manifest[] {
  if (keep === undefined || keep === false) return [];
  if (keep === true) return manifests;
  const words = keep.split(',').map((word) => word.trim());
  if (!words.every(isObjectName)) {
    const matches = parseSelector(keep);
    return manifests.filter(({ object }) => matches(object.metadata.labels ?? {}));
  }
  const { named, unknown } = manifestsNamed(words, manifests, id);
  const { release } = id;
  if (unknown.length === 0) return named;
  throw refusal(release, 'no-such-object', {
    message: `release "${release}" has no ${unknown.join(' and no ')}; \`tshelm get manifest ${release}\` shows its objects`,
    objects: unknown,
  });
}

/** A kind begins with a capital letter; the prefix of a label's key is a DNS name, which has none. */
const isObjectName = (word: string): boolean => /^(?:[a-z\d-]+\/)?[A-Z]\w*(?:\.[\w.-]+)?\/[^=!() ]+$/.test(word);
