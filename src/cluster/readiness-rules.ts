import { annotations } from '../manifest/annotations.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { messageOf } from '../support/errors.ts';
import { failed, ready, waiting } from './readiness-words.ts';
import type { Readiness } from './types.ts';

/** One condition of helm.sh/readiness-success or -failure: `{.conditions[0].status} == "True"`, on the object's status. */
export interface ReadinessRule {
  readonly text: string;
  readonly path: readonly PathStep[];
  readonly operator: Operator;
  readonly value: unknown;
}

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** `.name`, `[3]` (from the end when negative), `[*]`, `[?(@.type=="Ready")]`. */
type PathStep =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | {
      readonly kind: 'filter';
      readonly path: readonly PathStep[];
      readonly operator: Operator;
      readonly value: unknown;
    };

/**
 * Readiness by the object's own annotations (HIP-0025): one true failure condition fails it, else one true success
 * condition makes it ready. Undefined where not both annotations are there: then the built-in rules decide.
 */
export function ruledReadiness(object: KubernetesObject): Readiness | undefined {
  const success = object.metadata.annotations?.[annotations.readinessSuccess];
  const failure = object.metadata.annotations?.[annotations.readinessFailure];
  if (success === undefined || failure === undefined) return undefined;
  if (object.metadata.deletionTimestamp) return waiting('it is being deleted');
  try {
    const failing = parseReadinessRules(failure).find((rule) => holds(rule, object['status']));
    if (failing !== undefined) return failed(`its failure condition ${failing.text} is true`);
    const rules = parseReadinessRules(success);
    if (rules.some((rule) => holds(rule, object['status']))) return ready;
    return waiting(`none of its success conditions is true: ${rules.map(({ text }) => text).join(', ')}`);
  } catch (error) {
    return failed(messageOf(error));
  }
}

/** Reads the value of a readiness annotation: a JSON array of conditions, or one condition. Throws an Error that says what is wrong. */
export function parseReadinessRules(annotation: string): readonly ReadinessRule[] {
  return textsOf(annotation).map(parseRule);
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

function parseRule(text: string): ReadinessRule {
  const [, path, operator, value = ''] = /^\s*\{\s*([^}]*?)\s*\}\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*$/s.exec(text) ?? [];
  if (path === undefined)
    throw new Error(`a readiness condition must be "{<jsonpath>} <operator> <value>", not ${text}`);
  return { text: text.trim(), path: parsePath(path, text), operator: operator as Operator, value: literal(value) };
}

const stepPattern =
  /\.?([A-Za-z_][\w-]*)|\['([^']*)'\]|\[(-?\d+)\]|(\[\*\]|\.\*)|\[\?\(\s*@(\.[\w.-]+)\s*(==|!=|<=|>=|<|>)\s*("[^"]*"|'[^']*'|[^)]+?)\s*\)\]/y;

function parsePath(path: string, rule: string): PathStep[] {
  const text = path.startsWith('$') ? path.slice(1) : path;
  const steps: PathStep[] = [];
  // A filter holds a path itself, so each path needs its own place in the text.
  const pattern = new RegExp(stepPattern);
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) throw new Error(`the jsonpath {${path}} of the readiness condition ${rule} is not understood`);
    steps.push(stepOf(match, rule));
  }
  return steps;
}

function stepOf([, key, quoted, index, all, filterPath, operator, value]: RegExpExecArray, rule: string): PathStep {
  if (filterPath !== undefined) {
    return {
      kind: 'filter',
      path: parsePath(filterPath, rule),
      operator: operator as Operator,
      value: literal(value ?? ''),
    };
  }
  if (all !== undefined) return { kind: 'all' };
  if (index !== undefined) return { kind: 'index', index: Number(index) };
  return { kind: 'key', key: key ?? quoted ?? '' };
}

/** A JSON value, text in single quotes, or the bare text itself. */
function literal(text: string): unknown {
  if (/^'.*'$/s.test(text)) return text.slice(1, -1);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const holds = ({ path, operator, value }: Omit<ReadinessRule, 'text'>, root: unknown): boolean =>
  valuesAt([root], path).some((found) => compares(found, operator, value));

function valuesAt(values: readonly unknown[], path: readonly PathStep[]): readonly unknown[] {
  return path.reduce<readonly unknown[]>((found, step) => found.flatMap((value) => follow(value, step)), values);
}

function follow(value: unknown, step: PathStep): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (step.kind) {
    case 'key': {
      const found = Array.isArray(value) ? undefined : (value as Record<string, unknown>)[step.key];
      return found === undefined ? [] : [found];
    }
    case 'index':
      return items.slice(step.index).slice(0, 1);
    case 'all':
      return Array.isArray(value) ? items : Object.values(value);
    case 'filter':
      return items.filter((item) => holds(step, item));
    default:
      return step satisfies never;
  }
}

function compares(found: unknown, operator: Operator, wanted: unknown): boolean {
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
