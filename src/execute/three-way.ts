import type { PatchType } from '../cluster/types.ts';
import type { KubernetesObject } from '../manifest/types.ts';

export interface ThreeWayPatch {
  readonly type: PatchType;
  readonly body: Record<string, unknown>;
}

/**
 * The patch that brings a live object to the new manifest: it sets what differs, and removes what the old manifest had
 * and the new one lacks. Fields that only the live object has stay. Undefined when there is nothing to change.
 */
export function threeWayPatch(
  original: KubernetesObject,
  target: KubernetesObject,
  live: KubernetesObject,
): ThreeWayPatch | undefined {
  const body = { ...changes(live, target), ...{} };
  addDeletions(original, target, body);
  return Object.keys(body).length === 0 ? undefined : { type: 'merge', body };
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function changes(live: Fields, target: Fields): Fields {
  const patch: Fields = {};
  for (const [key, value] of Object.entries(target)) {
    const current = live[key];
    if (isObject(value) && isObject(current)) {
      const inner = changes(current, value);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (!isEqual(current, value)) patch[key] = value;
  }
  return patch;
}

function addDeletions(original: Fields, target: Fields, patch: Fields): void {
  for (const [key, value] of Object.entries(original)) {
    if (!(key in target)) patch[key] = null;
    else if (isObject(value) && isObject(target[key])) {
      const inner = isObject(patch[key]) ? patch[key] : {};
      addDeletions(value, target[key], inner);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    }
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isEqual(a[key], b[key]));
}
