import { type JsonObject, objectAt, textOf } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { StatusError } from '../status.ts';
import type { ControllerContext } from './context.ts';

export interface EventFacts {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** `kubelet`, `default-scheduler`, `deployment-controller`, … */
  readonly source: string;
  /** `spec.containers{web}` */
  readonly fieldPath?: string | undefined;
}

/** Of one namespace. An API server forgets events after an hour; a sandbox may have run thousands of deploys by then. */
export const mostEvents = 500;

/** Records an event; one that is there already counts up. */
export function recordEvent(context: ControllerContext, object: Resource, facts: EventFacts): void {
  const { environment, timestamp } = context;
  const namespace = object.metadata.namespace ?? 'default';
  const events = [...environment.store.values('/events', namespace)];
  const same = events.find(
    (event) =>
      objectAt(event, 'involvedObject')?.uid === object.metadata.uid &&
      event.reason === facts.reason &&
      event.message === facts.message,
  );
  if (same !== undefined) {
    const count = typeof same.count === 'number' ? same.count + 1 : 2;
    environment.store.put('/events', { ...same, count, lastTimestamp: timestamp });
    return;
  }
  const owner = environment.store.get('/namespaces', undefined, namespace);
  if (owner === undefined || owner.metadata.deletionTimestamp !== undefined) return;
  const [oldest] = events;
  if (oldest !== undefined && events.length >= mostEvents) environment.store.remove('/events', oldest);
  context.create(context.kind('v1', 'Event'), namespace, newEvent(context, object, namespace, facts));
}

/** Creates an owner's pod or claim; where it is refused, an event says so in the controller's words. */
export function createFor(
  context: ControllerContext,
  owner: Resource,
  object: JsonObject,
  { source, words = 'Error creating: ' }: { readonly source: string; readonly words?: string },
): Resource {
  try {
    return context.create(context.kind('v1', textOf(object.kind) ?? ''), owner.metadata.namespace, object);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    recordEvent(context, owner, { type: 'Warning', reason: 'FailedCreate', message: words + error.message, source });
    throw error;
  }
}

function newEvent(context: ControllerContext, object: Resource, namespace: string, facts: EventFacts): JsonObject {
  const { timestamp, environment } = context;
  const { uid, name, resourceVersion } = object.metadata;
  const involved = {
    apiVersion: object.apiVersion,
    kind: object.kind,
    name,
    namespace: object.metadata.namespace,
    uid,
    resourceVersion,
  };
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${(environment.store.revision + 0x100000).toString(16).padStart(16, '0')}`, namespace },
    involvedObject: facts.fieldPath === undefined ? involved : { ...involved, fieldPath: facts.fieldPath },
    type: facts.type,
    reason: facts.reason,
    message: facts.message,
    count: 1,
    firstTimestamp: timestamp,
    lastTimestamp: timestamp,
    eventTime: null,
    source: facts.source === 'kubelet' ? { component: 'kubelet', host: 'node-1' } : { component: facts.source },
    reportingComponent: facts.source,
    reportingInstance: facts.source === 'kubelet' ? 'node-1' : '',
  };
}
