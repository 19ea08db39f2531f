import { isApiError } from '../../cluster/api-error.ts';
import { idOf, objectKey } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import type { StepOf } from '../../plan/types.ts';
import { settleAll } from '../../support/concurrency.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { type Run, validationOfUnchecked } from '../context.ts';
import { joinFailures } from '../failures.ts';
import { awaitEstablished } from '../waits.ts';
import { applyClientSide, type SendOutcome } from './client-side.ts';
import { upgradeFieldManager } from './field-manager.ts';
import { isCrd, resolveTargets, type Target } from './targets.ts';
import { isBeingDeleted, type SendOnce, sendUnlessTerminating } from './terminating.ts';

/**
 * Applies the objects of `crds/` and waits until the kinds are served; those that are there already are updated.
 * They get no ownership metadata, and no release ever deletes them. Follows Install.installCRDs.
 */
export async function installCrds({ manifests, existing }: StepOf<'install-crds'>, run: Run): Promise<void> {
  const where = { cluster: run.cluster, namespace: run.plan.namespace, signal: run.signal };
  const targets = await resolveTargets(largestFirst(manifests), where);
  const isThere = ({ id }: Target): boolean => existing?.has(objectKey(id)) ?? false;
  const { errors } = await settleAll(
    targets.map((target) => () => run.limit(() => installCrd(target, isThere(target), run))),
  );
  if (errors.length > 0) throw joinFailures(errors);
  const crds = targets.filter(({ object }) => isCrd(object));
  if (crds.length > 0) await awaitEstablished(crds, run);
}

/** What takes the API server longest begins first. */
const largestFirst = (manifests: readonly Manifest[]): readonly Manifest[] =>
  [...manifests].sort((a, b) => b.text.length - a.text.length);

async function installCrd({ id, object }: Target, isThere: boolean, run: Run): Promise<void> {
  const { onEvent } = run;
  onEvent({ kind: 'resource', id, state: 'applying' });
  let state: 'created' | 'configured' | 'unchanged' = 'configured';
  const outcome: SendOutcome = { onCreated: () => (state = 'created'), onUnchanged: () => (state = 'unchanged') };
  const sendOnce: SendOnce = ({ isAnew, onDying }) =>
    send({ id, object }, { ...outcome, isThere: isThere && !isAnew, onDying }, run);
  try {
    await sendUnlessTerminating(
      { id, object },
      sendOnce,
      (reason) => onEvent({ kind: 'resource', id, state: 'waiting', reason }),
      run,
    );
  } catch (cause) {
    if (isApiError(cause, 'AlreadyExists')) return onEvent({ kind: 'resource', id, state: 'unchanged' });
    onEvent({ kind: 'resource', id, state: 'failed', reason: messageOf(cause) });
    throw new TshelmError('crd-failed', {
      message: `failed to install CRD ${idOf(object).name}: ${messageOf(cause)}`,
      details: { ...id },
      cause,
    });
  }
  onEvent({ kind: 'resource', id, state });
}

async function send(
  { id, object }: Target,
  { isThere, ...outcome }: SendOutcome & { readonly isThere: boolean },
  run: Run,
): Promise<void> {
  const { context, cluster, signal } = run;
  const fieldValidation = validationOfUnchecked(context);
  const options = { signal, fieldManager: 'helm', fieldValidation, metadataOnly: true };
  if (context.applyMethod === 'csa') {
    if (isThere) return void (await applyClientSide({ id, object }, { isThere, ...outcome }, run));
    await cluster.create(object, options);
    return outcome.onCreated?.();
  }
  if (isThere) await upgradeFieldManager(id, run);
  const force = context.forceConflicts === true || context.takesOver?.(id) === true;
  const written = await cluster.apply(object, { ...options, ...outcome, force });
  if (isBeingDeleted(written)) outcome.onDying?.();
}
