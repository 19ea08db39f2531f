import { isApiError } from '../cluster/api-error.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { addedDetail, causesOf, TshelmError } from '../support/errors.ts';
import { type FieldPath, refusedFields } from './refused-fields.ts';

/** The template that an object came from. */
export interface ObjectSource {
  readonly id: ResourceId;
  /** Its path with charts before it: `shop/templates/web.yaml`. */
  readonly file: string;
  /** Its path in the chart's folder: `templates/web.yaml`, of a subchart `charts/db/templates/db.yaml`. */
  readonly path: string;
  /** Where its document begins, as far as that is known. */
  readonly line?: number | undefined;
  /** What is wrong with it, where the message tells of several. */
  readonly problem?: string | undefined;
  /** The fields that are at fault. */
  readonly fields?: readonly SourceField[] | undefined;
}

/** A field of an object, and what made it, as far as that is known. */
export interface SourceField {
  readonly path: FieldPath;
  /** The line of the template, and its text where it computes something. */
  readonly line?: number | undefined;
  readonly written?: string | undefined;
  /** Where the value in that line comes from: `service.port is set in shop/values.yaml:4`. */
  readonly value?: string | undefined;
}

/** An object that is sent, and its template. */
interface Sent {
  readonly id: ResourceId;
  readonly object: KubernetesObject;
  readonly source?: string | undefined;
}

/** `shop/templates/web.yaml` begins with the chart's name, which its folder need not have. */
export const placeInChart = (file: string): Pick<ObjectSource, 'file' | 'path'> => ({
  file,
  path: file.slice(file.indexOf('/') + 1),
});

/** Where these objects come from; those that no template made are left out. */
export const sourcesOf = (targets: readonly Sent[]): readonly ObjectSource[] =>
  targets.flatMap(({ id, source }) => (source ? [{ id, ...placeInChart(source) }] : []));

/** The same failure, with the source of the object that it is about and the fields that the API server refused. */
export function withSource(failure: unknown, target: Sent): unknown {
  if (!(failure instanceof TshelmError)) return failure;
  const refusal = causesOf(failure).find((cause) => isApiError(cause));
  const fields = refusal && refusedFields(target.object, refusal.failure).map((path) => ({ path }));
  const sources = sourcesOf([target]).map((source) => (fields?.length ? { ...source, fields } : source));
  return failure.wrapped({ message: failure.message, details: { sources } });
}

/** Those of all failures. */
export const joinedSources = (failures: readonly unknown[]): readonly ObjectSource[] =>
  failures.flatMap((failure) => addedDetail(failure, 'sources') ?? []);
