import { Regexp } from '../../go/regexp.ts';

const compiled = new Map<string, Regexp | undefined>();

/** A schema's pattern, which is Go's; undefined for one that Go does not read. */
export function patternOf(source: string): Regexp | undefined {
  if (!compiled.has(source)) compiled.set(source, read(source));
  return compiled.get(source);
}

export const isReadablePattern = (source: string): boolean => patternOf(source) !== undefined;

function read(source: string): Regexp | undefined {
  try {
    return new Regexp(source);
  } catch {
    // Not an expression of Go's.
    return undefined;
  }
}
