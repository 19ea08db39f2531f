import type { Manifest } from '../../manifest/types.ts';
import { parseSelector } from '../../release/label-selector.ts';
import type { TshelmError } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import { manifestsNamed, refusal } from './named-objects.ts';

/** `true`: all; else a label selector, or names as `ConfigMap/settings` with commas between. */
export type KeepObjects = boolean | string;

/**
 * The resources that an uninstall with `keepObjects` leaves. Errors: `invalid-selector`, `move-refused` for a name that no
 * resource has, and for a selector that matches none: a mistake in it would delete what it was to keep.
 */
export function keptObjects(
  manifests: readonly Manifest[],
  keep: KeepObjects | undefined,
  release: string,
): readonly Manifest[] {
  if (keep === undefined || keep === false) return [];
  if (keep === true) return manifests;
  const words = keep.split(',').map((word) => word.trim());
  if (!words.every(isObjectName)) {
    const matches = parseSelector(keep);
    const selected = manifests.filter(({ object }) => matches(object.metadata.labels ?? {}));
    if (selected.length === 0 && manifests.length > 0) throw nothingSelected(keep, manifests, release);
    return selected;
  }
  const { named, unknown } = manifestsNamed(words, manifests, release);
  if (unknown.length === 0) return named;
  throw refusal(release, 'no-such-object', {
    message: `release "${release}" has no ${unknown.join(' and no ')}; \`tshelm get manifest ${release}\` shows its objects`,
    objects: unknown,
  });
}

function nothingSelected(selector: string, manifests: readonly Manifest[], release: string): TshelmError {
  const labels = manifests.flatMap(({ object }) => Object.entries(object.metadata.labels ?? {}));
  const found = [...new Set(labels.map(([key, value]) => `${key}=${value}`))].sort(compareText);
  const more = found.length > mostLabels ? ` and ${found.length - mostLabels} more` : '';
  const shown = found.length === 0 ? 'no labels' : `the labels ${found.slice(0, mostLabels).join(', ')}${more}`;
  const objects = manifests.length === 1 ? 'its only object has' : `its ${manifests.length} objects have`;
  return refusal(release, 'no-such-object', {
    message: `no object of release "${release}" matches the selector ${selector}; ${objects} ${shown}`,
  });
}

/** So many labels are named; more are counted. */
const mostLabels = 10;

/** A kind begins with a capital letter; the prefix of a label's key is a DNS name, which has none. */
const isObjectName = (word: string): boolean => /^[A-Z]\w*(?:\.[\w.-]+)?\/[^=!() ]+$/.test(word);
