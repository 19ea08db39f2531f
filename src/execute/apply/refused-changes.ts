import { isFieldConflict, refusalIn } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import { conflictParts } from '../../manifest/conflict-parts.ts';
import { readPath, rulePathText, rulesOf, rulingOf } from '../../manifest/field-rules.ts';
import { isNamedAmong } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { immutableFields, withoutDump } from '../../problem/foreign/api-status.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { TshelmError } from '../../support/errors.ts';
import type { ExecutionContext } from '../context.ts';
import { ownRule } from '../replace-rules.ts';
import { holdsData, isBuiltIn } from './holds-data.ts';

/** Adds to the failure of an apply which fields it is about. */
export function withFields(failure: unknown): unknown {
  const refusal = refusalIn(failure);
  if (refusal === undefined || !(failure instanceof TshelmError)) return failure;
  const fields = fieldsOf(refusal);
  if (fields.length === 0) return failure;
  return failure.wrapped({ message: withoutDump(failure.message), details: { fields } });
}

/** Those that belong to another manager, or cannot be changed in place. */
const fieldsOf = (refusal: ApiFailure): readonly string[] =>
  isFieldConflict(refusal) ? refusal.causes.flatMap(({ field }) => field ?? []) : immutableFields(refusal);

/** The options of the run that help where fields are managed by others or cannot be changed in place. */
export function remediesFor(id: ResourceId, refusal: ApiFailure, context: ExecutionContext): readonly Remedy[] {
  if (fieldsOf(refusal).length === 0) return [];
  if (isFieldConflict(refusal)) return takingRemedies(id, refusal, context);
  const { replaceRules: rules } = context;
  if (id.kind === 'Namespace' || isNamedAmong(id, rules?.named ?? [])) return [];
  const alsoSet = holdsData(id.kind) ? { allowDataLoss: 'true' } : undefined;
  if (rules === undefined || rules.canName)
    return [
      { kind: 'set-option', option: 'replaceObjects', value: `${id.kind}/${id.name}`, ...(alsoSet && { alsoSet }) },
    ];
  if (alsoSet !== undefined) return [];
  return isBuiltIn(id) && ownRule(id, rules) === undefined ? [{ kind: 'set-option', option: 'replaceImmutable' }] : [];
}

/** The rules that are missing to take these fields, or the option that takes all, where neither is set nor excluded. */
function takingRemedies(id: ResourceId, refusal: ApiFailure, context: ExecutionContext): readonly Remedy[] {
  const rules = rulesOf(id, context.fieldRules);
  const fields = [...new Set(fieldsOf(refusal))].map((field) => ({
    path: readPath(field),
    rule: rulingOf(conflictParts(field, undefined), [], rules),
  }));
  const forbidding = new Set(fields.flatMap(({ rule }) => (rule?.action === 'fail' ? rule.text : [])));
  const missing = fields.flatMap(({ path, rule }) =>
    path === undefined || rule !== undefined ? [] : [`${id.kind}/${id.name}:${rulePathText(path)}`],
  );
  const isForcible = context.forceConflicts !== true && forbidding.size === 0;
  return [
    ...[...forbidding].map((rule): Remedy => ({ kind: 'drop-rule', rule })),
    ...(missing.length <= mostRules ? takingTogether(missing) : []),
    ...(isForcible ? [{ kind: 'set-option', option: 'forceConflicts' } as const] : []),
  ];
}

/** One remedy: a run with only some of these rules is refused again. */
const takingTogether = ([value, ...alsoValues]: readonly string[]): readonly Remedy[] =>
  value === undefined
    ? []
    : [{ kind: 'set-option', option: 'takeFields', value, ...(alsoValues.length > 0 && { alsoValues }) }];

/** With more of them, one option for all is what a reader wants. */
const mostRules = 3;
