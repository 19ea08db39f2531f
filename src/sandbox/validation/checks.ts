import { type Json, type JsonObject, objectsIn, textOf } from '../../support/json.ts';
import { type FieldProblem, invalidValue, required, unsupportedValue } from '../status.ts';

/** What is wrong with each object of a list, whose place is `spec.ports[0]`. */
export const problemsOfEach = (
  list: Json | undefined,
  path: string,
  rule: (item: JsonObject, path: string) => readonly FieldProblem[],
): FieldProblem[] => objectsIn(list).flatMap((item, index) => rule(item, `${path}[${index}]`));

export const invalidIf = (
  isInvalid: boolean,
  field: string,
  value: Json | undefined,
  detail: string,
): FieldProblem[] => (isInvalid ? [invalidValue(field, value, detail)] : []);

/** A name and the like, with what a rule says against it. */
export const invalidText = (field: string, value: string, problem: string | undefined): FieldProblem[] =>
  problem === undefined ? [] : [invalidValue(field, value, problem)];

export const requiredIf = (isMissing: boolean, field: string, detail?: string): FieldProblem[] =>
  isMissing ? [required(field, detail)] : [];

/** Fields that must hold a text. */
export const requiredTexts = (object: JsonObject | undefined, path: string, ...fields: string[]): FieldProblem[] =>
  fields.flatMap((field) => requiredIf(!textOf(object?.[field]), `${path}.${field}`));

export const unsupportedUnless = (value: Json | undefined, field: string, ...known: string[]): FieldProblem[] =>
  known.includes(textOf(value) ?? '') ? [] : [unsupportedValue(field, value, known)];
