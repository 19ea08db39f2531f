export const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

export const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

/** The objects of a list, {} for what is none; [] where there is no list. */
export function listOf<T extends object>(value: readonly T[] | null | undefined): readonly T[] {
  if (!Array.isArray(value)) return [];
  const list = value as readonly T[];
  return list.every(isObject) ? list : list.map((item) => (isObject(item) ? item : ({} as T)));
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
