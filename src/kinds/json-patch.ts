import { cloneJson, equalJson, isJsonObject, type Json, pointerKeys } from '../support/json.ts';
import { PatchError } from './patch-error.ts';

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Json;
}

/** RFC 6902. Errors: `PatchError`. */
export function jsonPatch(document: Json, patch: Json): Json {
  if (!Array.isArray(patch))
    throw new PatchError('malformed', 'json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  let result = cloneJson(document);
  for (const operation of patch) result = applyOperation(result, operation as unknown as Operation);
  return result;
}

function applyOperation(document: Json, { op, path, from, value }: Operation): Json {
  const keys = pointerKeys(path);
  switch (op) {
    case 'add':
      return add(document, keys, cloneJson(value ?? null), path);
    case 'replace':
      return add(remove(document, keys, 'replace', path), keys, cloneJson(value ?? null), path);
    case 'remove':
      return remove(document, keys, 'remove', path);
    case 'copy':
      return add(document, keys, cloneJson(read(document, pointerKeys(from ?? ''), 'copy', from)), path);
    case 'move': {
      const moved = read(document, pointerKeys(from ?? ''), 'move', from);
      return add(remove(document, pointerKeys(from ?? ''), 'move', from), keys, moved, path);
    }
    case 'test':
      if (equalJson(find(document, keys) ?? null, value ?? null)) return document;
      throw failed(`testing value ${path} failed: test failed`);
    default:
      throw failed(`Unexpected kind: ${op}`);
  }
}

const failed = (why: string): PatchError => new PatchError('inapplicable', why);

function find(document: Json, keys: readonly string[]): Json | undefined {
  let at: Json | undefined = document;
  for (const key of keys) {
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isJsonObject(at)) at = at[key];
    else return undefined;
  }
  return at;
}

function read(document: Json, keys: readonly string[], op: string, path: string | undefined): Json {
  const value = find(document, keys);
  if (value === undefined)
    throw failed(
      `${op} operation does not apply: doc is missing ${op === 'copy' || op === 'move' ? 'from ' : ''}path: "${path}": missing value`,
    );
  return value;
}

function add(document: Json, keys: readonly string[], value: Json, path: string): Json {
  const last = keys.at(-1);
  if (last === undefined) return value;
  const parent = find(document, keys.slice(0, -1));
  if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : Number(last);
    if (!Number.isInteger(index) || index < 0 || index > parent.length) {
      throw failed(
        `add operation does not apply: doc is missing path: "${path}": Unable to access invalid index: ${last}: invalid index referenced`,
      );
    }
    parent.splice(index, 0, value);
  } else if (isJsonObject(parent)) {
    parent[last] = value;
  } else {
    throw failed(`add operation does not apply: doc is missing path: "${path}": missing value`);
  }
  return document;
}

function remove(document: Json, keys: readonly string[], op: string, path: string | undefined): Json {
  const parent = find(document, keys.slice(0, -1));
  const last = keys.at(-1);
  if (last === undefined) return null;
  read(document, keys, op, path);
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete (parent as Record<string, Json>)[last];
  return document;
}
