import { type ListType, resolveType } from '../../kinds/field-types.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../support/json.ts';

/** What a missing key of a `map` list counts as: in Kubernetes' own structs Go's zero value, in custom ones nothing. */
function keyDefault(list: ListType, key: string): Json | undefined {
  if (key === 'protocol') return 'TCP';
  const element = resolveType(list.element);
  const field = element.kind === 'map' && element.name ? element.fields?.[key] : undefined;
  const type = field === undefined ? undefined : resolveType(field);
  if (type?.kind !== 'scalar') return undefined;
  return type.of === 'int32' || type.of === 'int64' ? 0 : '';
}

/** The path element of a list's item. An item without any of its keys has none. */
export function itemElement(list: ListType, item: Json): string | undefined {
  if (list.relation === 'set') return `v:${JSON.stringify(item)}`;
  if (!isJsonObject(item)) return undefined;
  const keys: JsonObject = {};
  for (const key of [...list.keys].sort()) {
    const value = item[key] ?? keyDefault(list, key);
    if (value !== undefined) keys[key] = value;
  }
  return Object.keys(keys).length === 0 ? undefined : `k:${canonicalJson(keys)}`;
}

/** The path in the API server's sentences: `.spec.containers[name="a"].image`. */
export function pathText(path: readonly string[]): string {
  return path
    .map((element) => {
      const text = element.slice(2);
      if (element.startsWith('f:')) return `.${text}`;
      if (element.startsWith('v:')) return `[=${text}]`;
      if (element.startsWith('i:')) return `[${text}]`;
      const keys = Object.entries(JSON.parse(text) as JsonObject);
      return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
    })
    .join('');
}
