import { isApiError } from '../../cluster/api-error.ts';
import { idOf, objectKey } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import { settleAll } from '../../support/concurrency.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { Run } from '../context.ts';
import { joinFailures } from '../failures.ts';
import { awaitEstablished } from '../waits.ts';
import { applyClientSide } from './client-side.ts';
import { upgradeFieldManager } from './field-manager.ts';
import { isCrd, resolveTargets, type Target } from './targets.ts';

/**
 * Applies the objects of `crds/` and waits until the kinds are served; those among the context's `existing` are updated.
 * They get no ownership metadata, and no release ever deletes them. Follows Install.installCRDs.
 */
export async function installCrds(manifests: readonly Manifest[], run: Run): Promise<void> {
  const where = { cluster: run.cluster, namespace: run.plan.namespace, signal: run.signal };
  const targets = await resolveTargets(largestFirst(manifests), where);
  const { errors } = await settleAll(targets.map((target) => () => run.limit(() => installCrd(target, run))));
  if (errors.length > 0) throw joinFailures(errors);
  const crds = targets.filter(({ object }) => isCrd(object));
  if (crds.length > 0) await awaitEstablished(crds, run);
}

/** What takes the API server longest begins first. */
const largestFirst = (manifests: readonly Manifest[]): readonly Manifest[] =>
  [...manifests].sort((a, b) => b.text.length - a.text.length);

async function installCrd({ id, object }: Target, run: Run): Promise<void> {
  const { onEvent } = run;
  onEvent({ kind: 'resource', id, state: 'applying' });
  try {
    await send({ id, object }, run);
  } catch (cause) {
    if (isApiError(cause, 'AlreadyExists')) return onEvent({ kind: 'resource', id, state: 'unchanged' });
    onEvent({ kind: 'resource', id, state: 'failed', reason: messageOf(cause) });
    throw new TshelmError('crd-failed', {
      message: `failed to install CRD ${idOf(object).name}: ${messageOf(cause)}`,
      details: { ...id },
      cause,
    });
  }
  onEvent({ kind: 'resource', id, state: 'configured' });
}

async function send({ id, object }: Target, run: Run): Promise<void> {
  const { context, cluster, signal } = run;
  const fieldValidation = context.fieldValidation ?? 'Strict';
  const options = { signal, fieldManager: 'helm', fieldValidation, metadataOnly: true };
  const isThere = context.existing?.has(objectKey(id)) ?? false;
  if (context.applyMethod === 'csa') {
    await (isThere ? applyClientSide({ id, object }, true, run) : cluster.create(object, options));
    return;
  }
  if (isThere) await upgradeFieldManager(id, run);
  await cluster.apply(object, { ...options, force: context.forceConflicts === true });
}
