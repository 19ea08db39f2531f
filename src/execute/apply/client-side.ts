import { isApiError } from '../../cluster/api-error.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { equalJson } from '../../support/json.ts';
import type { Run } from '../context.ts';
import { keptByRules, reportChoices } from './by-rules.ts';
import { retryOnConflict } from './on-conflict.ts';
import type { Target } from './targets.ts';
import { isBeingDeleted } from './terminating.ts';
import { threeWayPatch } from './three-way.ts';

/** Told of what sending an object came to, if not to a change. */
export interface SendOutcome {
  readonly onCreated?: () => void;
  readonly onUnchanged?: () => void;
  /** It is there and is being deleted: the change would go with it. */
  readonly onDying?: () => void;
}

/**
 * Creates an object with POST, or brings the live one to the new state without server-side apply: by a patch made from
 * the old manifest, the new one and the live object, or by replacing it (--force-replace). `--server-side=false`. Returns
 * the object as it was written; undefined where it is being deleted.
 */
export async function applyClientSide(
  target: Target,
  { isThere, onCreated, onUnchanged, onDying }: SendOutcome & { readonly isThere: boolean },
  run: Run,
): Promise<KubernetesObject | undefined> {
  return retryOnConflict(async () => {
    const live = isThere ? await run.cluster.get(target.id, { signal: run.signal }) : undefined;
    if (live === undefined) {
      const created = await createNew(target, run);
      onCreated?.();
      return created;
    }
    if (isBeingDeleted(live)) {
      onDying?.();
      return undefined;
    }
    const { object, left } = keptByRules(target, live, run.context.fieldRules);
    const sent = { ...target, object };
    const written = await (run.context.forceReplace === true ? putInPlace : patchLive)(sent, live, run);
    reportChoices(target.id, { left, taken: [] }, run);
    if (isSameState(written, live)) onUnchanged?.();
    return written;
  }, run);
}

/** Whether nothing was written; an object that is stored anew as it was has a new version all the same. */
export const isSameState = (written: KubernetesObject, live: KubernetesObject): boolean =>
  equalJson(withVersion(written, live.metadata.resourceVersion), live);

const withVersion = ({ metadata, ...object }: KubernetesObject, resourceVersion: string | undefined) => ({
  ...object,
  metadata: { ...metadata, resourceVersion },
});

function createNew({ object }: Target, run: Run): Promise<KubernetesObject> {
  const options = { signal: run.signal, fieldManager: 'helm' };
  return run.cluster.create(object, options);
}

function putInPlace({ object }: Target, live: KubernetesObject, run: Run): Promise<KubernetesObject> {
  const { resourceVersion } = live.metadata;
  const replacement = { ...object, metadata: { ...object.metadata, resourceVersion } };
  const fieldValidation = run.context.fieldValidation ?? 'Strict';
  const options = { signal: run.signal, fieldManager: 'helm', fieldValidation };
  return namingStep('failed to replace object', () => run.cluster.replace(replacement, options));
}

async function patchLive({ id, object }: Target, live: KubernetesObject, run: Run): Promise<KubernetesObject> {
  const original = run.context.originals?.get(objectKey(id)) ?? object;
  const patch = threeWayPatch(original, object, live);
  if (patch === undefined) return live;
  const guarded = guardedBy(live.metadata.resourceVersion, patch);
  const options = { signal: run.signal, fieldManager: 'helm' };
  return namingStep(`cannot patch "${id.name}" with kind ${id.kind}`, () =>
    run.cluster.patch(id, 'merge', guarded, options),
  );
}

/** The patch was made from what the object was at this version: if it has changed since, it has to be made again. */
const guardedBy = (resourceVersion: string | undefined, patch: Record<string, unknown>): object => ({
  ...patch,
  metadata: { ...(patch['metadata'] as object | undefined), resourceVersion },
});

async function namingStep<T>(step: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    if (!isApiError(cause)) throw cause;
    throw new TshelmError('apply-failed', {
      message: `${step}: ${cause.message}`,
      details: { reason: cause.failure.reason, status: cause.failure.status },
      cause,
    });
  }
}
