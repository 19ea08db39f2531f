import { readJsonMap } from '../../go/json/json.ts';
import type { GoMap, Value } from '../../go/value.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { mergeMaps } from '../tables.ts';
import { parseSet, typedValue, type ValueGrammar } from './parser.ts';

interface Assignments {
  /** `--set-json` */
  readonly setJson?: readonly string[] | undefined;
  /** `--set` */
  readonly set?: readonly string[] | undefined;
  /** `--set-string` */
  readonly setString?: readonly string[] | undefined;
}

/** The values with what flags set that read no file, in Helm's order. Errors: `values-invalid`, in Helm's words. */
export function assigned(given: GoMap, { setJson = [], set = [], setString = [] }: Assignments): GoMap {
  let values = given;
  for (const text of setJson) values = assignedJson(values, text);
  for (const text of set) assign('--set', text, values, { kind: 'text', read: typedValue });
  for (const text of setString) assign('--set-string', text, values, { kind: 'text', read: asIs });
  return values;
}

const asIs = (text: string): Value => text;

/** Whether a text of --set-json is an object, and no pairs. */
export const isObjectText = (text: string): boolean => text.trimStart().startsWith('{');

/** Takes an object, or pairs as in --set whose values are JSON. */
function assignedJson(values: GoMap, text: string): GoMap {
  const isObject = isObjectText(text);
  try {
    if (isObject) return mergeMaps(values, readJsonMap(text.trim()));
    parseSet(text, values, { kind: 'json' });
    return values;
  } catch (cause) {
    const message = `failed parsing --set-json data ${isObject ? 'JSON: ' : ''}${text}`;
    throw new TshelmError('values-invalid', { message, details: { flag: '--set-json', text }, cause });
  }
}

/** Writes what one text of a flag says into the values. */
export function assign(flag: string, text: string, values: GoMap, grammar: ValueGrammar): void {
  try {
    parseSet(text, values, grammar);
  } catch (cause) {
    throw cannotParse(flag, text, cause);
  }
}

export const cannotParse = (flag: string, text: string, cause: unknown): TshelmError =>
  new TshelmError('values-invalid', {
    message: `failed parsing ${flag} data: ${messageOf(cause)}`,
    details: { flag, text },
    cause,
  });
