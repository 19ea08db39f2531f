import { refusalIn } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import { isNamedAmong } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { immutableFields, withoutDump } from '../../problem/foreign/api-status.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { TshelmError } from '../../support/errors.ts';
import type { ExecutionContext } from '../context.ts';
import { ownRule } from '../replace-rules.ts';
import { holdsData, isBuiltIn } from './holds-data.ts';

/** Adds to the failure of an apply which fields it is about. */
export function withFields(failure: unknown, context: ExecutionContext): unknown {
  const refusal = refusalIn(failure);
  if (refusal === undefined || !(failure instanceof TshelmError)) return failure;
  const fields = fieldsOf(refusal, context);
  if (fields.length === 0) return failure;
  return failure.wrapped({ message: withoutDump(failure.message), details: { fields } });
}

/** Those that belong to another manager, or cannot be changed in place. */
function fieldsOf(refusal: ApiFailure, { applyMethod }: ExecutionContext): readonly string[] {
  const isConflict = refusal.reason === 'Conflict' && applyMethod !== 'csa';
  return isConflict ? refusal.causes.flatMap(({ field }) => field ?? []) : immutableFields(refusal);
}

/** The options of the run that help where fields are managed by others or cannot be changed in place. */
export function remediesFor(id: ResourceId, refusal: ApiFailure, context: ExecutionContext): readonly Remedy[] {
  if (fieldsOf(refusal, context).length === 0) return [];
  if (refusal.reason === 'Conflict') return [{ kind: 'set-option', option: 'forceConflicts' }];
  if (holdsData(id.kind)) return [];
  const { replaceRules: rules } = context;
  if (isNamedAmong(id, rules?.named ?? [])) return [];
  if (rules === undefined || rules.canName)
    return [{ kind: 'set-option', option: 'replaceObjects', value: `${id.kind}/${id.name}` }];
  return isBuiltIn(id) && ownRule(id, rules) === undefined ? [{ kind: 'set-option', option: 'replaceImmutable' }] : [];
}
