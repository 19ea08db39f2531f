import { compileRegexp } from '../../go/regexp.ts';
import type { Value } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { writeYamlPretty } from '../../yaml/index.ts';

/**
 * A value as YAML, as failures and snapshots show it. Line breaks at the beginning of a text are left out, as helm-unittest
 * does: its YAML library writes them wrongly.
 */
export const asYaml = (value: Value): string => writeYamlPretty(withoutFirstBreaks(value));

function withoutFirstBreaks(value: Value): Value {
  if (typeof value === 'string') return value.startsWith('\n') ? value.replace(/^\n+/, '') : value;
  if (Array.isArray(value)) return value.map(withoutFirstBreaks);
  return value instanceof Map ? new Map([...value].map(([key, one]) => [key, withoutFirstBreaks(one)])) : value;
}

/** Whether the expression matches, or why it is none. */
export function matching(pattern: string, text: string): boolean | { readonly error: string } {
  try {
    return compileRegexp(pattern).matches(text);
  } catch (error) {
    return { error: messageOf(error) };
  }
}
