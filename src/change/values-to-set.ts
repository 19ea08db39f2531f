import { nameOfKeys, valueIn } from '../chart/tables.ts';
import { helperTexts, type Templates, templateText } from '../chart/template-text.ts';
import type { FaultField, ObjectFault } from '../execute/faults.ts';
import type { Value } from '../go/value.ts';
import { valueThatFills } from '../render/filled-by.ts';
import { influencesOn, withValue } from '../render/influences.ts';
import { valuesIn } from '../render/refused-values.ts';
import { nearest } from '../support/near.ts';
import { isSecretName } from '../support/secret-names.ts';
import { readingOf, scopeOf } from './field-again.ts';
import { type Origins, valuePlace } from './value-origins.ts';

/** The value without which a field is empty: its place, and that it has to be set. */
export function withEmptyValue(fault: ObjectFault, origins: Origins): ObjectFault {
  const [field, ...others] = fault.fields ?? [];
  const { again, chart } = origins;
  if (again === undefined || field === undefined || field.of !== undefined) return fault;
  const read = readingOf(again, fault, field.path);
  const named = valuesNamedBy(chart, fault.file, field.written);
  const keys = valueThatFills(read, scopeOf(again, fault), named);
  if (keys === undefined) return fault;
  const place = valuePlace(keys, origins);
  const fixes = [misspelt(keys, again.values) ?? wayToSet(keys), ...(fault.fixes ?? [])];
  return { ...fault, fields: [{ ...field, values: place === undefined ? [] : [place] }, ...others], fixes };
}

const wayToSet = (keys: readonly string[]): string => `set ${nameOfKeys(keys)} with -f, with --set, or in values.yaml`;

/** Where the map that should have the value has one of nearly its name. */
function misspelt(keys: readonly string[], values: Value): string | undefined {
  const holder = valueIn(values, keys.slice(0, -1));
  const near = holder instanceof Map ? nearest(keys.at(-1) as string, [...holder.keys()].map(String)) : undefined;
  const there = near && nameOfKeys([...keys.slice(0, -1), near]);
  return there && `the values have ${there} and no ${nameOfKeys(keys)}: did you mean ${there}?`;
}

/** Those in the line that wrote the field, then those of its template, then those of helpers. */
function valuesNamedBy(chart: Templates, file: string, written = ''): readonly (readonly string[])[] {
  const texts = [written, templateText(chart, file) ?? '', ...helperTexts(chart)];
  return texts.flatMap((text) => valuesIn(text, file));
}

/** Of each text that is no name, the value that makes it one, found by setting it so; or else what may stand there. */
export function withCorrectedValues(fault: ObjectFault, origins: Origins): ObjectFault {
  const ways = (fault.fields ?? []).flatMap((field) => wayToName(fault, field, origins));
  return ways.length === 0 ? fault : { ...fault, fixes: [...ways, ...(fault.fixes ?? [])] };
}

function wayToName(fault: ObjectFault, { path, unfit }: FaultField, { again }: Origins): readonly string[] {
  const { meant, value: refused = '' } = unfit ?? {};
  if (again === undefined || meant === undefined || fault.id.kind === 'Secret') return [];
  const read = readingOf(again, fault, path);
  const scope = scopeOf(again, fault);
  const made = influencesOn(read, scope);
  // A password stays one in lower case, and is masked no more.
  if (made.some((keys) => keys.some(isSecretName))) return [];
  for (const keys of made) {
    const value = valueIn(scope.values, keys);
    const better =
      typeof value === 'string' &&
      corrections(value, refused.length - meant.length).find((text) => read(withValue(scope, keys, text)) === meant);
    if (typeof better !== 'string') continue;
    return [`set ${nameOfKeys(keys)} to "${better}"${better === meant ? '' : `, which makes it "${meant}"`}`];
  }
  return [`write "${meant}" instead of "${refused}"`];
}

/** What may make a value a name, or a part of one, that little that counts first. */
const corrections = (value: string, tooMany: number): readonly string[] => {
  const lower = value.toLowerCase();
  const dashed = lower.replace(/[^a-z0-9.]+/g, '-');
  const trimmed = dashed.replace(/^[-.]+|[-.]+$/g, '');
  const cut = value.slice(0, Math.max(1, value.length - Math.max(0, tooMany)));
  return [lower, dashed, trimmed, trimmed.replaceAll('.', '-'), value.replace(/[^A-Za-z0-9_.-]+/g, '-'), cut];
};
