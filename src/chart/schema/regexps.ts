import { compileRegexp, type Regexp } from '../../go/regexp.ts';

const compiled = new Map<string, Regexp>();

/** A compiled expression: one check sees the same one several times. Throws GoError. */
export function cachedRegexp(source: string): Regexp {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const regexp = compileRegexp(source);
  compiled.set(source, regexp);
  return regexp;
}
