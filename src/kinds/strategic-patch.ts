import { equalJson, isJsonObject, type Json, type JsonObject, plain, without } from '../support/json.ts';
import { fieldType, type ListType, resolveType, type Type } from './field-types.ts';
import { PatchError } from './patch-error.ts';

/**
 * Strategic merge patch: a merge patch that knows which lists merge by a key, with the directives `$patch`, `$retainKeys`,
 * `$setElementOrder/FIELD` and `$deleteFromPrimitiveList/FIELD` (apimachinery's strategicpatch).
 * Errors: `PatchError`.
 */
export function strategicMergePatch(document: JsonObject, patch: JsonObject, type: Type): JsonObject {
  return mergeMap(document, patch, type);
}

const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';

function mergeMap(original: JsonObject, patch: JsonObject, type: Type | undefined): JsonObject {
  switch (patch.$patch) {
    case undefined:
    case 'merge':
      break;
    case 'replace':
      return without(patch, '$patch');
    case 'delete':
      return {};
    default:
      throw new PatchError('malformed', `unknown patch type found: ${plain(patch.$patch)} in map`);
  }
  const result = retainedKeys(original, patch.$retainKeys);
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(deletePrefix)) deleteFromPrimitives(result, key.slice(deletePrefix.length), value as Json);
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) continue;
    if (value === null) delete result[key];
    else result[key] = mergeField(result[key], value as Json, typeOfField(type, key), patch[`${orderPrefix}${key}`]);
  }
  for (const [key, order] of Object.entries(patch)) {
    const field = key.slice(orderPrefix.length);
    if (!key.startsWith(orderPrefix) || patch[field] !== undefined) continue;
    const list = typeOfField(type, field);
    if (list?.kind === 'list' && Array.isArray(result[field])) {
      result[field] = inOrder(result[field], result[field], list.mergeKey, order as Json);
    }
  }
  return result;
}

const typeOfField = (type: Type | undefined, key: string): Type | undefined => {
  const reference = type?.kind === 'map' ? fieldType(type, key) : undefined;
  return reference === undefined ? undefined : resolveType(reference);
};

function retainedKeys(original: JsonObject, retain: Json | undefined): JsonObject {
  if (!Array.isArray(retain)) return { ...original };
  return Object.fromEntries(Object.entries(original).filter(([key]) => retain.includes(key)));
}

function deleteFromPrimitives(result: JsonObject, field: string, unwanted: Json): void {
  const list = result[field];
  if (!Array.isArray(list) || !Array.isArray(unwanted)) return;
  result[field] = list.filter((item) => !unwanted.some((other) => equalJson(item, other)));
}

function mergeField(original: Json | undefined, value: Json, type: Type | undefined, order: Json | undefined): Json {
  if (isJsonObject(value)) return mergeMap(isJsonObject(original) ? original : {}, value, type);
  if (!Array.isArray(value) || type?.kind !== 'list' || type.mergeKey === undefined) return value;
  const merged = mergeList(Array.isArray(original) ? original : [], value, type);
  return order === undefined ? merged : inOrder(merged, Array.isArray(original) ? original : [], type.mergeKey, order);
}

function mergeList(original: readonly Json[], patch: readonly Json[], type: ListType): Json[] {
  if (type.mergeKey === '')
    return [...original, ...patch.filter((item) => !original.some((old) => equalJson(old, item)))];
  const key = type.mergeKey as string;
  const items = patch.filter(isJsonObject);
  if (items.some((item) => item.$patch === 'replace')) return items.filter((item) => item.$patch !== 'replace');
  const deleted = items.filter((item) => item.$patch === 'delete');
  const result = original.filter(
    (item) => !deleted.some((gone) => isJsonObject(item) && equalJson(item[key], gone[key])),
  );
  const element = resolveType(type.element);
  for (const item of items) {
    if (item.$patch === 'delete') continue;
    if (item[key] === undefined) {
      throw new PatchError('malformed', `map: map[] does not contain declared merge key: ${key}`);
    }
    const at = result.findIndex((old) => isJsonObject(old) && equalJson(old[key], item[key]));
    const old = result[at];
    if (isJsonObject(old)) result[at] = mergeMap(old, item, element);
    else result.push(mergeMap({}, item, element));
  }
  return result;
}

/** The items named in `order` in that order; the others where they were before, relative to their neighbours. */
function inOrder(items: readonly Json[], before: readonly Json[], key: string | undefined, order: Json): Json[] {
  const identity = (item: Json): Json | undefined =>
    key === undefined || key === '' ? item : isJsonObject(item) ? item[key] : undefined;
  const wanted = (Array.isArray(order) ? order : []).map(identity);
  const rank = (item: Json): number => wanted.findIndex((other) => equalJson(other, identity(item)));
  const oldIndex = (item: Json): number => before.findIndex((other) => equalJson(identity(other), identity(item)));
  const ordered = items.filter((item) => rank(item) >= 0).sort((a, b) => rank(a) - rank(b));
  const others = items.filter((item) => rank(item) < 0);
  const result: Json[] = [];
  while (ordered.length > 0 || others.length > 0) {
    const [next, other] = [ordered[0], others[0]];
    const takeOther =
      other !== undefined && (next === undefined || (oldIndex(next) >= 0 && oldIndex(other) < oldIndex(next)));
    result.push((takeOther ? others.shift() : ordered.shift()) as Json);
  }
  return result;
}
