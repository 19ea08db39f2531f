import { VisitCount } from '../../go/limits.ts';
import {
  GoError,
  type GoMap,
  GoObject,
  goTypeOf,
  isNilList,
  isNilMap,
  nilList,
  nilMap,
  type Value,
  withTypeOf,
} from '../../go/value.ts';

/**
 * mitchellh/copystructure's Copy: lists and maps anew with their Go types. Unexported fields are not copied, so that
 * a copied `*semver.Version` is 0.0.0: objects that this concerns say so by {@link CopiedByField}.
 */
export function deepCopy(value: Value): Value {
  if (value === null || value === undefined) {
    throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  }
  return copyOf(value, new VisitCount());
}

/** An object whose copy differs from it. */
export interface CopiedByField {
  copiedByField(): GoObject;
}

function copyOf(value: Value, visits: VisitCount): Value {
  if (isNilMap(value)) return withTypeOf(value as GoMap, nilMap());
  if (value instanceof Map) {
    visits.add(value.size);
    return withTypeOf(value, new Map([...value].map(([key, item]) => [key, copyOf(item, visits)])));
  }
  if (value instanceof Uint8Array) return value.slice();
  if (Array.isArray(value)) {
    if (isNilList(value)) return nilList(goTypeOf(value));
    visits.add(value.length);
    return withTypeOf(
      value,
      value.map((item) => copyOf(item, visits)),
    );
  }
  return value instanceof GoObject && 'copiedByField' in value
    ? (value as GoObject & CopiedByField).copiedByField()
    : value;
}
