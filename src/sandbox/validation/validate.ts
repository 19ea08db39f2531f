import { objectAt } from '../../support/json.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { hasRules } from '../schema/rules.ts';
import { type FieldProblem, invalidValue } from '../status.ts';
import { customProblems } from './custom.ts';
import { changeRules } from './immutable.ts';
import { metadataProblems } from './metadata.ts';
import { internalPaths } from './structs/definition.ts';
import { structProblems } from './walk.ts';

/** What the rules of a CRD say, where CEL is loaded. */
export interface CelRules {
  readonly rules: typeof import('./rules.ts') | undefined;
  readonly warn: ((text: string) => void) | undefined;
}

/** What is wrong with a new object; [] when nothing is. */
export const validateNew = (kind: Kind, object: Resource, check: CelRules): FieldProblem[] => [
  ...metadataProblems(kind, object),
  ...objectProblems(kind, undefined, object, check),
];

/** What is wrong with a change, in the new object itself or in what it changes. */
export function validateChange(kind: Kind, before: Resource, after: Resource, check: CelRules): FieldProblem[] {
  const changed = kind.custom === undefined ? (changeRules[`${kind.group}/${kind.kind}`]?.(before, after) ?? []) : [];
  if (before.metadata.deletionTimestamp !== undefined) return changed;
  return [...metadataProblems(kind, after), ...changed, ...objectProblems(kind, before, after, check)];
}

function objectProblems(
  kind: Kind,
  old: Resource | undefined,
  object: Resource,
  { rules, warn }: CelRules,
): FieldProblem[] {
  if (kind.custom === undefined) {
    const problems = structProblems(kind.type(), object);
    return kind.kind === 'CustomResourceDefinition' ? internalPaths(object, problems) : problems;
  }
  const problems = customProblems(kind.custom, object);
  const schema = objectAt(kind.custom, 'schema', 'openAPIV3Schema');
  if (rules === undefined || schema === undefined) return problems;
  if (!problems.some(({ reason }) => blocking.has(reason)))
    return [...problems, ...rules.ruleProblems(schema, { object, old, warn })];
  return hasRules(schema) ? [...problems, invalidValue('<nil>', undefined, unchecked)] : problems;
}

/** What keeps the rules from being asked (customresource/strategy.go, hasBlockingErr). */
const blocking: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const unchecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
