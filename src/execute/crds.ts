import { isApiError } from '../cluster/api-error.ts';
import { idOf } from '../manifest/resource-id.ts';
import type { Manifest } from '../manifest/types.ts';
import { settleAll } from '../support/concurrency.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import type { Run } from './context.ts';
import { joinFailures } from './failures.ts';
import { isCrd, resolveTargets, type Target } from './targets.ts';
import { awaitEstablished } from './waits.ts';

/**
 * Applies the objects of `crds/` and waits until the kinds are served. They get no ownership metadata, and no release
 * ever updates or deletes them. Follows Install.installCRDs.
 */
export async function installCrds(manifests: readonly Manifest[], run: Run): Promise<void> {
  const where = { cluster: run.cluster, namespace: run.plan.namespace, signal: run.signal };
  const targets = await resolveTargets(manifests, where);
  const { errors } = await settleAll(targets.map((target) => () => run.limit(() => installCrd(target, run))));
  if (errors.length > 0) throw joinFailures(errors);
  const crds = targets.filter(({ object }) => isCrd(object));
  if (crds.length > 0) await awaitEstablished(crds, run);
}

async function installCrd({ id, object }: Target, run: Run): Promise<void> {
  const { context, cluster, signal, onEvent } = run;
  const options = { signal, fieldManager: 'helm', fieldValidation: context.fieldValidation ?? 'Strict' };
  onEvent({ kind: 'resource', id, state: 'applying' });
  try {
    if (context.applyMethod === 'csa') await cluster.create(object, options);
    else await cluster.apply(object, { ...options, force: context.forceConflicts === true });
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
