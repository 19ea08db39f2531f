import { GoInt, GoObject, goTypeOf, isNilList, type Value } from '../../go/value.ts';

/** reflect.DeepEqual: the same Go type and the same content; an int64 never equals an int. */
export const deepEqual = (a: Value, b: Value): boolean => new Comparison().equal(a, b);

/** As in Go, two lists or maps that were met before are not compared again: they may hold themselves, or share others. */
class Comparison {
  readonly #met = new Map<object, Set<object>>();

  equal(a: Value, b: Value): boolean {
    const left = a ?? null;
    const right = b ?? null;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
    if (left instanceof GoInt) return right instanceof GoInt && left.type === right.type && left.value === right.value;
    if (goTypeOf(left) !== goTypeOf(right)) return false;
    if (left === right || this.#wasMet(left, right)) return true;
    if (left instanceof Map) return right instanceof Map && this.#mapsEqual(left, right);
    if (left instanceof Uint8Array) return right instanceof Uint8Array && bytesEqual(left, right);
    if (Array.isArray(left)) {
      return Array.isArray(right) && isNilList(left) === isNilList(right) && this.#listsEqual(left, right);
    }
    return (
      left instanceof GoObject && right instanceof GoObject && this.#listsEqual(left.comparedBy(), right.comparedBy())
    );
  }

  #wasMet(left: object, right: object): boolean {
    const partners = this.#met.get(left);
    if (partners === undefined) this.#met.set(left, new Set([right]));
    else if (partners.has(right)) return true;
    else partners.add(right);
    return false;
  }

  #listsEqual(a: readonly Value[], b: readonly Value[]): boolean {
    return a.length === b.length && a.every((item, index) => this.equal(item, b[index]));
  }

  #mapsEqual(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean {
    return a.size === b.size && [...a].every(([key, item]) => b.has(key) && this.equal(item, b.get(key)));
  }
}

const bytesEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);
