import { GoError } from './value.ts';

/** What Go's parsers, or JSON.parse, make of a text; undefined where they refuse it. Other errors are not caught. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof GoError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
