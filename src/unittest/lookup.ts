import { deepCopy, valueIn } from '../chart/tables.ts';
import type { GoMap, Value } from '../go/value.ts';
import type { Lookup } from '../render/lookup.ts';
import type { FakeCluster, FakeKind } from './suite/types.ts';

const noKind: FakeKind = { group: '', version: '', resource: '', isNamespaced: false };

/** `lookup` over the objects that a test gives; undefined where it gives none. Follows client-go's fake dynamic client. */
export function lookupIn({ kinds, objects }: FakeCluster): Lookup | undefined {
  if (objects.length === 0) return undefined;
  const stored = objects.map((object) => ({ object, place: placeOf(object) }));
  return (apiVersion, kind, namespace, name) => {
    const asked = kinds.get(`${apiVersion}/${kind}`) ?? noKind;
    const where = asked.isNamespaced ? namespace : '';
    const resource = resourceText(asked);
    const ofKind = stored.filter(({ place }) => place.resource === resource);
    if (name !== '') {
      const found = ofKind.find(({ place }) => place.name === name && place.namespace === where);
      return found === undefined ? new Map() : deepCopy(found.object);
    }
    const listed = ofKind.filter(({ place }) => where === '' || place.namespace === where);
    return listOf(
      listed.map(({ object }) => deepCopy(object)),
      apiVersion,
      kind,
    );
  };
}

interface Place {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

function placeOf(object: GoMap): Place {
  const text = (...keys: readonly string[]): string => {
    const value = valueIn(object, keys);
    return typeof value === 'string' ? value : '';
  };
  const [version = '', group = ''] = text('apiVersion').split('/').reverse();
  const resource = resourceText({ group, version, resource: guessedResource(text('kind')) });
  return { resource, namespace: text('metadata', 'namespace'), name: text('metadata', 'name') };
}

const resourceText = ({ group, version, resource }: Omit<FakeKind, 'isNamespaced'>): string =>
  `${group}/${version}/${resource}`;

/** The plural by the rules of meta.UnsafeGuessKindToResource. */
function guessedResource(kind: string): string {
  const single = kind.toLowerCase();
  if (single.endsWith('endpoints')) return single;
  if (single.endsWith('s')) return `${single}es`;
  return single.endsWith('y') ? `${single.slice(0, -1)}ies` : `${single}s`;
}

const listOf = (items: readonly Value[], apiVersion: string, kind: string): GoMap =>
  new Map<string, Value>([
    ['apiVersion', apiVersion],
    ['items', [...items]],
    ['kind', `${kind}List`],
    ['metadata', new Map([['resourceVersion', '']])],
  ]);
