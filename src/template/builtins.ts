import { formatValue, sprint, sprintf, sprintln } from '../go/fmt/format.ts';
import { encodeText } from '../go/text.ts';
import { isPrint } from '../go/unicode.ts';
import { GoError, type GoFunction, GoInt, GoObject, goTypeOf, isGoFunction, type Value } from '../go/value.ts';
import { indexed, lengthOf, sliced } from './collection.ts';
import { equalsAny, isLess, isLessOrEqual } from './comparison.ts';
import { goFunction, signatureOf } from './function.ts';
import { isTrue } from './truth.ts';
import { anyType, canBeNil, type GoType, isAssignable, zeroOf } from './type.ts';

const evaluatedByTheEngine = (): never => {
  throw new Error('internal: and, or and call are evaluated by the engine');
};

/** They stop at the first argument that decides; the engine evaluates them, with {@link callValue} for `call`. */
export const andFunction = goFunction('func(reflect.Value, ...reflect.Value) reflect.Value', evaluatedByTheEngine);
export const orFunction = goFunction('func(reflect.Value, ...reflect.Value) reflect.Value', evaluatedByTheEngine);
export const callFunction = goFunction('func(reflect.Value, ...reflect.Value) reflect.Value', evaluatedByTheEngine);

export const sliceFunction = goFunction('func(reflect.Value, ...reflect.Value) (reflect.Value, error)', sliced);

/** The functions that every Go template has. */
export const builtins: ReadonlyMap<string, GoFunction> = new Map([
  ['and', andFunction],
  ['call', callFunction],
  ['or', orFunction],
  ['not', goFunction('func(reflect.Value) bool', (value: Value) => !isTrue(value))],
  ['eq', comparison('func(reflect.Value, ...reflect.Value) (bool, error)', equalsAny)],
  ['ne', comparison('func(reflect.Value, reflect.Value) (bool, error)', (a: Value, b: Value) => !equalsAny(a, [b]))],
  ['lt', comparison('func(reflect.Value, reflect.Value) (bool, error)', isLess)],
  ['le', comparison('func(reflect.Value, reflect.Value) (bool, error)', isLessOrEqual)],
  ['gt', comparison('func(reflect.Value, reflect.Value) (bool, error)', (a: Value, b: Value) => !isLessOrEqual(a, b))],
  ['ge', comparison('func(reflect.Value, reflect.Value) (bool, error)', (a: Value, b: Value) => !isLess(a, b))],
  ['index', goFunction('func(reflect.Value, ...reflect.Value) (reflect.Value, error)', indexed)],
  ['slice', sliceFunction],
  ['len', goFunction('func(reflect.Value) (int, error)', lengthOf)],
  ['print', goFunction('func(...any) string', (values: readonly Value[]) => sprint(...values))],
  [
    'printf',
    goFunction('func(string, ...any) string', (format: string, values: Value[]) => sprintf(format, ...values)),
  ],
  ['println', goFunction('func(...any) string', (values: readonly Value[]) => sprintln(...values))],
  ['html', goFunction('func(...any) string', (values: readonly Value[]) => escapeHtml(printedText(values)))],
  ['js', goFunction('func(...any) string', (values: readonly Value[]) => escapeJavaScript(printedText(values)))],
  ['urlquery', goFunction('func(...any) string', (values: readonly Value[]) => escapeQuery(printedText(values)))],
]);

function comparison(signature: string, compare: (first: Value, second: never) => boolean): GoFunction {
  return goFunction(signature, compare);
}

/** What an action writes for a value: as `%v`, but what a pointer points to, and "<no value>" for nothing. */
export function printableText(value: Value): string {
  if (value === undefined || value === null) return '<no value>';
  const pointerText = value instanceof GoObject ? value.pointerStringer() : undefined;
  return pointerText ?? textOfPointed(value);
}

/** A value as `%v` prints it; of a pointer, what it points to. */
export function textOfPointed(value: Value): string {
  const text = formatValue(value ?? null);
  const isBarePointer = value instanceof GoObject && value.goKind === 'ptr' && value.stringer() === undefined;
  return isBarePointer ? text.replace(/^&/, '') : text;
}

const printedText = (values: readonly Value[]): string =>
  values.length === 1
    ? printableText(values[0])
    : sprint(...values.map((value) => (value === null || value === undefined ? '<no value>' : value)));

/** Go's `call`: calls a function that is a value. `name` is its source text, for errors. Fails with GoError. */
export function callValue(name: string, callee: Value, args: readonly Value[]): Value {
  if (callee === null || callee === undefined) throw new GoError('call of nil');
  if (!isGoFunction(callee)) throw new GoError(`non-function ${name} of type ${goTypeOf(callee)}`);
  const { parameters, isVariadic } = signatureOf(callee);
  const fixed = isVariadic ? parameters.length - 1 : parameters.length;
  if (isVariadic ? args.length < fixed : args.length !== fixed) {
    throw new GoError(
      `wrong number of args for ${name}: got ${args.length} want ${isVariadic ? 'at least ' : ''}${fixed}`,
    );
  }
  return callee.call(
    args.map((arg, index) => preparedArgument(arg, parameters[Math.min(index, fixed)] ?? anyType, index)),
  );
}

function preparedArgument(value: Value, type: GoType, index: number): Value {
  if (value === null || value === undefined) {
    if (!canBeNil(type)) throw new GoError(`arg ${index}: value is nil; should be of type ${type.name}`);
    return zeroOf(type);
  }
  if (isAssignable(value, type)) return value;
  if (value instanceof GoInt && type.intType !== undefined) return new GoInt(type.intType, value.value);
  throw new GoError(`arg ${index}: value has type ${goTypeOf(value)}; should be ${type.name}`);
}

/** text/template's HTMLEscapeString. */
const escapeHtml = (text: string): string =>
  text.replace(/[\0"'&<>]/g, (character) => htmlEscapes[character] as string);

const htmlEscapes: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** text/template's JSEscapeString: safe inside a JavaScript string. */
const escapeJavaScript = (text: string): string =>
  text.replace(/[\\'"<>&=]|[^ -~\x7f]/gu, (character) => {
    const rune = character.codePointAt(0) as number;
    if (character === '\\' || character === "'" || character === '"') return `\\${character}`;
    if (rune < 0x80) return `\\u${upperHex(rune)}`;
    // Bytes that are not UTF-8 pass, as in Go.
    const isByte = rune >= 0xd800 && rune <= 0xdfff;
    return isByte || isPrint(rune) ? character : `\\u${upperHex(rune)}`;
  });

const upperHex = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0');

/** url.QueryEscape: a space becomes a plus sign. */
const escapeQuery = (text: string): string =>
  /^[A-Za-z0-9\-_.~]*$/.test(text) ? text : Array.from(encodeText(text), queryByte).join('');

function queryByte(byte: number): string {
  if (byte === 0x20) return '+';
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9\-_.~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
