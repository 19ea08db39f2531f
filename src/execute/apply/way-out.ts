import { isApiError } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { causesOf, TshelmError } from '../../support/errors.ts';
import type { ExecutionContext } from '../context.ts';

/** Adds to the failure of an apply which fields it is about, and the flag that helps. */
export function withWayOut(id: ResourceId, failure: unknown, context: ExecutionContext): unknown {
  const refusal = causesOf(failure).find((cause) => isApiError(cause));
  if (refusal === undefined || !(failure instanceof TshelmError)) return failure;
  const wayOut = wayOutOf(id, refusal.failure, context);
  if (wayOut === undefined) return failure;
  const message = withoutDump(failure.message);
  return failure.wrapped({
    message: `${message}${message.includes('\n') ? '\n' : ' '}(${wayOut.text})`,
    details: { fields: wayOut.fields, ...(wayOut.isHelpful && { wayOut: wayOut.text }) },
  });
}

/** A message without the way out that was added to it. */
export const withoutWayOut = (message: string, wayOut: string | undefined): string =>
  message.endsWith(`(${wayOut})`) ? message.slice(0, -`(${wayOut})`.length).trimEnd() : message;

/** The API server prints all of an immutable part, a page of JSON, before it says what is wrong; the cause keeps it. */
const withoutDump = (message: string): string => message.replace(/(?<=Invalid value: )\{.{200,}?\}(?=: )/g, '{…}');

interface WayOut {
  readonly text: string;
  readonly fields: readonly string[];
  /** Whether it says what to do, and not only what is wrong. */
  readonly isHelpful: boolean;
}

function wayOutOf(id: ResourceId, failure: ApiFailure, context: ExecutionContext): WayOut | undefined {
  const name = `${id.kind}/${id.name}`;
  if (failure.reason === 'Conflict' && context.applyMethod !== 'csa') {
    const fields = failure.causes.flatMap(({ field }) => field ?? []);
    if (fields.length === 0) return undefined;
    return { text: `--force-conflicts takes over ${fields.join(', ')} of ${name}`, fields, isHelpful: true };
  }
  const fields = immutableFields(failure);
  if (fields.length === 0) return undefined;
  const problem = `${fields.join(', ')} of ${name} cannot be changed in place`;
  if (holdsData(id.kind))
    return { text: `${problem}; delete it yourself if its data may be lost`, fields, isHelpful: false };
  if (id.kind === 'Job' && groupOf(id.apiVersion) === 'batch')
    return {
      text: `${problem}; kubectl delete job ${id.name} -n ${id.namespace} lets the next run create it`,
      fields,
      isHelpful: true,
    };
  if (context.forceReplace) return { text: problem, fields, isHelpful: false };
  const flags = context.applyMethod === 'csa' ? '--force-replace' : '--force-replace --server-side=false';
  return { text: `${problem}; ${flags} deletes and recreates it`, fields, isHelpful: true };
}

/** The fields that the server says cannot be changed; [] when it refuses something else. */
export function immutableFields({ status, causes }: ApiFailure): readonly string[] {
  if (status !== 422) return [];
  const immutable = causes.filter(({ message = '' }) => immutableWords.test(message));
  return [...new Set(immutable.flatMap(({ field }) => (field ? [field] : [])))];
}

/** How the validations of Kubernetes' kinds say it. */
const immutableWords =
  /immutable|may not (?:be )?change|cannot (?:be )?change|(?:updates?|changes?) .*(?:forbidden|not allowed)|may not change fields/i;

/** Kinds whose deletion takes along what cannot be created again. */
export const holdsData = (kind: string): boolean =>
  ['PersistentVolumeClaim', 'PersistentVolume', 'Namespace', 'CustomResourceDefinition'].includes(kind);
