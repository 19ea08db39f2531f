import { builtInType, fieldType, resolveType } from './field-types.ts';

/** An unknown field, and the one that was probably meant. */
export interface MeantField {
  readonly field: string;
  readonly meant: string;
}

/**
 * The first field on a way into an object that its built-in kind does not have, and which of the fields there `nearest`
 * chooses in its place. Undefined where all are known, or none is near.
 */
export function nearestField(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  path: readonly (string | number)[],
  nearest: (word: string, names: Iterable<string>) => string | undefined,
): MeantField | undefined {
  let at = builtInType(apiVersion, kind);
  for (const part of path) {
    if (at?.kind === 'list') {
      at = resolveType(at.element);
      continue;
    }
    if (at?.kind !== 'map') return undefined;
    const field = String(part);
    const type = fieldType(at, field);
    if (type === undefined) {
      const meant = nearest(field, Object.keys(at.fields ?? {}));
      return meant === undefined ? undefined : { field, meant };
    }
    at = resolveType(type);
  }
  return undefined;
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The type of what has the last part of a path. */
function holderType({ apiVersion, kind }: Kind, path: readonly (string | number)[]) {
  let at = builtInType(apiVersion, kind);
  for (const part of path.slice(0, -1)) {
    const type = at?.kind === 'list' ? at.element : at?.kind === 'map' ? fieldType(at, String(part)) : undefined;
    at = type === undefined ? undefined : resolveType(type);
  }
  return at;
}

/** Whether the last part of a path is one of the fields that its built-in kind names there. */
export function hasField(id: Kind, path: readonly (string | number)[]): boolean {
  const at = holderType(id, path);
  return at?.kind === 'map' && Object.hasOwn(at.fields ?? {}, String(path.at(-1)));
}

/** The path that an unknown field would have one level less deep, where its built-in kind has it there. */
export function outerField(id: Kind, path: readonly (string | number)[]): readonly (string | number)[] | undefined {
  const outer = [...path.slice(0, -2), ...path.slice(-1)];
  return path.length > 1 && typeof path.at(-2) === 'string' && hasField(id, outer) ? outer : undefined;
}

/** The path that an unknown field would have one level deeper, where only one of the fields beside it has such a field. */
export function innerField(id: Kind, path: readonly (string | number)[]): readonly (string | number)[] | undefined {
  const holder = holderType(id, path);
  if (holder?.kind !== 'map' || holder.fields === undefined) return undefined;
  const key = String(path.at(-1));
  const [found, another] = Object.keys(holder.fields).filter((name) => {
    const type = fieldType(holder, name);
    const inner = type === undefined ? undefined : resolveType(type);
    return inner?.kind === 'map' && Object.hasOwn(inner.fields ?? {}, key);
  });
  return found === undefined || another !== undefined ? undefined : [...path.slice(0, -1), found, key];
}
