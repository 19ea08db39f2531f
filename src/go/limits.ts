import { GoError, goTypeOf, type Value } from './value.ts';

/** A result that would fill the memory: no function may take it for a mistake in its argument. */
export class LimitError extends GoError {}

/** The longest text that one call may make, in UTF-16 units; Helm has no bound and runs out of memory. */
const textLimit = 64 * 1024 * 1024;
/** The longest list that one call may make. */
const listLimit = 4 * 1024 * 1024;

/** Fails when a function would make a text of `length` units. */
export function checkTextLength(length: number): void {
  if (length > textLimit)
    throw new LimitError(`the result would be ${length} characters long, the limit is ${textLimit}`);
}

/** Fails when a function would make a list of `length` items. */
export function checkListLength(length: number, limit = listLimit): void {
  if (length > limit) throw new LimitError(`the result would have ${length} items, the limit is ${limit}`);
}

/**
 * Counts what one call visits. A list that holds another one twice, which holds a third one twice, and so on, is small
 * in memory and without end when it is written out.
 */
export class VisitCount {
  #count = 0;
  readonly #limit: number;

  constructor(limit = listLimit) {
    this.#limit = limit;
  }

  /** Fails when there are too many. */
  add(items: number): void {
    this.#count += items;
    checkListLength(this.#count, this.#limit);
  }
}

/** encoding/json looks for cycles below this depth, and writes what is deeper without one. */
export const cyclesFrom = 1000;

/** Fails when a value holds itself, however far down; `context` begins the message. */
export function refuseCycle(value: Value, context = ''): void {
  const path = new Set<Value>();
  const finished = new Set<Value>();
  const open: Value[] = [value];
  while (open.length > 0) {
    const current = open.at(-1) as Value;
    if (path.has(current)) {
      path.delete(current);
      finished.add(current);
    }
    if (finished.has(current) || !(current instanceof Map || Array.isArray(current))) {
      open.pop();
      continue;
    }
    path.add(current);
    for (const inner of current.values()) {
      if (path.has(inner))
        throw new GoError(`${context}json: unsupported value: encountered a cycle via ${goTypeOf(inner)}`);
      open.push(inner);
    }
  }
}
