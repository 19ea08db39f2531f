import { apiVersionOf, type Kind, storageKey } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { notFound } from '../status.ts';
import type { Environment } from './environment.ts';

/** The object at the version of the kind. Conversion changes no more than the apiVersion, as `strategy: None` does. */
export const atVersion = (kind: Kind, object: Resource): Resource =>
  object.apiVersion === apiVersionOf(kind) ? object : { ...object, apiVersion: apiVersionOf(kind) };

/** GET of one object; 404 where there is none. */
export function getObject({ store }: Environment, kind: Kind, namespace: string | undefined, name: string): Resource {
  const object = store.get(storageKey(kind), kind.namespaced ? namespace : undefined, name);
  if (object === undefined) throw notFound(kind, name);
  return atVersion(kind, object);
}
