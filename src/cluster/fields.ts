import type { KubernetesObject } from '../manifest/types.ts';

/** A condition of an object's status. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The value at a path of keys; undefined where the path breaks off. */
export function valueAt(object: unknown, ...path: readonly string[]): unknown {
  let at = object;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

export function numberAt(object: unknown, fallback: number, ...path: readonly string[]): number {
  const value = valueAt(object, ...path);
  return typeof value === 'number' ? value : fallback;
}

export function textAt(object: unknown, fallback: string, ...path: readonly string[]): string {
  const value = valueAt(object, ...path);
  return typeof value === 'string' ? value : fallback;
}

/** The objects of a list; [] where there is none. */
export function listAt(object: unknown, ...path: readonly string[]): readonly Record<string, unknown>[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}

export const conditionsOf = (object: KubernetesObject): readonly Condition[] =>
  listAt(object, 'status', 'conditions').map((condition) => ({
    type: textAt(condition, '', 'type'),
    status: textAt(condition, '', 'status'),
    reason: textAt(condition, '', 'reason'),
    message: textAt(condition, '', 'message'),
  }));

/** `apps` of `apps/v1`; '' for the core group. */
export const groupOf = ({ apiVersion }: { readonly apiVersion: string }): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** `Deployment.apps`, `Pod`. */
export const groupKindOf = (of: { readonly apiVersion: string; readonly kind: string }): string =>
  groupOf(of) === '' ? of.kind : `${of.kind}.${groupOf(of)}`;
