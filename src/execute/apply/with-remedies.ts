import { refusalIn } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { immutableFields } from '../../problem/foreign/api-status.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { TshelmError } from '../../support/errors.ts';
import { remedyText } from '../../words/remedy.ts';
import type { ExecutionContext } from '../context.ts';

/** Adds to the failure of an apply which fields it is about, and the flag that helps. */
export function withRemedies(id: ResourceId, failure: unknown, context: ExecutionContext): unknown {
  const refusal = refusalIn(failure);
  if (refusal === undefined || !(failure instanceof TshelmError)) return failure;
  const fields = fieldsOf(refusal, context);
  if (fields.length === 0) return failure;
  const message = withoutDump(failure.message);
  const text = wayOutText(id, { refusal, fields }, context);
  return failure.wrapped({
    message: `${message}${message.includes('\n') ? '\n' : ' '}(${text})`,
    details: { fields },
  });
}

/** The API server prints all of an immutable part, a page of JSON, before it says what is wrong; the cause keeps it. */
const withoutDump = (message: string): string => message.replace(/(?<=Invalid value: )\{.{200,}?\}(?=: )/g, '{…}');

/** Those that belong to another manager, or cannot be changed in place. */
function fieldsOf(refusal: ApiFailure, { applyMethod }: ExecutionContext): readonly string[] {
  const isConflict = refusal.reason === 'Conflict' && applyMethod !== 'csa';
  return isConflict ? refusal.causes.flatMap(({ field }) => field ?? []) : immutableFields(refusal);
}

interface RefusedFields {
  readonly refusal: ApiFailure;
  readonly fields: readonly string[];
}

function wayOutText(id: ResourceId, { refusal, fields }: RefusedFields, context: ExecutionContext): string {
  const named = `${fields.join(', ')} of ${id.kind}/${id.name}`;
  if (refusal.reason === 'Conflict') return `--force-conflicts takes over ${named}`;
  const ways = holdsData(id.kind)
    ? ['delete it yourself if you can afford to lose its data']
    : remediesFor(id, refusal, context).map((remedy) => remedyText(remedy));
  return [`${named} cannot be changed in place`, ...ways].join('; ');
}

/** The options of the run, or the deletion, that help where fields are managed by others or cannot be changed in place. */
export function remediesFor(id: ResourceId, refusal: ApiFailure, context: ExecutionContext): readonly Remedy[] {
  if (fieldsOf(refusal, context).length === 0) return [];
  if (refusal.reason === 'Conflict') return [{ kind: 'set-option', option: 'forceConflicts' }];
  if (holdsData(id.kind)) return [];
  if (id.kind === 'Job' && groupOf(id.apiVersion) === 'batch') return [{ kind: 'delete-object', object: id }];
  if (context.forceReplace) return [];
  const isClientSide = context.applyMethod === 'csa';
  return [{ kind: 'set-option', option: 'forceReplace', ...(!isClientSide && { alsoSet: { serverSide: 'false' } }) }];
}

/** Kinds whose deletion takes along what cannot be created again. */
export const holdsData = (kind: string): boolean =>
  ['PersistentVolumeClaim', 'PersistentVolume', 'Namespace', 'CustomResourceDefinition'].includes(kind);
