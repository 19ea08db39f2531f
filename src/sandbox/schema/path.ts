import type { ListType } from '../../kinds/field-types.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../support/json.ts';

/** Kubernetes' defaults for keys of `map` lists. */
const keyDefaults: Readonly<Record<string, Json>> = { protocol: 'TCP' };

/** The path element of a list's item. An item without any of its keys has none. */
export function itemElement(list: ListType, item: Json): string | undefined {
  if (list.relation === 'set') return `v:${JSON.stringify(item)}`;
  if (!isJsonObject(item)) return undefined;
  const keys: JsonObject = {};
  for (const key of [...list.keys].sort()) {
    const value = item[key] ?? keyDefaults[key];
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
      const keys = Object.entries(JSON.parse(text) as JsonObject);
      return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
    })
    .join('');
}
