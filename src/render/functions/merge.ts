import {
  GoError,
  GoInt,
  type GoMap,
  GoObject,
  goKindOf,
  goTypeOf,
  isNilMap,
  underlyingTypeOf,
  type Value,
} from '../../go/value.ts';
import { sortedEntries } from '../../support/order.ts';

/** `keep`: the target's own values win (mergo.Merge); `overwrite`: the source's do (MergeWithOverwrite). */
export type MergeMode = 'keep' | 'overwrite';

/**
 * Merges `source` into `target`, which changes, as dario.cat/mergo does: maps key by key at every depth, lists as a
 * whole; in `keep` mode an empty value of the target (nil, false, 0, "", [], {}) counts as missing.
 * Returns the error text of what mergo refuses; panics of Go's reflection are thrown as GoError.
 */
export function mergeInto(target: GoMap, source: GoMap, mode: MergeMode): string | undefined {
  const from = elementType(source);
  for (const entry of sortedEntries(source)) {
    const failure = mergeKey(target, entry, mode, from);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function mergeKey(
  target: GoMap,
  [key, value]: readonly [string, Value],
  mode: MergeMode,
  from: string,
): string | undefined {
  const overwrites = mode === 'overwrite';
  if (value === null || value === undefined) {
    if (overwrites) put(target, key, null, from);
    return undefined;
  }
  const kind = goKindOf(value);
  const present = target.get(key);
  if (kind === 'map' || kind === 'struct' || kind === 'ptr') {
    const failure = mergeValues(present, value, mode);
    if (failure !== undefined) return failure;
  }
  if (kind === 'slice') {
    const kept = present ?? value;
    put(target, key, overwrites ? value : kept, goTypeOf(overwrites ? value : kept));
  }
  if (!isEmptyValue(present) && (kind === 'slice' || (kind === 'map' && goKindOf(present) === 'map'))) return undefined;
  if (overwrites || isEmptyValue(present)) put(target, key, value, from);
  return undefined;
}

/** mergo's deepMerge of two values that are no variables: only what is below them can change. */
function mergeValues(target: Value, source: Value, mode: MergeMode): string | undefined {
  if (isNilMap(target)) return undefined;
  if (target instanceof Map) return source instanceof Map ? mergeInto(target, source, mode) : undefined;
  checkFields(target, source);
  if (goKindOf(target) !== 'ptr' || goKindOf(source) === 'ptr' || mode === 'overwrite') return undefined;
  return 'src and dst must be of same type';
}

/** mergo goes through the exported fields of a struct, and takes for granted that the source is one too. */
function checkFields(target: Value, source: Value): void {
  if (!(target instanceof GoObject) || target.goKind !== 'struct' || target.exportedFields().length === 0) return;
  const kind = goKindOf(source);
  if (kind !== 'struct') throw new GoError(`reflect: call of reflect.Value.Field on ${kind} Value`);
}

/** reflect's SetMapIndex with a value of the given static type: a map[string]string takes texts only. */
function put(target: GoMap, key: string, value: Value, type: string): void {
  const element = elementType(target);
  if (element !== 'interface {}' && element !== type) {
    throw new GoError(`reflect.Value.SetMapIndex: value of type ${type} is not assignable to type ${element}`);
  }
  target.set(key, value);
}

/** The type of a map's values. */
const elementType = (map: GoMap): string =>
  /^map\[string\](?!interface)(.*)$/.exec(underlyingTypeOf(map))?.[1] ?? 'interface {}';

/** mergo's isEmptyValue. */
function isEmptyValue(value: Value): boolean {
  if (value === null || value === undefined) return true;
  if (value instanceof Map) return value.size === 0;
  if (Array.isArray(value) || value instanceof Uint8Array || typeof value === 'string') return value.length === 0;
  if (value instanceof GoInt) return value.value === 0n;
  if (value instanceof GoObject) return !value.isTrue();
  return value === false || value === 0;
}
