import { GoInt, type GoMap, unnamedMap, type Value } from '../go/value.ts';
import type { Known, Origin, RunTrace } from './trace.ts';

export const noOrigin: Origin = {};

/** The origin of what is made of these, or decided by those. */
export function madeOf(from: readonly Origin[], deciders: readonly Origin[] = []): Origin {
  const made = distinct(from);
  const decided = distinct(deciders);
  const [only, another] = made;
  if (only === undefined && decided.length === 0) return noOrigin;
  if (only !== undefined && another === undefined && decided.length === 0) return only;
  return { from: made, ...(decided.length > 0 && { deciders: decided }) };
}

const distinct = (origins: readonly Origin[]): readonly Origin[] =>
  origins.length === 1 && origins[0] !== noOrigin
    ? origins
    : [...new Set(origins)].filter((origin) => origin !== noOrigin);

/** What was read for a value. */
export interface Reads {
  /** What it was made of. */
  readonly made: readonly Origin[];
  /** What decided about it. */
  readonly decided: readonly Origin[];
  /** Both, in the order in which they were read. */
  readonly all: readonly Origin[];
  /** The runs whose texts it was made of. */
  readonly runs: readonly RunTrace[];
}

/** Everything that was read for a value, each once. */
export function readsOf(origin: Origin): Reads {
  const made: Origin[] = [];
  const decided: Origin[] = [];
  const all: Origin[] = [];
  const runs: RunTrace[] = [];
  const seen = new Set<Origin>();
  const visit = (one: Origin, into: Origin[]): void => {
    if (seen.has(one)) return;
    seen.add(one);
    if (one.keys !== undefined) {
      into.push(one);
      all.push(one);
    }
    if (one.run !== undefined && into === made) runs.push(one.run);
    for (const each of one.from ?? []) visit(each, into);
    for (const each of one.deciders ?? []) visit(each, decided);
  };
  visit(origin, made);
  return { made, decided, all, runs };
}

/** Where the maps and lists of a traced run, and what is in them, come from: a table beside them. */
export class Origins {
  private readonly root: Value;
  private readonly containers = new WeakMap<object, Origin>();
  private readonly members = new WeakMap<object, Map<string, Origin>>();

  /** Everything in `root` is watched. */
  constructor(root: Value) {
    this.root = root;
    this.watch(root, []);
  }

  private watch(value: Value, keys: readonly string[]): void {
    if (!isContainer(value)) return;
    this.containers.set(keyOf(value), { keys });
    for (const [key, item] of entriesOf(value)) this.watch(item, [...keys, key]);
  }

  /** Of a map or a list that is known by itself. */
  of(value: Value): Origin | undefined {
    return isContainer(value) ? this.containers.get(keyOf(value)) : undefined;
  }

  set(container: Value & object, origin: Origin): void {
    this.containers.set(keyOf(container), origin);
  }

  setMember(container: Value & object, key: string, origin: Origin): void {
    const own = this.members.get(keyOf(container)) ?? new Map<string, Origin>();
    this.members.set(keyOf(container), own.set(key, origin));
  }

  /** Of what a map or a list, which comes from `origin`, has at a key. */
  member(container: Value, key: string, value: Value, origin: Origin): Origin {
    if (!isContainer(container)) return noOrigin;
    const own = this.members.get(keyOf(container))?.get(key);
    if (own !== undefined) return own;
    const known = this.of(value);
    if (known !== undefined) return known;
    if (origin.keys !== undefined) return origin.isKey ? origin : { keys: [...origin.keys, key] };
    return value === undefined ? noOrigin : (this.sameBelow(key, value, origin) ?? origin);
  }

  /** Of a copy: what its original has there, if that is the same. */
  private sameBelow(key: string, value: Value, origin: Origin): Origin | undefined {
    for (const { keys = [] } of readsOf(origin).made) {
      const original = memberAt(keys.reduce(memberAt, this.root), key);
      if (original !== undefined && isSame(original, value)) return { keys: [...keys, key] };
    }
    return undefined;
  }

  /** Of what a function returned. */
  ofResult(result: Value, args: readonly Known[]): Origin {
    const all = madeOf(args.map(({ origin }) => origin));
    if (!isContainer(result)) return this.sameAs(result, args) ?? all;
    const known = this.of(result) ?? this.sameAs(result, args);
    return known ?? this.describe(result, args, all);
  }

  /** Of one of the arguments, or of what one of them holds. */
  private sameAs(result: Value, args: readonly Known[]): Origin | undefined {
    const same = args.find(({ value, origin }) => origin !== noOrigin && isSame(value, result));
    if (same !== undefined) return same.origin;
    for (const { value, origin } of args) {
      if (!isContainer(value)) continue;
      const found = entriesOf(value).find(([, item]) => isSame(item, result));
      if (found !== undefined) return this.member(value, found[0], result, origin);
    }
    return undefined;
  }

  /** Notes where each member of a new map or list comes from: what has the same key, or else is equal, in what it was made of. */
  describe(made: Value & object, sources: readonly Known[], all: Origin): Origin {
    const origin = { from: [all] };
    this.set(made, origin);
    for (const [key, item] of entriesOf(made)) {
      const member = this.describedMember(key, item, sources, all);
      if (member !== undefined) this.setMember(made, key, member);
    }
    return origin;
  }

  private describedMember(key: string, item: Value, sources: readonly Known[], all: Origin): Origin | undefined {
    const atKey = sources.flatMap(({ value, origin }) => {
      const found = memberAt(value, key);
      return found === undefined ? [] : [{ value: found, origin: this.member(value, key, found, origin) }];
    });
    const same = this.of(item) ?? atKey.find(({ value }) => isSame(value, item))?.origin ?? this.sameAs(item, sources);
    if (same !== undefined) return same;
    const made = atKey.length > 0 ? madeOf(atKey.map(({ origin }) => origin)) : all;
    if (isContainer(item)) return this.describe(item, atKey, made);
    return atKey.length > 0 ? made : undefined;
  }
}

export const isContainer = (value: Value): value is Value & object => value instanceof Map || Array.isArray(value);

/** Two references of different types are one map. */
const keyOf = (container: Value & object): object =>
  container instanceof Map ? unnamedMap(container as GoMap) : container;

export const entriesOf = (container: Value & object): readonly (readonly [string, Value])[] =>
  container instanceof Map
    ? [...(container as GoMap)]
    : (container as Value[]).map((item, index) => [String(index), item] as const);

export function memberAt(value: Value, key: string): Value {
  if (value instanceof Map) return value.get(key);
  return Array.isArray(value) ? value[Number(key)] : undefined;
}

export function isSame(a: Value, b: Value): boolean {
  if (a instanceof GoInt) return b instanceof GoInt && a.value === b.value;
  return a === b || (a instanceof Map && b instanceof Map && unnamedMap(a) === unnamedMap(b));
}
