import { refusalIn } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { hazardsOf } from '../../plan/hazards/hazards.ts';
import type { Plan } from '../../plan/types.ts';
import { unansweredWebhook } from '../../problem/foreign/api-status.ts';
import { messageOf } from '../../support/errors.ts';
import { pause, systemTimers } from '../../support/timers.ts';
import type { Run } from '../context.ts';
import { objectsSentBy } from '../plan-objects.ts';
import { isCrd } from './targets.ts';

const retryMs = 250;
/** For so long the API server may check objects by the schema that a CRD had before it was upgraded. */
const oldSchemaMs = 2_000;
/** For so long an API server that has just started may have no address for a Service. */
const allocatorMs = 10_000;

/**
 * Carries out a request that needs what the same release brings and what takes a moment to come up: it is tried again
 * until the run's timeout while a kind of one of its CRDs is not served yet, or one of its webhooks does not answer yet,
 * and for a moment where the schema of one of its CRDs does not know a field. `onWaiting` is called once, with the server's
 * words.
 */
export async function retryWhileNotServed<T>(
  task: () => Promise<T>,
  id: ResourceId,
  run: Run,
  onWaiting: (reason: string) => void,
): Promise<T> {
  const timers = run.cluster.timers ?? systemTimers;
  const startMs = timers.now();
  for (let isAnnounced = false; ; isAnnounced = true) {
    try {
      return await task();
    } catch (error) {
      const patienceMs = Math.min(patienceFor(error, id, run.plan), run.timeoutMs);
      if (timers.now() - startMs >= patienceMs || !isNotServedYet(error, id, run.plan)) throw error;
      if (!isAnnounced) {
        if (isDefinedLater(error, id, run)) throw error;
        onWaiting(messageOf(error));
      }
      await pause(timers, retryMs, run.signal);
    }
  }
}

function patienceFor(error: unknown, id: Pick<ResourceId, 'apiVersion' | 'kind' | 'name'>, plan: Plan): number {
  if (mayBeOldSchema(error, plan)) return oldSchemaMs;
  const refusal = refusalIn(error);
  return refusal !== undefined && isUnallocatedService(refusal, id, plan) ? allocatorMs : Number.POSITIVE_INFINITY;
}

/**
 * Whether a Service that asks for no address got none: the API server's allocator is not ready until it has listed the
 * ServiceCIDRs (pkg/registry/core/service/ipallocator, ErrNotReady), and it refuses the field that nobody sent.
 */
export function isUnallocated({ status, causes }: ApiFailure, object: KubernetesObject): boolean {
  const spec = object['spec'] as { clusterIP?: unknown; clusterIPs?: unknown } | undefined;
  const isOfAddress = causes.length > 0 && causes.every(({ field }) => field === 'spec.clusterIPs');
  const isAsked = spec?.clusterIP !== undefined || spec?.clusterIPs !== undefined;
  return status === 422 && object.kind === 'Service' && isOfAddress && !isAsked;
}

const isUnallocatedService = (
  refusal: ApiFailure,
  { kind, name }: Pick<ResourceId, 'kind' | 'name'>,
  plan: Plan,
): boolean =>
  objectsSentBy(plan).some(
    (object) => object.kind === kind && object.metadata.name === name && isUnallocated(refusal, object),
  );

/** Whether a request failed for the want of something that the plan itself brings. */
export function isNotServedYet(
  error: unknown,
  id: Pick<ResourceId, 'apiVersion' | 'kind' | 'name'>,
  plan: Plan,
): boolean {
  const refusal = refusalIn(error);
  if (refusal === undefined) return false;
  if (isOfWebhook(refusal, plan) || isUnallocatedService(refusal, id, plan)) return true;
  // Of an object that is not there the server says what it is; of a kind, it knows nothing.
  const isUnserved = refusal.status === 404 && refusal.about === undefined;
  return (isUnserved || isOfSchema(refusal)) && definesKind(id, plan);
}

/** Whether the object does not fit the schema of its kind: strict decoding answers 400, server-side apply 500 without a reason. */
const isOfSchema = ({ status, reason }: ApiFailure): boolean =>
  status === 400 || (status === 500 && reason === 'Unknown');

const mayBeOldSchema = (error: unknown, plan: Plan): boolean => {
  const refusal = refusalIn(error);
  return refusal !== undefined && isOfSchema(refusal) && !isOfWebhook(refusal, plan);
};

/** Whether the kind is one of a CRD that is in a later batch, or behind the hook that needs it: no wait brings it. */
const isDefinedLater = (error: unknown, { kind, name }: ResourceId, { plan, context }: Run): boolean =>
  context.eager !== true &&
  refusalIn(error)?.status === 404 &&
  hazardsOf(plan).some((hazard) => hazard.kind === 'kind-before-crd' && hazard.resource === `${kind}/${name}`);

const definesKind = ({ apiVersion, kind }: Pick<ResourceId, 'apiVersion' | 'kind'>, plan: Plan): boolean =>
  objectsSentBy(plan).some((object) => {
    const spec = object['spec'] as { group?: string; names?: { kind?: string } } | undefined;
    return isCrd(object) && spec?.group === groupOf(apiVersion) && spec.names?.kind === kind;
  });

const isOfWebhook = (failure: ApiFailure, plan: Plan): boolean => {
  const unanswered = unansweredWebhook(failure);
  return unanswered !== undefined && isOfPlan(unanswered, plan);
};

/** Whether a webhook did not answer that nothing in the plan brings, so that no step of it makes it answer. */
export const isOfForeignWebhook = (failure: ApiFailure, plan: Plan): boolean => {
  const unanswered = unansweredWebhook(failure);
  return unanswered !== undefined && !isOfPlan(unanswered, plan);
};

/** Whether a webhook is one of the plan. Operators register their webhooks themselves, so the Service counts too. */
function isOfPlan({ webhook, service }: NonNullable<ReturnType<typeof unansweredWebhook>>, plan: Plan): boolean {
  return objectsSentBy(plan).some(
    (object) =>
      (object.kind === 'Service' && object.metadata.name === service) ||
      (webhook !== undefined && webhooksOf(object).includes(webhook)),
  );
}

function webhooksOf(object: KubernetesObject): readonly (string | undefined)[] {
  if (!object.kind.endsWith('WebhookConfiguration')) return [];
  const webhooks = (object['webhooks'] ?? []) as readonly { readonly name?: string }[];
  return webhooks.map(({ name }) => name);
}
