import type { FlagSpec, FlagType } from '../change/option-rows.ts';
import { type TrustOptions, unaskedSigner } from '../source/chart-access.ts';
import { TshelmError } from '../support/errors.ts';
import { isObject } from '../support/json.ts';
import { isAlike, nearest } from '../support/near.ts';

/** What a value must be; undefined where it is that. */
export type Check = (value: unknown) => string | undefined;

/** The options of something, each with what it must be. */
export type Shape<Options> = Readonly<Record<keyof Options, Check>>;

export const must =
  (what: string, isRight: (value: unknown) => boolean): Check =>
  (value) =>
    isRight(value) ? undefined : what;

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;

export const yesOrNo = must('true or false', (value) => typeof value === 'boolean');
export const text = must('a string', isText);
export const number = must('a number that is not negative', isNumber);
export const run = must('a function', (value) => typeof value === 'function');
export const pattern = must('a RegExp', (value) => value instanceof RegExp);
export const date = must('a valid Date', (value) => value instanceof Date && !Number.isNaN(value.getTime()));
export const signal = must(
  'an AbortSignal',
  (value) => typeof (value as AbortSignal | null)?.throwIfAborted === 'function',
);
export const plainObject = must('a plain object', isObject);
export const list = must('an array', Array.isArray);
export const listOfTexts = must('an array of strings', (value) => Array.isArray(value) && value.every(isText));
const textByName = must('a plain object of strings', (value) => isObject(value) && Object.values(value).every(isText));
export const numberByName = must(
  'a plain object of numbers that are not negative',
  (value) => isObject(value) && Object.values(value).every(isNumber),
);
export const variables = must(
  'a plain object of strings, such as process.env',
  (value) => isObject(value) && Object.values(value).every((one) => one === undefined || isText(one)),
);
export const clock = must(
  'an object with now()',
  (value) => typeof (value as { now?: unknown } | null)?.now === 'function',
);
export const oneOf =
  (...choices: readonly (boolean | string)[]): Check =>
  (value) => {
    if (choices.includes(value as string)) return undefined;
    const words = choices.filter((choice) => typeof choice === 'string');
    const meant = typeof value === 'string' ? nearest(value, words) : undefined;
    return `one of ${choices.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  };
export const someOf = (choices: readonly string[]): Check =>
  must(
    `an array of ${choices.join(', ')}`,
    (value) => Array.isArray(value) && value.every((one) => choices.includes(one as string)),
  );

type Row = FlagSpec & { readonly option: string };

const byType: Readonly<Record<FlagType, Check>> = {
  bool: yesOrNo,
  choice: text,
  duration: number,
  format: text,
  int: number,
  string: text,
  stringArray: listOfTexts,
  strings: listOfTexts,
  stringToString: textByName,
};

/** What options must be, as the rows of their flags say. */
export const checksOf = <const Rows extends Readonly<Record<string, Row>>>(
  rows: Rows,
): Readonly<Record<Rows[keyof Rows]['option'], Check>> =>
  Object.fromEntries(
    Object.values<Row>(rows).map(({ option, type, choices, parse }) => [
      option,
      choices === undefined
        ? byType[type]
        : oneOf(...choices.map((choice): boolean | string => switchOf(parse?.(String(choice))) ?? choice)),
    ]),
  ) as Record<Rows[keyof Rows]['option'], Check>;

/** Of a flag that is a switch and takes more words, a program gives true and false as such. */
const switchOf = (parsed: unknown): boolean | undefined => (typeof parsed === 'boolean' ? parsed : undefined);

/** Errors: `bad-options` for what is no text, or an empty one. */
export function checkText(what: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw refused(what, `${what} must be a string that is not empty`);
}

/** `inside`: options of something deeper, which may have been meant. */
export function checkShape(
  given: unknown,
  shape: Readonly<Record<string, Check>>,
  path = '',
  inside: object = {},
): void {
  if (!isObject(given)) throw refused('options', 'options must be a plain object');
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const option = `${path}${name}`;
    if (check === undefined) throw refused(option, `there is no option ${option}${hint(name, path, shape, inside)}`);
    const wanted = value === undefined ? undefined : check(value);
    if (wanted !== undefined) throw refused(option, `the option ${option} must be ${wanted}`);
  }
}

export const refused = (option: string, message: string): TshelmError =>
  new TshelmError('bad-options', { message, details: { option } });

/** The option that was likely meant, or all of them where they are few. */
function hint(name: string, path: string, shape: object, inside: object): string {
  const isMeant = (one: string): boolean => isAlike(one.toLowerCase(), name.toLowerCase());
  const names = Object.keys(shape);
  const meant = names.find((one) => one.startsWith(name) || name.startsWith(one)) ?? names.find(isMeant);
  if (meant !== undefined) return `; did you mean ${path}${meant}?`;
  if (Object.hasOwn(inside, name)) return `; did you mean cluster.${name}?`;
  return names.length <= mostListed ? `, only ${names.map((one) => `${path}${one}`).join(', ')}` : '';
}

const mostListed = 12;

/** Errors: `bad-options` where a signer is named and no signature of sigstore is asked for. */
export function checkSigner(options: TrustOptions): void {
  const signer = unaskedSigner(options);
  if (signer === undefined) return;
  const message = `${signer} names a signer, but sigstore signatures are not checked: add verify: 'sigstore'`;
  throw refused(signer, message);
}
