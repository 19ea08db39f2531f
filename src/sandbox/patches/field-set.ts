import { fieldType, resolveType, type TypeRef } from '../../kinds/field-types.ts';
import { canonicalJson, type JsonObject } from '../../support/json.ts';

/**
 * A set of field paths (structured-merge-diff's fieldpath.Set). A path element is its text in fieldsV1:
 * `f:name` a field, `k:{"name":"a"}` the item with these keys, `v:"x"` the item of a set.
 */
export class FieldSet {
  readonly members: ReadonlySet<string>;
  readonly children: ReadonlyMap<string, FieldSet>;

  constructor(members: ReadonlySet<string> = new Set(), children: ReadonlyMap<string, FieldSet> = new Map()) {
    this.members = members;
    this.children = children;
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  has(element: string): boolean {
    return this.members.has(element);
  }

  /** The paths below an element. */
  below(element: string): FieldSet {
    return this.children.get(element) ?? emptySet;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    const children = new Map(this.children);
    for (const [element, set] of other.children) children.set(element, this.below(element).union(set));
    return new FieldSet(new Set([...this.members, ...other.members]), children);
  }

  intersection(other: FieldSet): FieldSet {
    return new FieldSet(
      new Set([...this.members].filter((element) => other.members.has(element))),
      childrenOf(this, (element, set) => set.intersection(other.below(element))),
    );
  }

  /** Without the other's members; a parent in the other does not take its children away. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return new FieldSet(
      new Set([...this.members].filter((element) => !other.members.has(element))),
      childrenOf(this, (element, set) => set.difference(other.below(element))),
    );
  }

  /** Without the other's members and all that is below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return new FieldSet(
      new Set([...this.members].filter((element) => !other.members.has(element))),
      childrenOf(this, (element, set) =>
        other.members.has(element) ? emptySet : set.recursiveDifference(other.below(element)),
      ),
    );
  }

  equals(other: FieldSet): boolean {
    return canonicalJson(toFieldsV1(this)) === canonicalJson(toFieldsV1(other));
  }

  /** Every member as a path, depth first, in fieldsV1's order. */
  *paths(prefix: readonly string[] = []): Generator<string[]> {
    for (const element of elementsOf(this)) {
      if (this.members.has(element)) yield [...prefix, element];
      const below = this.children.get(element);
      if (below !== undefined) yield* below.paths([...prefix, element]);
    }
  }
}

const emptySet = new FieldSet();

function childrenOf(set: FieldSet, change: (element: string, below: FieldSet) => FieldSet): Map<string, FieldSet> {
  const children = new Map<string, FieldSet>();
  for (const [element, below] of set.children) {
    const changed = change(element, below);
    if (!changed.isEmpty) children.set(element, changed);
  }
  return children;
}

const elementsOf = (set: FieldSet): string[] => [...new Set([...set.members, ...set.children.keys()])].sort();

/** Collects paths while walking a value. */
export class FieldSetBuilder {
  readonly #members = new Set<string>();
  readonly #children = new Map<string, FieldSetBuilder>();

  /** Adds a path; the empty path, the whole object, is never owned. */
  insert(path: readonly string[]): void {
    const last = path.at(-1);
    if (last === undefined) return;
    const parents = path.slice(0, -1);
    parents.reduce<FieldSetBuilder>((at, element) => at.#descend(element), this).#members.add(last);
  }

  build(): FieldSet {
    const children = new Map<string, FieldSet>();
    for (const [element, builder] of this.#children) children.set(element, builder.build());
    return new FieldSet(this.#members, children);
  }

  #descend(element: string): FieldSetBuilder {
    let child = this.#children.get(element);
    if (child === undefined) {
      child = new FieldSetBuilder();
      this.#children.set(element, child);
    }
    return child;
  }
}

export function fieldSetOf(...paths: readonly (readonly string[])[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path);
  return builder.build();
}

export function toFieldsV1(set: FieldSet): JsonObject {
  const fields: JsonObject = {};
  for (const element of elementsOf(set)) {
    const below = set.children.get(element);
    if (below === undefined) fields[element] = {};
    else fields[element] = set.members.has(element) ? { '.': {}, ...toFieldsV1(below) } : toFieldsV1(below);
  }
  return fields;
}

export function fromFieldsV1(fields: JsonObject): FieldSet {
  const members = new Set<string>();
  const children = new Map<string, FieldSet>();
  for (const [element, value] of Object.entries(fields)) {
    if (element === '.') continue;
    const nested = (value ?? {}) as JsonObject;
    const names = Object.keys(nested);
    if (names.length === 0 || nested['.'] !== undefined) members.add(element);
    if (names.some((name) => name !== '.')) children.set(element, fromFieldsV1(nested));
  }
  return new FieldSet(members, children);
}

/** With every named field above a member as a member too (EnsureNamedFieldsAreMembers). */
export function withNamedFields(set: FieldSet, reference: TypeRef | undefined): FieldSet {
  const type = reference === undefined ? undefined : resolveType(reference);
  const members = new Set(set.members);
  const children = new Map<string, FieldSet>();
  for (const [element, below] of set.children) {
    let inner: TypeRef | undefined;
    if (element.startsWith('f:') && type?.kind === 'map') {
      const name = element.slice(2);
      if (type.fields !== undefined && Object.hasOwn(type.fields, name)) members.add(element);
      inner = fieldType(type, name);
    } else if (element.startsWith('k:') && type?.kind === 'list') {
      inner = type.element;
    }
    children.set(element, withNamedFields(below, inner));
  }
  return new FieldSet(members, children);
}
