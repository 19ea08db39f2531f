import { causesOf } from './errors.ts';

/** Whether `thrown` says that JavaScript's call stack is full: a RangeError, or a SyntaxError of a regular expression. */
export const isStackOverflow = (thrown: unknown): boolean =>
  (thrown instanceof RangeError || thrown instanceof SyntaxError) &&
  thrown.message.includes('Maximum call stack size exceeded');

/** Whether a full call stack is what a failure comes from. */
export const comesFromStackOverflow = (failure: unknown): boolean => causesOf(failure).some(isStackOverflow);
