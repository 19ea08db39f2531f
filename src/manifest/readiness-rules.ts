import { type JsonPath, jsonPath } from '../go/jsonpath/jsonpath.ts';
import { parseJsonPath } from '../go/jsonpath/parser.ts';
import { GoError, GoInt, type Value } from '../go/value.ts';
import { messageOf } from '../support/errors.ts';
import { annotations } from './annotations.ts';

/** One condition of helm.sh/readiness-success or -failure: `{.conditions[0].status} == "True"`, on the object's status. */
export interface ReadinessRule {
  readonly text: string;
  /** Kubernetes' JSONPath, with its braces. */
  readonly path: string;
  readonly search: JsonPath;
  readonly operator: Operator;
  readonly value: unknown;
}

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** Both of an object's readiness annotations, which only together replace the built-in rules (HIP-0025). */
export interface ReadinessRules {
  readonly success: readonly ReadinessRule[];
  readonly failure: readonly ReadinessRule[];
}

/** Undefined where not both annotations are there. Throws an Error that says what is wrong. */
export function readinessRulesOf(given: Readonly<Record<string, unknown>> = {}): ReadinessRules | undefined {
  const success = given[annotations.readinessSuccess];
  const failure = given[annotations.readinessFailure];
  if (success === undefined || failure === undefined) return undefined;
  return { success: parseReadinessRules(success), failure: parseReadinessRules(failure) };
}

/** Whether a condition is true of a status: of any of the values that its path leads to. */
export function holds({ search, operator, value }: ReadinessRule, status: unknown): boolean {
  const found = foundBy(search, valueOf(status));
  return found.some((one) => compares(one instanceof GoInt ? Number(one.value) : one, operator, value));
}

/** A path that leads out of a list, or compares what cannot be compared, leads to nothing yet. */
function foundBy(search: JsonPath, status: Value): readonly Value[] {
  try {
    return search.find(status).flat();
  } catch (error) {
    if (error instanceof GoError) return [];
    throw error;
  }
}

function valueOf(json: unknown): Value {
  if (Number.isSafeInteger(json)) return new GoInt('int64', BigInt(json as number));
  if (Array.isArray(json)) return json.map(valueOf);
  if (typeof json !== 'object' || json === null) return json as Value;
  return new Map(Object.entries(json).map(([key, member]) => [key, valueOf(member)]));
}

/** Reads the value of a readiness annotation: a JSON array of conditions, or one condition. Throws an Error that says what is wrong. */
export function parseReadinessRules(annotation: unknown): readonly ReadinessRule[] {
  return textsOf(typeof annotation === 'string' ? annotation : JSON.stringify(annotation)).map(parseRule);
}

function textsOf(annotation: string): string[] {
  if (!annotation.trimStart().startsWith('[')) return [annotation.trim()];
  try {
    const texts: unknown = JSON.parse(annotation);
    if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts;
  } catch {
    // The same message as for JSON that is no list of strings.
  }
  throw new Error(`a readiness annotation must be a JSON array of strings, not ${annotation}`);
}

/** A value that begins with an operator is a mistyped one, as `===`. */
const rulePattern = /^(\{(?:'[^']*'|"[^"]*"|[^}'"])*\})\s*(==|!=|<=|>=|<|>)\s*([^=<>\s].*)$/s;

function parseRule(text: string): ReadinessRule {
  const [, path, operator, value = ''] = rulePattern.exec(text.trim()) ?? [];
  if (path === undefined)
    throw new Error(`a readiness condition must be "{<jsonpath>} <operator> <value>", not ${text}`);
  try {
    return { text: text.trim(), path, search: searchFor(path), operator: operator as Operator, value: literal(value) };
  } catch (cause) {
    throw new Error(`the readiness condition ${text}: ${messageOf(cause)}`, { cause });
  }
}

function searchFor(path: string): JsonPath {
  const [action] = parseJsonPath(path).nodes;
  const [first] = action?.kind === 'list' ? action.nodes : [];
  if (first === undefined || first.kind === 'identifier' || first.kind === 'text' || first.kind === 'literal')
    throw new Error(`${path} is not a path; a path begins with a dot, like {.phase}`);
  return jsonPath(path, { allowMissingKeys: true });
}

/** A JSON value, text in single quotes, or the bare text itself. */
function literal(text: string): unknown {
  if (/^'[^']*'$/s.test(text)) return text.slice(1, -1);
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (/^['"]/.test(text)) throw new Error(`the quotes of ${text} do not match`, { cause });
    return text;
  }
}

/** Numbers, and texts that are numbers, by their size; everything else by its text, which has no size. */
function compares(found: Value, operator: Operator, wanted: unknown): boolean {
  const [left, right] = [numberOf(found), numberOf(wanted)];
  const areNumbers = left !== undefined && right !== undefined;
  switch (operator) {
    case '==':
      return areNumbers ? left === right : String(found) === String(wanted);
    case '!=':
      return areNumbers ? left !== right : String(found) !== String(wanted);
    case '<':
      return areNumbers && left < right;
    case '<=':
      return areNumbers && left <= right;
    case '>':
      return areNumbers && left > right;
    case '>=':
      return areNumbers && left >= right;
    default:
      return operator satisfies never;
  }
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}
