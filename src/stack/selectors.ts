import type { GoMap, Value } from '../go/value.ts';
import { TshelmError } from '../support/errors.ts';
import type { ReleaseSpec } from './schema.ts';

/** One selector: all of its labels must be as it says. */
interface Selector {
  readonly is: readonly (readonly [string, string])[];
  readonly excludedLabels: readonly (readonly [string, string])[];
}

const word = '[a-zA-Z0-9_./+-]+';
const unequal = new RegExp(`^(${word})!=(${word})$`);
const equal = new RegExp(`^(${word})=(${word})$`);

/** `tier=front,env!=dev`. Fails with `stack-invalid`, in helmfile's words. */
function parseSelector(text: string): Selector {
  const is: [string, string][] = [];
  const excludedLabels: [string, string][] = [];
  for (const label of text.split(',')) {
    const [, name, value] = unequal.exec(label) ?? [];
    const [, ownName, ownValue] = equal.exec(label) ?? [];
    if (name !== undefined && value !== undefined) excludedLabels.push([name, value]);
    else if (ownName !== undefined && ownValue !== undefined) is.push([ownName, ownValue]);
    else {
      const message = `malformed label: ${label}. Expected label in form k=v or k!=v`;
      throw new TshelmError('stack-invalid', { message });
    }
  }
  return { is, excludedLabels };
}

/** Whether a release is chosen by one of the selectors; by none, every one is. */
export function releaseMatcher(selectors: readonly string[]): (release: ReleaseSpec) => boolean {
  const parsed = selectors.map(parseSelector);
  return ({ labels }) =>
    parsed.length === 0 ||
    parsed.some(
      ({ is, excludedLabels }) =>
        is.every(([name, value]) => labels?.get(name) === value) &&
        excludedLabels.every(([name, value]) => labels?.get(name) !== value),
    );
}

/** Whether a release may match one selector of each of both sets. */
export function areCompatible(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return true;
  return one
    .map(parseSelector)
    .some((a) =>
      other
        .map(parseSelector)
        .some((b) => a.is.every(([name, value]) => b.is.every(([n, v]) => n !== name || v === value))),
    );
}

/** Whether a release's `condition: foo.enabled` holds. Errors are in helmfile's words. */
export function isEnabled({ condition = '', name = '' }: ReleaseSpec, values: GoMap): boolean {
  if (condition === '') return true;
  const literal = condition.toLowerCase();
  if (literal === 'true' || literal === 'false') return literal === 'true';
  const keys = condition.split('.');
  const refuse = (why: string): TshelmError =>
    new TshelmError('stack-invalid', { message: `failed to parse condition in release ${name}: ${why}` });
  if (keys.pop() !== 'enabled') {
    throw refuse("Condition value must be in the form 'foo.enabled' where 'foo' can be modified as necessary");
  }
  let at: Value = values;
  let path = '';
  for (const key of keys) {
    path += `.${key}`;
    const next: Value = (at as GoMap).get(key);
    if (next === undefined) throw refuse(`environment values field '${path}' not found`);
    if (!(next instanceof Map)) throw refuse(`environment values field '${path}' is not a map`);
    at = next;
  }
  return (at as GoMap).get('enabled') === true;
}
