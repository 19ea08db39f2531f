import { formatValue } from '../../go/fmt/format.ts';
import { decodeText } from '../../go/text.ts';
import { type GoMap, GoObject, type Value } from '../../go/value.ts';
import { deepEqual } from '../../render/functions/deep-equal.ts';
import { base64Bytes } from '../../support/bytes.ts';
import { asYaml } from '../documents/text.ts';
import type { AssertionContext, Judge, Judgement } from './assertion.ts';
import { eachDocument, eachValue, failed, passed } from './each.ts';
import { errorLines, expectationLines, type FoundAt, unifiedDiff } from './lines.ts';
import type { Parameters } from './parameters.ts';

/** `equal`: the value at a path is this one. */
export function equal(parameters: Parameters): Judge {
  const path = parameters.text('path');
  const expected = parameters.any('value');
  const isEncoded = parameters.flag('decodeBase64');
  return (context) => {
    const mismatch = (actual: Value, at: FoundAt): string[] => unequalLines({ path, expected, actual }, context, at);
    return eachValue(context, { path, none: () => mismatch('no manifest found', {}) }, (value, at) => {
      const decoded = isEncoded && typeof value === 'string' ? base64Decoded(value) : value;
      if (decoded === undefined) return failed(errorLines(undecodable(value), at));
      const actual = uniform(decoded);
      return deepEqual(expected, actual) === context.isNegative ? failed(mismatch(actual, at)) : passed;
    });
  };
}

/** `equalRaw`: the text of a file that is no YAML is this one. */
export function equalRaw(parameters: Parameters): Judge {
  const expected = parameters.text('value');
  return (context) => {
    const mismatch = (actual: Value): string[] => unequalLines({ expected, actual }, context, {});
    return eachDocument(
      context,
      () => mismatch('no manifest found'),
      (document): Judgement => {
        const actual = rawText(document);
        return (actual === expected) === context.isNegative ? failed(mismatch(actual)) : passed;
      },
    );
  };
}

interface Compared {
  readonly path?: string;
  readonly expected: Value;
  readonly actual: Value;
}

function unequalLines({ path, expected, actual }: Compared, { isNegative }: AssertionContext, at: FoundAt): string[] {
  const shown = { words: ' to equal', isNegative, path, expected: asYaml(expected) };
  if (isNegative) return expectationLines(shown, at);
  const actualYaml = asYaml(actual);
  return expectationLines({ ...shown, actual: actualYaml, diff: unifiedDiff(shown.expected, actualYaml) }, at);
}

/** The text of a file that is no YAML, as it is compared. */
export const rawText = (document: GoMap): string => uniformText(formatValue(document.get('raw') ?? null));

/** The same value with the texts in it as they are compared. */
function uniform(value: Value): Value {
  if (typeof value === 'string') return uniformText(value);
  if (Array.isArray(value)) return value.map(uniform);
  if (value instanceof GoObject || !(value instanceof Map)) return value;
  return new Map([...value].map(([key, one]) => [key, uniform(one)]));
}

/** Without spaces at the end of lines, and without empty lines at the beginning. */
function uniformText(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  const last = lines.pop() as string;
  const joined = [...lines.map(withoutSpaceAtEnd), last].join('\n');
  return joined.replace(/^\n+/, '');
}

function withoutSpaceAtEnd(line: string): string {
  let end = line.endsWith(' \r') ? line.length - 1 : line.length;
  while (end > 0 && line.charAt(end - 1) === ' ') end -= 1;
  return line.slice(0, end);
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Go's base64.StdEncoding; undefined where the text is none. */
export function base64Decoded(text: string): string | undefined {
  const digits = text.replace(/[\r\n]/g, '');
  return base64.test(digits) ? decodeText(base64Bytes(digits)) : undefined;
}

export const undecodable = (value: Value): string => `unable to decode base64 expected content ${formatValue(value)}`;
