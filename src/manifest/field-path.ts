/** The way to a field; a number is an item of a list. */
export type FieldPath = readonly (string | number)[];

/** `spec.containers[0].image` */
export const pathText = (path: FieldPath): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${part}`)).join('');

/** The value at the end of a way; undefined where it leads nowhere. */
export const valueAtPath = (from: unknown, path: FieldPath): unknown =>
  path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[part] : undefined),
    from,
  );

/** Whether a way is another one, or goes on from it. */
export const isPathWithin = (path: FieldPath, other: FieldPath): boolean =>
  path.length >= other.length && other.every((part, index) => path[index] === part);
