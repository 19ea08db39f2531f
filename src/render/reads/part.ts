/**
 * Something that a template may have in hand: a place in the values, a map or a list that a template makes, or a text. What
 * an expression may be is several of them: a {@link Shape}.
 */
export interface Part {
  readonly id: number;
  /** Of a place in the values, of which every member is one too: the keys that lead to it. */
  readonly keys?: readonly string[] | undefined;
  /** Of a place in the values the places below it that templates name; of a map what templates put into it. */
  readonly members: Map<string, Shape>;
  /** Of which it has the members too. */
  merged: Shape;
  /** A template prints it, or passes it to a function that may look at everything in it. */
  isWhole: boolean;
  /** A template asks for its type: it may have several. */
  isOfManyTypes?: boolean;
  /** Of a text that is known: what it says, or some pieces of it. */
  readonly text?: string | undefined;
  readonly pieces?: readonly string[] | undefined;
}

/** What an expression may be: one of these. */
export type Shape = readonly Part[];

const newPart = (id: number, about: Partial<Part> = {}): Part => ({
  id,
  members: new Map(),
  merged: [],
  isWhole: false,
  ...about,
});

const unknown = newPart(-1);

/** What no values are in, and what only the run knows. */
export const nothing: Shape = [unknown];

export const isValuesPart = ({ keys }: Part): boolean => keys !== undefined;

/** What the templates of a chart begin with. */
export const isScope = (part: Part): boolean => !isValuesPart(part) && part.members.has('Values');

/** The key of what may have any key: what a loop reads, and what a template puts where only the run knows. */
export const anyKey = '*';

export function anyOf(shapes: readonly Shape[]): Shape {
  const first = shapes.find((shape) => shape.length > 0) ?? nothing;
  let all: Part[] | undefined;
  let known: Set<Part> | undefined;
  for (const shape of shapes) {
    if (shape === first) continue;
    for (const part of shape) {
      // A few are compared faster than a set of them is made.
      if (known === undefined && (all ?? first).length > mostCompared) known = new Set(all ?? first);
      if (known === undefined ? (all ?? first).includes(part) : known.has(part)) continue;
      all ??= [...first];
      all.push(part);
      known?.add(part);
    }
  }
  return all ?? first;
}

const mostCompared = 16;

/** A place that is further down is that of what it lies in: values are not nested so deep, but templates may call themselves. */
const maxDepth = 20;

/** Of more alternatives than this nothing is known any more. */
const maxAlternatives = 100;

/** Makes parts, and follows what templates do with them. */
export class Parts {
  #count = 0;
  /** How many parts were looked at. */
  work = 0;
  readonly #texts = new Map<string, Part>();

  value = (keys: readonly string[] = []): Part => newPart(this.#count++, { keys });

  /** A map or a list with these members. */
  made(members: Iterable<readonly [string, Shape]> = []): Part {
    return newPart(this.#count++, { members: new Map(members) });
  }

  text = (text: string): Part => this.#known(text, { text });

  pieces = (pieces: readonly string[]): Part => this.#known(JSON.stringify(pieces), { pieces });

  #known(key: string, about: Pick<Part, 'text' | 'pieces'>): Part {
    const known = this.#texts.get(key) ?? newPart(this.#count++, about);
    this.#texts.set(key, known);
    return known;
  }

  put(part: Part, key: string, shape: Shape): void {
    if (part === unknown) return this.whole(shape);
    const known = isValuesPart(part) ? this.#placeBelow(part, key) : (part.members.get(key) ?? []);
    part.members.set(key, this.bounded(anyOf([known, shape])));
    if (part.isWhole) this.whole(shape);
  }

  merge(part: Part, shape: Shape): void {
    if (part === unknown) return this.whole(shape);
    part.merged = this.bounded(anyOf([part.merged, shape.filter((other) => other !== part)]));
    if (part.isWhole) this.whole(shape);
  }

  member(shape: Shape, key: string): Shape {
    return this.#below(shape, (part) => {
      if (isValuesPart(part)) return this.#placeBelow(part, key);
      const any = part.members.get(anyKey);
      const own = part.members.get(key) ?? [];
      return any === undefined ? own : [...own, ...any];
    });
  }

  memberAt = (shape: Shape, keys: readonly string[]): Shape => keys.reduce((at, key) => this.member(at, key), shape);

  /** What a loop gives. */
  each(shape: Shape): Shape {
    return this.#below(shape, (part) => {
      if (isValuesPart(part)) this.#placeBelow(part, anyKey);
      return anyOf([...part.members.values()]);
    });
  }

  /** Counts everything in it as read. */
  whole(shape: Shape): void {
    for (const part of shape) {
      if (part.isWhole || part === unknown) continue;
      part.isWhole = true;
      for (const member of part.members.values()) this.whole(member);
      this.whole(part.merged);
    }
  }

  /** What may be too many things is not followed further. */
  bounded(shape: Shape): Shape {
    if (shape.length <= maxAlternatives) return shape;
    this.whole(shape);
    return nothing;
  }

  #placeBelow(part: Part, key: string): Shape {
    const { keys = [] } = part;
    if (keys.length >= maxDepth) {
      this.whole([part]);
      return [part];
    }
    const known = part.members.get(key);
    if (known !== undefined) return known;
    const made = [this.value([...keys, key])];
    part.members.set(key, made);
    return made;
  }

  #below(shape: Shape, read: (part: Part) => Shape): Shape {
    if (shape === nothing) return nothing;
    const all = withMerged(shape);
    this.work += all.length;
    const found = anyOf(all.map((part) => (part === unknown ? nothing : read(part))));
    return found === nothing ? nothing : this.bounded(found);
  }
}

/** What is merged into a part is behind it. */
function withMerged(shape: Shape): Shape {
  if (shape.every(({ merged }) => merged.length === 0)) return shape;
  const seen = new Set(shape);
  for (const part of seen) for (const merged of part.merged) seen.add(merged);
  return [...seen];
}
