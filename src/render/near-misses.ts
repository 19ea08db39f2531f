import type { GoMap } from '../go/value.ts';
import { nearest } from '../support/near.ts';
import type { TemplateFact } from '../template/error.ts';

/** What a template may name. */
export interface KnownNames {
  readonly functions: readonly string[];
  /** Every template that is defined. */
  readonly templates: readonly string[];
}

/** What was probably meant where a template names a function or a template that there is not. */
export function meantName(fact: TemplateFact | undefined, known: () => KnownNames): string | undefined {
  if (fact?.kind === 'unknown-function') return nearest(fact.name, known().functions);
  return fact?.kind === 'unknown-template' ? nearest(fact.name, known().templates) : undefined;
}

/** The keys of the value that was probably meant: beside the first key that is not there, the one of nearly its name. */
export function meantKeys(keys: readonly string[], values: GoMap): readonly string[] | undefined {
  let at: unknown = values;
  for (const [index, key] of keys.entries()) {
    if (!(at instanceof Map)) return undefined;
    if (!at.has(key)) {
      const meant = nearest(key, at.keys() as Iterable<string>);
      return meant === undefined ? undefined : [...keys.slice(0, index), meant];
    }
    at = at.get(key);
  }
  return undefined;
}
