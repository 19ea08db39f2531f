import type { LabelTest } from '../../go/label-selector.ts';
import { annotations, keepPolicy } from '../../manifest/annotations.ts';
import { groupOf, idOf, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { isProtected } from '../../plan/keep.ts';
import { parseSelector } from '../../release/label-selector.ts';
import type { Release, ReleaseId } from '../../release/types.ts';
import { manifestText } from '../../render/manifest-text.ts';
import { hasCode, TshelmError } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import { writePlainYaml } from '../../yaml/index.ts';
import { manifestsNamed, namesOf, refusal } from './named-objects.ts';
import { documentsOf } from './records.ts';

/** `true`: all; else a label selector, or names as `ConfigMap/settings` with commas between; or several of these. */
export type KeepObjects = boolean | string | readonly string[];

/**
 * The resources that an uninstall with `keepObjects` leaves. Errors: `invalid-selector`, `bad-options` for an empty one,
 * `move-refused` for a name that no resource has, and for a selector that matches none: a mistake in it would delete what it
 * was to keep.
 */
export function keptObjects(
  manifests: readonly Manifest[],
  keep: KeepObjects | undefined,
  id: ReleaseId,
): readonly Manifest[] {
  if (keep === undefined || keep === false) return [];
  if (keep === true) return manifests;
  const kept = new Set([keep].flat().flatMap((text) => chosenBy(text, manifests, id)));
  return manifests.filter((manifest) => kept.has(manifest));
}

/**
 * Deleting a Namespace or a CustomResourceDefinition deletes what is in it, kept or not. Errors: `move-refused` where one of
 * the release goes and holds what is to stay.
 */
export function refuseGoingHolders(manifests: readonly Manifest[], kept: readonly Manifest[], id: ReleaseId): void {
  const stays = new Set(kept);
  const going = manifests.filter((manifest) => !stays.has(manifest) && !isProtected(manifest.object));
  const held = kept.filter(({ object }) => going.some((holder) => holds(holder.object, object, id.namespace)));
  if (held.length === 0) return;
  const holders = going.filter((holder) => held.some(({ object }) => holds(holder.object, object, id.namespace)));
  throw refusal(id.release, 'holder-goes', {
    message: `${namesOf(held).join(', ')} would be deleted with ${namesOf(holders).join(', ')}; keep ${holders.length === 1 ? 'it' : 'them'} too`,
    objects: namesOf(holders),
  });
}

function holds({ apiVersion, kind, metadata, ...holder }: KubernetesObject, held: KubernetesObject, home: string) {
  if (kind === 'Namespace' && apiVersion === 'v1') return idOf(held, home).namespace === metadata.name;
  if (kind !== 'CustomResourceDefinition' || groupOf(apiVersion) !== 'apiextensions.k8s.io') return false;
  const { spec } = holder as { spec?: { group?: unknown; names?: { kind?: unknown } | null } | null };
  return spec?.group === groupOf(held.apiVersion) && spec.names?.kind === held.kind;
}

/**
 * A record with these resources marked as Helm's `helm.sh/resource-policy: keep` marks them: should the uninstall not come
 * to its end, no other one deletes them, whichever Helm finishes it. What an earlier revision has left is added to it.
 */
export function markedAsKept(release: Release, kept: readonly Manifest[]): Release {
  if (kept.length === 0) return release;
  const keyOf = ({ object }: Manifest): string => objectKey(idOf(object, release.namespace));
  const documents = documentsOf(release);
  const known = new Set(documents.map(keyOf));
  const added = kept.filter((manifest) => !known.has(keyOf(manifest)));
  const keys = new Set(kept.map(keyOf));
  const marked = [...documents, ...added].map((document) =>
    keys.has(keyOf(document)) ? withKeepPolicy(document) : document,
  );
  return { ...release, manifest: manifestText(marked) };
}

function withKeepPolicy(manifest: Manifest): Manifest {
  const { metadata } = manifest.object;
  const marks = { ...metadata.annotations, [annotations.resourcePolicy]: keepPolicy };
  const object = { ...manifest.object, metadata: { ...metadata, annotations: marks } };
  return { ...manifest, object, text: writePlainYaml(object).trimEnd() };
}

function chosenBy(keep: string, manifests: readonly Manifest[], id: ReleaseId): readonly Manifest[] {
  const { release, namespace } = id;
  const words = keep.split(',').map((word) => word.trim());
  if (keep.trim() === '') throw nothingChosen();
  if (!words.every(isObjectName)) {
    const matches = readSelector(keep);
    const selected = manifests.filter(({ object }) => matches(object.metadata.labels ?? {}));
    if (selected.length === 0 && manifests.length > 0) throw nothingSelected(keep, manifests, release);
    return selected;
  }
  const { named, unknown } = manifestsNamed(words, manifests, id);
  if (unknown.length === 0) return named;
  throw refusal(release, 'no-such-object', {
    message: `release "${release}" has no ${unknown.join(' and no ')}; \`tshelm get manifest ${release} -n ${namespace}\` shows its objects`,
    objects: unknown,
  });
}

/** The variable of a script may be empty: then everything would be kept, as an empty selector matches all. */
const nothingChosen = (): TshelmError =>
  new TshelmError('bad-options', {
    message:
      'keepObjects is empty; name objects such as ConfigMap/settings, write a label selector, or keep all objects with true',
    details: { option: 'keepObjects' },
  });

function readSelector(keep: string): LabelTest {
  try {
    return parseSelector(keep);
  } catch (error) {
    if (!hasCode(error, 'invalid-selector')) throw error;
    const message = `${JSON.stringify(keep)} is neither a label selector such as tier=data nor a list of objects such as ConfigMap/settings; repeat the option to give both`;
    throw error.wrapped({ message });
  }
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

/** The key of a label has no capital letter and a dot before its slash: another word is KIND/NAME or NAMESPACE/KIND/NAME. */
const isObjectName = (word: string): boolean =>
  /^(?:[A-Z][\w.-]*|\w+|[a-z\d-]+\/[A-Za-z][\w.-]*)\/[^=!() ]+$/.test(word);
