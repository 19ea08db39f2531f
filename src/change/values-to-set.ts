import { nameOfKeys, valueIn } from '../chart/tables.ts';
import type { FaultField, ObjectFault } from '../execute/faults.ts';
import type { Value } from '../go/value.ts';
import { documentOf } from '../render/document-trace.ts';
import { emptyValueOf, valuesOfField } from '../render/field-values.ts';
import { nearest } from '../support/near.ts';
import { isSecretName } from '../support/secret-names.ts';
import { type Origins, valuePlace } from './value-origins.ts';

/** The value without which a field is empty: its place, and that it has to be set. */
export function withEmptyValue(fault: ObjectFault, origins: Origins): ObjectFault {
  const [field, ...others] = fault.fields ?? [];
  const { again } = origins;
  if (again === undefined || field === undefined || field.of !== undefined) return fault;
  const document = documentOf(again, fault.file, fault.id);
  const keys = document && emptyValueOf(document, field.path, again.values);
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

/** Of each text that is no name, the value that makes it one where it is set otherwise; or else what may be written there. */
export function withCorrectedValues(fault: ObjectFault, origins: Origins): ObjectFault {
  const ways = (fault.fields ?? []).flatMap((field) => wayToName(fault, field, origins));
  return ways.length === 0 ? fault : { ...fault, fixes: [...ways, ...(fault.fixes ?? [])] };
}

function wayToName(fault: ObjectFault, { path, unfit }: FaultField, { again }: Origins): readonly string[] {
  const { meant, value: refused = '' } = unfit ?? {};
  if (again === undefined || meant === undefined || fault.id.kind === 'Secret') return [];
  const document = documentOf(again, fault.file, fault.id);
  const shown = document === undefined ? [] : valuesOfField(document, path, again.values);
  // A password stays one in lower case, and is masked no more.
  if (shown.some((keys) => keys.some(isSecretName))) return [];
  for (const keys of shown) {
    const value = valueIn(again.values, keys);
    const better = typeof value === 'string' ? corrected(value, refused, meant) : undefined;
    if (better === undefined) continue;
    return [`set ${nameOfKeys(keys)} to "${better}"${better === meant ? '' : `, which makes it "${meant}"`}`];
  }
  return [`write "${meant}" instead of "${refused}"`];
}

/** The same value so that the refused text, which shows it once, becomes the one that is meant. */
function corrected(value: string, refused: string, meant: string): string | undefined {
  const [before, after, ...more] = refused.split(value);
  if (before === undefined || after === undefined || more.length > 0) return undefined;
  return corrections(value, refused.length - meant.length).find((text) => `${before}${text}${after}` === meant);
}

/** What may make a value a name, or a part of one, that little that counts first. */
const corrections = (value: string, tooMany: number): readonly string[] => {
  const lower = value.toLowerCase();
  const dashed = lower.replace(/[^a-z0-9.]+/g, '-');
  const trimmed = dashed.replace(/^[-.]+|[-.]+$/g, '');
  const cut = value.slice(0, Math.max(1, value.length - Math.max(0, tooMany)));
  return [lower, dashed, trimmed, trimmed.replaceAll('.', '-'), value.replace(/[^A-Za-z0-9_.-]+/g, '-'), cut];
};
