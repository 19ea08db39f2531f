import { ifReadable } from '../../go/if-readable.ts';
import { isJsonObject, type JsonObject } from '../../support/json.ts';
import { hasStatus, type Kind } from '../kinds/kind.ts';
import { controllerOf, keyOf, type Resource } from '../resource.ts';
import type { ControllerContext } from './context.ts';
import { annotatedMs, sandboxAnnotation } from './fate.ts';
import type { Controller } from './manager.ts';

const defaultDelayMs = 300;

/**
 * Sets the status that an annotation announces, for kinds that have no controller here:
 * `sandbox.tshelm.dev/status: '{"conditions":[{"type":"Ready","status":"True"}]}'`, after `ready-after`.
 * observedGeneration is added where the status has none.
 */
export function announcedStatusController(context: ControllerContext): Controller {
  const dueMs = new Map<string, number>();
  return {
    name: 'announced-status',
    *affected({ type, storageKey: key, object }) {
      if (type === 'DELETED') dueMs.delete(object.metadata.uid ?? '');
      else if (hasAnnouncement(context, object)) yield `${key} ${keyOf(object)}`;
    },
    *all() {
      for (const [key, object] of context.environment.store.everything()) {
        if (hasAnnouncement(context, object)) yield `${key} ${keyOf(object)}`;
      }
    },
    reconcile(id) {
      const found = context.findStored(id);
      if (found === undefined || found.object.metadata.deletionTimestamp !== undefined) return;
      const { kind, object } = found;
      const seen = `${object.metadata.uid}/${object.metadata.generation ?? 0}`;
      const due = dueMs.get(seen) ?? context.now + (annotatedMs(context, object, 'ready-after') ?? defaultDelayMs);
      dueMs.set(seen, due);
      if (due > context.now) context.later('announced-status', id, due - context.now);
      else announce(context, kind, object);
    },
  };
}

/** Only an object's own annotation counts, not that of what controls it. */
const hasAnnouncement = (context: ControllerContext, object: Resource): boolean =>
  object.metadata.annotations !== undefined &&
  controllerOf(object) === undefined &&
  sandboxAnnotation(context, object, 'status') !== undefined;

function announce(context: ControllerContext, kind: Kind, object: Resource): void {
  const announced = parse(sandboxAnnotation(context, object, 'status') ?? '');
  if (announced === undefined) return;
  const { generation } = object.metadata;
  const status = generation === undefined ? announced : { observedGeneration: generation, ...announced };
  if (hasStatus(kind)) context.setStatus(kind, object, status, 'sandbox');
  else context.change(kind, object, { ...object, status });
}

function parse(text: string): JsonObject | undefined {
  const value = ifReadable((): unknown => JSON.parse(text));
  return isJsonObject(value) ? value : undefined;
}
