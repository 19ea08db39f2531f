import { isFieldConflict, refusalIn } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import { readPath, rulePathText } from '../../manifest/field-rules.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { immutableFields, withoutDump } from '../../problem/foreign/api-status.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { TshelmError } from '../../support/errors.ts';
import type { ExecutionContext } from '../context.ts';

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

/** The options of the run, or the deletion, that help where fields are managed by others or cannot be changed in place. */
export function remediesFor(id: ResourceId, refusal: ApiFailure, context: ExecutionContext): readonly Remedy[] {
  if (fieldsOf(refusal).length === 0) return [];
  if (isFieldConflict(refusal)) return takingRemedies(id, refusal, context);
  if (holdsData(id.kind)) return [];
  if (id.kind === 'Job' && groupOf(id.apiVersion) === 'batch') return [{ kind: 'delete-object', object: id }];
  if (context.forceReplace) return [];
  const isClientSide = context.applyMethod === 'csa';
  return [{ kind: 'set-option', option: 'forceReplace', ...(!isClientSide && { alsoSet: { serverSide: 'false' } }) }];
}

/** The rules that take just these fields, or the option that takes all; the former alone where that is set already. */
function takingRemedies({ kind, name }: ResourceId, refusal: ApiFailure, context: ExecutionContext): readonly Remedy[] {
  const paths = refusal.causes.flatMap(({ field }) => {
    const path = field === undefined ? undefined : readPath(field);
    return path === undefined ? [] : [rulePathText(path)];
  });
  const rules = [...new Set(paths)].map((path) => `${kind}/${name}:${path}`);
  const takes = rules.map((value): Remedy => ({ kind: 'set-option', option: 'takeFields', value }));
  const few = rules.length <= mostRules ? takes : [];
  return context.forceConflicts === true ? few : [...few, { kind: 'set-option', option: 'forceConflicts' }];
}

/** With more of them, one option for all is what a reader wants. */
const mostRules = 3;

/** Kinds whose deletion takes along what cannot be created again. */
export const holdsData = (kind: string): boolean =>
  ['PersistentVolumeClaim', 'PersistentVolume', 'Namespace', 'CustomResourceDefinition'].includes(kind);
