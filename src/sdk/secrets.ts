import { assignmentsIn } from '../chart/value-options.ts';
import type { SecretWords } from '../support/secret-words.ts';
import type { ValuesOptions } from './user-values.ts';

/** What options say openly of secrets: `set: ['auth.password=…']`, before it is known to be well written. */
export function learnFromOptions(options: ValuesOptions, secrets: SecretWords): void {
  for (const text of assignmentsIn(options)) secrets.addAssignment(text);
}
