import { fieldRuleTexts } from '../manifest/field-rules-file.ts';
import type { StackFile } from './read-stack.ts';
import type { ReleaseSpec } from './schema.ts';

/**
 * The rules for the fields of a release's objects: those of its file, then its own. A stack says all of them: a rule that
 * goes from the file is not remembered. Errors: `field-rule-invalid`.
 */
export function fieldRulesOfRelease({ name, fields }: ReleaseSpec, { spec, locate }: StackFile): readonly string[] {
  const placeOf =
    (release: string | undefined) =>
    (index?: number): string =>
      `${locate({ field: 'fields', release })}${index === undefined ? '' : `: fields[${index}]`}`;
  const read = (list: readonly unknown[] | undefined, release: string | undefined): readonly string[] =>
    list === undefined ? [] : fieldRuleTexts(list.map(plain), placeOf(release));
  return [...read(spec.fields, undefined), ...read(fields, name)];
}

const plain = (one: unknown): unknown => (one instanceof Map ? Object.fromEntries(one) : one);
