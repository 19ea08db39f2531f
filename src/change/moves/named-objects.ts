import { formatId, groupOf, idOf } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import type { Remedy } from '../../problem/remedy.ts';
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

function matcherOf(text: string): (manifest: Manifest) => boolean {
  const [kindAndGroup = '', ...rest] = text.split('/');
  const [namespace, name] = rest.length === 2 ? rest : [undefined, rest[0]];
  if (kindAndGroup === '' || !name || rest.length > 2)
    throw new TshelmError('bad-options', {
      message: `${JSON.stringify(text)} is not the name of an object; write KIND/NAME, for example ConfigMap/settings`,
      details: { option: 'objects' },
    });
  const [kind, ...group] = kindAndGroup.toLowerCase().split('.');
  return ({ object }) =>
    object.kind.toLowerCase() === kind &&
    object.metadata.name === name &&
    (group.length === 0 || groupOf(object.apiVersion) === group.join('.')) &&
    (namespace === undefined || object.metadata.namespace === namespace);
}

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
  {
    message,
    ...facts
  }: {
    readonly message: string;
    readonly objects?: readonly string[] | undefined;
    readonly remedies?: readonly Remedy[] | undefined;
  },
): TshelmError => new TshelmError('move-refused', { message, details: { release, why, ...facts } });
