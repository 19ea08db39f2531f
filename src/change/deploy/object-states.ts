import type { ExecutionEvent, OnEvent } from '../../execute/events.ts';
import { formatId, idOf, objectKey } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { manifestsOf } from '../../plan/arrange.ts';
import type { Plan } from '../../plan/types.ts';
import type { Release } from '../../release/types.ts';
import { TshelmError } from '../../support/errors.ts';

type ResourceEvent = Extract<ExecutionEvent, { kind: 'resource' }>;

/** Watches a run, to say afterwards in which state it left each object of its plan. */
export class ObjectStates {
  readonly #last = new Map<string, ResourceEvent>();

  /** A listener that watches, and passes everything on. */
  watching(onEvent: OnEvent | undefined): OnEvent {
    return (event) => {
      if (event.kind === 'resource') this.#last.set(objectKey(event.id), event);
      onEvent?.(event);
    };
  }

  /** One line for each object: `ConfigMap/settings in shop: as in revision 1`. */
  lines(plan: Plan, { version, info }: Release): readonly string[] {
    const revision = info.rollbackRevision ?? version;
    return plan.steps.flatMap((step) => {
      if (step.kind !== 'apply' && step.kind !== 'delete') return [];
      const ids = manifestsOf(step.unit).map(({ object }) => idOf(object, plan.namespace));
      const wordsOf = step.kind === 'apply' ? appliedWords : deletedWords;
      return ids.map((id) => `${formatId(id)}: ${wordsOf(this.#lastOf(id), revision)}`);
    });
  }

  /** Objects of cluster-scoped kinds are reported without a namespace. */
  #lastOf(id: ResourceId): ResourceEvent | undefined {
    return this.#last.get(objectKey(id)) ?? this.#last.get(objectKey({ ...id, namespace: '' }));
  }
}

function appliedWords(last: ResourceEvent | undefined, revision: number): string {
  switch (last?.state) {
    case undefined:
      return 'not reached; unchanged';
    case 'applying':
      return 'sent, but no answer received';
    case 'failed':
      return `failed: ${last.reason ?? 'for an unknown reason'}`;
    case 'waiting':
      return `as in revision ${revision}, not ready: ${last.reason ?? 'for an unknown reason'}`;
    default:
      return `as in revision ${revision}`;
  }
}

function deletedWords(last: ResourceEvent | undefined): string {
  switch (last?.state) {
    case 'deleted':
      return 'deleted';
    case 'deleting':
      return 'deletion sent, but no answer received';
    case 'kept':
      return `kept: ${last.reason ?? ''}`;
    case 'failed':
      return `not deleted: ${last.reason ?? ''}`;
    default:
      return 'not deleted yet; not part of this revision';
  }
}

/** The failure, with the state that each object was left in: text for a terminal. */
export function withStates(failure: unknown, objects: readonly string[]): unknown {
  if (!(failure instanceof TshelmError) || objects.length === 0) return failure;
  const report = `State of each object:\n${objects.map((line) => `  ${line}`).join('\n')}`;
  return failure.wrapped({ message: failure.message, details: { objects, report } });
}
