import { isApiError } from '../cluster/api-error.ts';
import { groupOf, objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../manifest/types.ts';
import { applyWaves } from '../plan/waves.ts';
import { settleAll } from '../support/concurrency.ts';
import { messageOf } from '../support/errors.ts';
import { pause, systemTimers } from '../support/timers.ts';
import { applyClientSide } from './client-side.ts';
import { whileComingUp } from './coming-up.ts';
import { mayBegin, type Run } from './context.ts';
import { applyFailure, joinFailures, withPrefix } from './failures.ts';
import { upgradeFieldManager } from './field-manager.ts';
import { type Owner, withOwner } from './ownership.ts';
import { type DeclaredKinds, isCrd, resolveTargets, type Target } from './targets.ts';
import { awaitEstablished } from './waits.ts';
import { withWayOut } from './way-out.ts';

const quotaRetries = 4;
const quotaRetryMs = 10;

/**
 * Applies the resources of one batch, wave by wave; what is in a wave goes together. All of a wave is tried, so that its
 * mistakes are seen together; after a failure no further wave begins. Returns what was applied.
 */
export async function applyResources(
  manifests: readonly Manifest[],
  declared: DeclaredKinds,
  run: Run,
): Promise<readonly Target[]> {
  const owner: Owner = { release: run.plan.release, namespace: run.plan.namespace };
  const where = { cluster: run.cluster, namespace: run.plan.namespace, signal: run.signal };
  const applied: Target[] = [];
  for (const wave of applyWaves(manifests)) {
    const targets = await resolveTargets(largestCrdsFirst(wave), where, declared);
    const owned = targets.map(({ id, object }) => ({ id, object: withOwner(object, owner) }));
    const { errors } = await settleAll(owned.map((target) => () => run.limit(() => applyTarget(target, run))));
    if (errors.length > 0) throw joinFailures(errors);
    applied.push(...owned);
    await awaitOwnCrds(owned, manifests, run);
  }
  return applied;
}

/**
 * The API server takes up CRDs one after another and needs up to a second for a large one: they are its longest work,
 * so it begins with them, and everything else goes along.
 */
function largestCrdsFirst(wave: readonly Manifest[]): readonly Manifest[] {
  const crds = wave.filter(({ object }) => isCrd(object)).sort((a, b) => b.text.length - a.text.length);
  return crds.length === 0 ? wave : [...crds, ...wave.filter(({ object }) => !isCrd(object))];
}

/** CRDs must be established before objects of their kinds are sent; CRDs that nothing of the batch uses need not be waited for. */
async function awaitOwnCrds(wave: readonly Target[], manifests: readonly Manifest[], run: Run): Promise<void> {
  const used = new Set(manifests.map(({ object }) => `${groupOf(object.apiVersion)}/${object.kind}`));
  const crds = wave.filter(({ object }) => isCrd(object) && used.has(kindDefinedBy(object)));
  if (crds.length > 0) await awaitEstablished(crds, run);
}

function kindDefinedBy(crd: KubernetesObject): string {
  const spec = crd['spec'] as { group?: string; names?: { kind?: string } } | undefined;
  return `${spec?.group}/${spec?.names?.kind}`;
}

async function applyTarget(target: Target, run: Run): Promise<void> {
  await mayBegin(run);
  const { id } = target;
  const isThere = run.context.existing?.has(objectKey(id)) ?? false;
  run.onEvent({ kind: 'resource', id, state: 'applying' });
  if (!isThere) run.context.onCreate?.(id);
  try {
    await whileComingUp(
      () => retryOnQuota(() => send(target, isThere, run), run),
      id,
      run,
      (reason) => run.onEvent({ kind: 'resource', id, state: 'waiting', reason }),
    );
  } catch (cause) {
    const refused = applyFailure(id, cause, run.context.applyMethod === 'csa');
    const failure = withWayOut(id, stepOf(isThere, run, refused), run.context);
    run.onEvent({ kind: 'resource', id, state: 'failed', reason: messageOf(failure) });
    throw failure;
  }
  run.onEvent({ kind: 'resource', id, state: isThere ? 'configured' : 'created' });
}

/** Helm says so where something new fails among what is changed (kube.Client.update). */
function stepOf(isThere: boolean, { plan, context }: Run, failure: unknown): unknown {
  const isChange = plan.action !== 'install' || (context.existing?.size ?? 0) > 0;
  return isThere || !isChange ? failure : withPrefix('failed to create resource', failure);
}

async function send({ id, object }: Target, isThere: boolean, run: Run): Promise<void> {
  const { context, cluster, signal } = run;
  const fieldValidation = context.fieldValidation ?? 'Strict';
  if (!object.metadata.name) {
    await cluster.create(object, { signal, fieldManager: 'helm', fieldValidation });
  } else if (context.applyMethod === 'csa') {
    await applyClientSide({ id, object }, isThere, run);
  } else {
    if (isThere && context.upgradeFieldManager) await upgradeFieldManager(id, run);
    const force = isThere && context.forceConflicts === true;
    await cluster.apply(object, { signal, fieldManager: 'helm', fieldValidation, force, metadataOnly: true });
  }
}

/** Tries again where a ResourceQuota is updated by somebody else at the same moment, as Helm does. */
async function retryOnQuota(task: () => Promise<void>, run: Run): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await task();
    } catch (error) {
      if (!isQuotaConflict(error) || tries >= quotaRetries) throw error;
      await pause(run.cluster.timers ?? systemTimers, quotaRetryMs, run.signal);
    }
  }
}

const isQuotaConflict = (error: unknown): boolean =>
  isApiError(error, 'Conflict') &&
  error.message.includes('Operation cannot be fulfilled on resourcequotas') &&
  error.message.includes('the object has been modified');
