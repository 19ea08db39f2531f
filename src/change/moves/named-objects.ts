import { namesObject } from '../../manifest/object-name.ts';
import { formatId, idOf } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import { TshelmError } from '../../support/errors.ts';
import type { MoveRefusal } from '../error-codes.ts';

/** The manifests that are meant by names as `ConfigMap/settings`, `deployment.apps/web` or `ConfigMap/NAMESPACE/settings`. */
export interface NamedManifests {
  readonly named: readonly Manifest[];
  /** The names that no manifest has. */
  readonly unknown: readonly string[];
}

/** Errors: `bad-options` for what is no name of an object, `move-refused` for one that several objects have. */
export function manifestsNamed(
  names: readonly string[],
  manifests: readonly Manifest[],
  release: string,
): NamedManifests {
  const found = names.map((name) => ({ name, matches: manifests.filter(matcherOf(name)) }));
  for (const { name, matches } of found) if (matches.length > 1) throw ambiguous(name, matches, release);
  const chosen = new Set(found.flatMap(({ matches }) => matches));
  return {
    named: manifests.filter((manifest) => chosen.has(manifest)),
    unknown: found.filter(({ matches }) => matches.length === 0).map(({ name }) => name),
  };
}

const matcherOf =
  (text: string) =>
  ({ object }: Manifest): boolean =>
    namesObject(text, idOf(object));

const ambiguous = (name: string, matches: readonly Manifest[], release: string): TshelmError =>
  refusal(release, 'ambiguous-object', {
    message: `${name} names ${matches.length} objects of release "${release}": ${namesOf(matches).join(', ')}; write KIND.GROUP/NAME or KIND/NAMESPACE/NAME`,
    objects: namesOf(matches),
  });

export const namesOf = (manifests: readonly Manifest[]): readonly string[] =>
  manifests.map(({ object }) => formatId(idOf(object)));

export const refusal = (
  release: string,
  why: MoveRefusal,
  { message, objects }: { readonly message: string; readonly objects?: readonly string[] | undefined },
): TshelmError => new TshelmError('move-refused', { message, details: { release, why, objects } });
