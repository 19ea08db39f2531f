import { type Json, type JsonObject, objectsIn, plain, textOf } from '../../support/json.ts';
import { duplicate, type FieldProblem, forbiddenField, invalidValue, required, unsupportedValue } from '../status.ts';
import type { Check } from './struct.ts';

/** What a rule for texts says against one; undefined when nothing. */
export type TextRule = (text: string) => string | undefined;

/** Whether Go would see the zero value: the field is absent, or an empty text, list or map. */
export const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

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

export const forbiddenIf = (isForbidden: boolean, field: string, detail: string): FieldProblem[] =>
  isForbidden ? [forbiddenField(field, detail)] : [];

export const unsupportedUnless = (value: Json | undefined, field: string, ...known: string[]): FieldProblem[] =>
  known.includes(textOf(value) ?? '') ? [] : [unsupportedValue(field, value, known)];

export const every =
  (...checks: readonly Check[]): Check =>
  (value, path, struct) =>
    checks.flatMap((check) => check(value, path, struct));

/** A field that is there and not empty. */
export const needed =
  (detail?: string): Check =>
  (value, path) =>
    requiredIf(isEmpty(value), path, detail);

/** One of these words, or nothing. */
export const oneOf =
  (...known: string[]): Check =>
  (value, path) =>
    value === undefined ? [] : unsupportedUnless(value, path, ...known);

/** One of these words; Kubernetes calls an empty one required. */
export const neededOneOf =
  (...known: string[]): Check =>
  (value, path) =>
    isEmpty(value) ? [required(path)] : unsupportedUnless(value, path, ...known);

/** A text by a rule, or nothing. */
export const format =
  (rule: TextRule): Check =>
  (value, path) =>
    typeof value === 'string' && value !== '' ? invalidText(path, value, rule(value)) : [];

export const neededFormat = (rule: TextRule): Check => every(needed(), format(rule));

export const eachText =
  (rule: TextRule): Check =>
  (value, path) =>
    (Array.isArray(value) ? value : []).flatMap((item, index) =>
      invalidText(`${path}[${index}]`, plain(item), rule(plain(item))),
    );

const numeric =
  (isRight: (value: number) => boolean, detail: string): Check =>
  (value, path) =>
    invalidIf(typeof value === 'number' && !isRight(value), path, value, detail);

export const between = (least: number, most: number): Check =>
  numeric((value) => value >= least && value <= most, `must be between ${least} and ${most}, inclusive`);
export const notNegative = numeric((value) => value >= 0, 'must be greater than or equal to 0');
export const positive = numeric((value) => value > 0, 'must be greater than 0');

/** A number within bounds, with the words of its own rule. */
export const bounded = (least: number, most: number, detail: string): Check =>
  numeric((value) => value >= least && value <= most, detail);

/** Like `between`, where Go has 0 for what is absent. */
export const neededBetween =
  (least: number, most: number): Check =>
  (value, path, struct) =>
    between(least, most)(value ?? 0, path, struct);

/** Fields of which exactly one may be there: the problems of more, and of none at all. */
export const exactlyOne =
  (fields: readonly string[], tooMany: string, none: string): Check =>
  (value, path) => {
    const given = fields.filter((field) => (value as JsonObject)[field] !== undefined);
    return [
      ...requiredIf(given.length === 0, path, none),
      ...given.slice(1).map((field) => forbiddenField(`${path}.${field}`, tooMany)),
    ];
  };

/** The items of a list whose key an earlier one has; an empty key is no key. */
export const noDuplicates =
  (field: string, suffix = `.${field}`): Check =>
  (value, path) => {
    const seen = new Set<Json | undefined>();
    return problemsOfEach(value, path, (item, at) => {
      const key = item[field];
      const isTwice = !isEmpty(key) && seen.has(key);
      seen.add(key);
      return isTwice ? [duplicate(`${at}${suffix}`, key)] : [];
    });
  };

/** A number that is not negative, or a percentage. */
export const numberOrPercent: Check = (value, path, struct) =>
  typeof value === 'string'
    ? invalidIf(!/^\d+%$/.test(value), path, value, percentMessage)
    : notNegative(value, path, struct);

const percentMessage =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

const percentOf = (value: Json | undefined): number =>
  typeof value === 'string' && /^\d+%$/.test(value) ? Number.parseInt(value, 10) : 0;

/** The number itself, that of a percentage, or 0. */
export const amountOf = (value: Json | undefined): number => (typeof value === 'number' ? value : percentOf(value));

/** A number or a percentage of at most 100 %. */
export const shareOfAll: Check = every(numberOrPercent, (value, path) =>
  invalidIf(percentOf(value) > 100, path, value, 'must not be greater than 100%'),
);
