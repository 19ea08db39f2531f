import type { ResourceId } from '../manifest/types.ts';
import { addedDetail, TshelmError } from '../support/errors.ts';
import type { Target } from './apply/targets.ts';

/** The template that an object came from. */
export interface ObjectSource {
  readonly id: ResourceId;
  /** Its path with charts before it: `shop/templates/web.yaml`. */
  readonly file: string;
  /** Where its document begins, as far as that is known. */
  readonly line?: number | undefined;
}

/** Where these objects come from; those that no template made are left out. */
export const sourcesOf = (targets: readonly Target[]): readonly ObjectSource[] =>
  targets.flatMap(({ id, source }) => (source ? [{ id, file: source }] : []));

/** The same failure, with the sources of the objects that it is about. */
export const withSources = (failure: unknown, targets: readonly Target[]): unknown =>
  failure instanceof TshelmError
    ? failure.wrapped({ message: failure.message, details: { sources: sourcesOf(targets) } })
    : failure;

/** Those of all failures. */
export const joinedSources = (failures: readonly unknown[]): readonly ObjectSource[] =>
  failures.flatMap((failure) => addedDetail(failure, 'sources') ?? []);
