import { GoError } from './value.ts';

/** The longest text that one call may make, in UTF-16 units; Helm has no bound and runs out of memory. */
const textLimit = 64 * 1024 * 1024;
/** The longest list that one call may make. */
const listLimit = 4 * 1024 * 1024;

/** Fails when a function would make a text of `length` units. */
export function checkTextLength(length: number): void {
  if (length > textLimit) throw new GoError(`the result would be ${length} characters long, the limit is ${textLimit}`);
}

/** Fails when a function would make a list of `length` items. */
export function checkListLength(length: number): void {
  if (length > listLimit) throw new GoError(`the result would have ${length} items, the limit is ${listLimit}`);
}
