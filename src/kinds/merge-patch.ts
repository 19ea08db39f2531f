import { isJsonObject, type Json, type JsonObject } from '../support/json.ts';

/** RFC 7386: null removes a key, objects merge, everything else replaces. */
export function mergePatch(document: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const result: JsonObject = isJsonObject(document) ? { ...document } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value as Json);
  }
  return result;
}
