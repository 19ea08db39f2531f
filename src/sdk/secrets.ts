import type { SecretWords } from '../support/secret-words.ts';
import type { ValuesOptions } from './user-values.ts';
import { forPrograms } from './wording.ts';

/** What options say openly of secrets: `set: ['auth.password=…']`, before it is known to be well written. */
export function learnFromOptions(options: ValuesOptions, secrets: SecretWords): void {
  const { set = [], setString = [], setJson = [], setLiteral = [] } = options;
  for (const text of [...set, ...setString, ...setJson, ...setLiteral]) secrets.addAssignment(text);
}

/** A warning in the words of the library, without what the call knows to be secret. */
export const toldWith =
  (secrets: SecretWords) =>
  (text: string): string =>
    secrets.redact(forPrograms(text));
