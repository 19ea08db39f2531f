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
