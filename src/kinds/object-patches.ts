import { equalJson, isJsonObject, type Json, type JsonObject } from '../support/json.ts';
import { builtInType, fieldType, resolveType, type Type } from './field-types.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { strategicMergePatch } from './strategic-patch.ts';

/*
 * What the API server makes of an object and a patch, for those who patch objects before they are sent. Objects and
 * patches are plain data, as JSON has them; what is given is left as it is.
 */

/** RFC 6902. Errors: `PatchError`, which says which operation does not apply, and why. */
export const withJsonPatch = <T extends object>(object: T, operations: readonly unknown[]): T =>
  jsonPatch(object as Json, operations as Json) as T;

/**
 * A strategic merge patch by the Go types of a built-in kind; of other kinds, whose lists have no keys, a merge patch. In
 * lists with keys what the patch names comes first, in its order, as kustomize has it; the API server appends it.
 * Errors: `PatchError` for unknown directives, and for items without the key of their list.
 */
export function withStrategicMergePatch<T extends { readonly apiVersion: string; readonly kind: string }>(
  object: T,
  patch: object,
): T {
  const type = builtInType(object.apiVersion, object.kind);
  const [whole, change] = [structuredClone(object) as unknown as JsonObject, patch as JsonObject];
  if (type === undefined) return mergePatch(whole, change) as unknown as T;
  return patchedFirst(strategicMergePatch(whole, change, type), change, type) as unknown as T;
}

/** A patched value with the items of its lists in the order of the patch, the others behind. */
function patchedFirst(value: Json | undefined, patch: Json | undefined, type: Type | undefined): Json | undefined {
  if (isJsonObject(value) && isJsonObject(patch) && type?.kind === 'map') {
    const entries = Object.entries(value).map(([key, item]): [string, Json | undefined] => {
      const reference = fieldType(type, key);
      return [key, patchedFirst(item, patch[key], reference === undefined ? undefined : resolveType(reference))];
    });
    return Object.fromEntries(entries);
  }
  if (!Array.isArray(value) || !Array.isArray(patch) || type?.kind !== 'list' || type.mergeKey === undefined)
    return value;
  const { mergeKey: key } = type;
  const identity = (item: Json): Json | undefined => (key === '' ? item : isJsonObject(item) ? item[key] : undefined);
  const partFor = (item: Json): Json | undefined => patch.find((one) => equalJson(identity(one), identity(item)));
  const element = resolveType(type.element);
  const rank = (item: Json): number => patch.indexOf(partFor(item) as Json);
  const named = value.filter((item) => partFor(item) !== undefined).sort((a, b) => rank(a) - rank(b));
  const others = value.filter((item) => partFor(item) === undefined);
  return [...named.map((item) => patchedFirst(item, partFor(item), element) as Json), ...others];
}
