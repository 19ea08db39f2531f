import { isApiError } from '../cluster/api-error.ts';
import { objectKey } from '../manifest/resource-id.ts';
import { TshelmError } from '../support/errors.ts';
import type { Run } from './context.ts';
import type { Target } from './targets.ts';
import { threeWayPatch } from './three-way.ts';

const createRetries = 4;

/**
 * Creates an object with POST, or brings a live one to the new state without server-side apply: by a merge patch between
 * the old manifest, the new one and the live object, or by replacing it (--force-replace). `--server-side=false`.
 */
export async function applyClientSide(target: Target, isThere: boolean, run: Run): Promise<void> {
  const { cluster, signal, context } = run;
  const options = { signal, fieldManager: 'helm' };
  if (!isThere) {
    await retryOnConflict(() => cluster.create(target.object, options));
    return;
  }
  const live = await cluster.get(target.id, { signal });
  if (live === undefined) {
    await retryOnConflict(() => cluster.create(target.object, options));
  } else if (context.forceReplace === true) {
    const fieldValidation = context.fieldValidation ?? 'Strict';
    const { resourceVersion } = live.metadata;
    const object = { ...target.object, metadata: { ...target.object.metadata, resourceVersion } };
    await namingStep('failed to replace object', () => cluster.replace(object, { ...options, fieldValidation }));
  } else {
    const original = context.originals?.get(objectKey(target.id)) ?? target.object;
    const patch = threeWayPatch(original, target.object, live);
    if (patch === undefined) return;
    const { name, kind } = target.id;
    await namingStep(`cannot patch "${name}" with kind ${kind}`, () =>
      cluster.patch(target.id, patch.type, patch.body, options),
    );
  }
}

async function retryOnConflict(task: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await task();
      return;
    } catch (error) {
      if (!isApiError(error, 'Conflict') || tries >= createRetries) throw error;
    }
  }
}

async function namingStep(step: string, task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch (cause) {
    if (!isApiError(cause)) throw cause;
    throw new TshelmError('apply-failed', {
      message: `${step}: ${cause.message}`,
      details: { reason: cause.failure.reason, status: cause.failure.status },
      cause,
    });
  }
}
