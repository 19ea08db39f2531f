import { GoError } from './value.ts';

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
