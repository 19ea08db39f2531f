import { causesOf } from './errors.ts';

/**
 * Whether `thrown` says that JavaScript's call stack is full: a RangeError, or a SyntaxError of a regular expression. Firefox
 * has an InternalError of its own.
 */
export const isStackOverflow = (thrown: unknown): boolean =>
  ((thrown instanceof RangeError || thrown instanceof SyntaxError) &&
    thrown.message.includes('Maximum call stack size exceeded')) ||
  (thrown instanceof Error && thrown.name === 'InternalError' && thrown.message === 'too much recursion');

/** Whether a full call stack is what a failure comes from. */
export const comesFromStackOverflow = (failure: unknown): boolean => causesOf(failure).some(isStackOverflow);
