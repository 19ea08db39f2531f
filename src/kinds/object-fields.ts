import { isJsonObject, type Json } from '../support/json.ts';
import { fieldType, resolveType, type Type } from './field-types.ts';

/** A field that an object sets. */
export interface ObjectField {
  readonly path: readonly (string | number)[];
  /** The Go name of the struct that it belongs to: `PodSpec`. */
  readonly owner: string;
  readonly name: string;
  readonly value: Json;
  readonly isKnown: boolean;
}

/**
 * Every field of an object as its type knows it, each before those below it; below an unknown one there is none, nor in the
 * schema of a CRD: it has thousands, which are the same in all versions.
 */
export function* objectFields(
  type: Type,
  value: Json | undefined,
  path: readonly (string | number)[] = [],
): Generator<ObjectField> {
  if (type.kind === 'list' && Array.isArray(value)) {
    const element = resolveType(type.element);
    for (const [index, item] of value.entries()) yield* objectFields(element, item, [...path, index]);
  }
  if (type.kind !== 'map' || type.name === 'JSONSchemaProps' || !isJsonObject(value)) return;
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined || item === null) continue;
    const reference = fieldType(type, name);
    const below = [...path, name];
    if (type.fields !== undefined) {
      yield { path: below, owner: type.name ?? '', name, value: item, isKnown: reference !== undefined };
    }
    if (reference !== undefined) yield* objectFields(resolveType(reference), item, below);
  }
}

/** How much of an object its type does not have, or has as something else: a map in place of a list. */
export function misfits(type: Type, value: unknown): number {
  if (value === null || value === undefined || type.kind === 'any') return 0;
  if (type.kind === 'scalar') return typeof value === 'object' ? 1 : 0;
  if (type.kind === 'list') {
    const element = resolveType(type.element);
    return Array.isArray(value) ? value.reduce<number>((sum, item) => sum + misfits(element, item), 0) : 1;
  }
  if (typeof value !== 'object' || Array.isArray(value)) return 1;
  return Object.entries(value).reduce((sum, [name, item]) => {
    const reference = fieldType(type, name);
    return sum + (reference === undefined ? 1 : misfits(resolveType(reference), item));
  }, 0);
}

/** Whether a type has all fields of a way into it. */
export function hasField(type: Type | undefined, path: readonly (string | number)[]): boolean {
  const [part, ...rest] = path;
  if (type === undefined || part === undefined) return type !== undefined;
  if (type.kind === 'list') return hasField(resolveType(type.element), rest);
  const reference = type.kind === 'map' ? fieldType(type, String(part)) : undefined;
  return reference !== undefined && hasField(resolveType(reference), rest);
}
