import { Quote } from '../../problem/quote.ts';
import { TshelmError } from '../../support/errors.ts';
import { type Fields, isObject } from '../../support/json.ts';
import { nearest } from '../../support/near.ts';
import { groupKindOf } from '../fields.ts';
import type { UserRules } from '../readiness.ts';
import type { HealthRule, Readiness } from '../types.ts';
import { type CelCondition, CelError, celFields, compileCel } from './cel.ts';
import { failedBy, ready, waiting } from './words.ts';

/** How objects of a kind are judged, as in `healthCheckExprs` of Flux: each expression is CEL over the fields of the object. */
export interface HealthCheck {
  /** Its group counts, not its version. */
  readonly apiVersion: string;
  /** Without it, the check is for all kinds of the group that have no check of their own. */
  readonly kind?: string | undefined;
  /** The object is ready when this is true. */
  readonly current: string;
  /** The object is waited for as long as this is true, whatever the others say. */
  readonly inProgress?: string | undefined;
  /** The object has failed when this is true. */
  readonly failed?: string | undefined;
}

/** What a mistake is about: an entry by its number, and a key of it. */
export type MistakePath = readonly string[];

/** How a mistake's place is called: `health.yaml:3`, `health[0].current`. */
export type PlaceOf = (path: MistakePath) => string;

const keys = ['apiVersion', 'kind', 'current', 'inProgress', 'failed'] as const satisfies (keyof HealthCheck)[];
const conditionKeys = ['inProgress', 'failed', 'current'] as const;

/**
 * The rules that checks make. Errors: `health-checks-invalid` with every mistake: unknown or missing keys, two checks for
 * one kind, CEL that cannot be compiled.
 */
export function userRulesOf(checks: unknown, placeOf: PlaceOf): UserRules {
  const mistakes: string[] = [];
  const rules = new Map<string, HealthRule>();
  if (!Array.isArray(checks)) mistakes.push(`${placeOf([])}: health checks must be a list`);
  for (const [index, check] of (Array.isArray(checks) ? checks : []).entries()) {
    const complain: Complain = (problem, ...key) =>
      void mistakes.push(`${placeOf([String(index), ...key])}: ${problem}`);
    const { kind, rule } = readCheck(isObject(check) ? check : {}, complain);
    if (kind !== '*' && rules.has(kind)) complain(`there are two checks for ${kind}`);
    rules.set(kind, rule);
  }
  if (mistakes.length > 0)
    throw new TshelmError('health-checks-invalid', { message: mistakes.join('\n'), details: { mistakes } });
  return ({ apiVersion, kind }) => rules.get(kindKey(apiVersion, kind)) ?? rules.get(kindKey(apiVersion, ''));
}

/** `Cluster.postgresql.cnpg.io`; `*.postgresql.cnpg.io` for all kinds of the group. */
const kindKey = (apiVersion: string, kind: string): string => groupKindOf({ apiVersion, kind: kind || '*' });

/** `key`: the one that the problem is about; none for the check as a whole. */
type Complain = (problem: string, ...key: readonly string[]) => void;

function readCheck(check: Fields, complain: Complain): { readonly kind: string; readonly rule: HealthRule } {
  for (const key of Object.keys(check)) if (!keys.some((one) => one === key)) complain(unknownKey(key), key);
  for (const key of ['apiVersion', 'current']) if ((check[key] ?? '') === '') complain(`a health check needs ${key}`);
  const text = (key: keyof HealthCheck): string => {
    const value = check[key] ?? '';
    if (typeof value === 'string') return value;
    complain(`${key} must be a string`, key);
    return '';
  };
  const conditions = conditionKeys.flatMap((key) => conditionOf(key, text(key), complain) ?? []);
  return { kind: kindKey(text('apiVersion'), text('kind')), rule: ruleOf(conditions) };
}

function unknownKey(key: string): string {
  const meant = nearest(key, keys);
  return `a health check has no key ${key}; ${meant === undefined ? `its keys are ${keys.join(', ')}` : `did you mean ${meant}?`}`;
}

interface Condition {
  readonly key: (typeof conditionKeys)[number];
  readonly text: string;
  readonly isTrue: CelCondition;
}

function conditionOf(key: Condition['key'], text: string, complain: Complain): Condition | undefined {
  if (text === '') return undefined;
  try {
    return { key, text, isTrue: compileCel(text) };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    complain(`${key} is not valid CEL: ${error.message}`, key);
    return undefined;
  }
}

/**
 * As Flux: the first of inProgress, failed and current that is true decides, and what none of them is true of is waited
 * for. So is an object that lacks a field which they read: its controller may set it yet.
 */
function ruleOf(conditions: readonly Condition[]): HealthRule {
  return (object) => {
    const fields = celFields(object);
    for (const condition of conditions) {
      try {
        if (condition.isTrue(fields)) return verdict(condition);
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        return waiting(`its health check cannot evaluate ${condition.key}: ${error.message}`);
      }
    }
    return waiting(`its health check's current is not true: ${conditions.at(-1)?.text}`);
  };
}

function verdict({ key, text }: Condition): Readiness {
  switch (key) {
    case 'inProgress':
      return waiting(`its health check's inProgress is true: ${text}`);
    case 'failed':
      return failedBy([
        { outlook: 'never', code: 'not-ready', words: new Quote(`its health check's failed is true: ${text}`) },
      ]);
    case 'current':
      return ready;
    default:
      return key satisfies never;
  }
}
