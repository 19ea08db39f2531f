import { isApiError } from '../cluster/api-error.ts';
import type { DeleteOptions } from '../cluster/types.ts';
import { groupOf, objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, Manifest, ResourceId } from '../manifest/types.ts';
import { manifestsOfSteps } from '../plan/arrange.ts';
import { isProtected } from '../plan/keep.ts';
import type { KindWaves, Plan } from '../plan/types.ts';
import { inWaves } from '../plan/waves.ts';
import { settleAll } from '../support/concurrency.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { type Found, findExisting } from './apply/existing.ts';
import { otherOwner, ownershipProblem } from './apply/ownership.ts';
import { resolveServed, type Target } from './apply/targets.ts';
import { checkMayContinue, type Run } from './context.ts';
import { joinFailures } from './failures.ts';
import { onCondition } from './on-condition.ts';

/** An object that a deletion left alone. */
export interface KeptResource {
  readonly id: ResourceId;
  readonly why: 'not-owned' | 'ownership-unknown' | 'policy';
  readonly reason: string;
}

export interface Removal {
  readonly deleted: readonly Target[];
  readonly kept: readonly KeptResource[];
}

/**
 * Deletes the resources of one batch in the waves of its plan. An uninstall spares what does not belong to the release (any more);
 * an upgrade or a rollback spares what the live object's `helm.sh/resource-policy: keep` protects, as Helm does, and what
 * another release has taken since, as Helm does not.
 */
export async function deleteResources(manifests: readonly Manifest[], waves: KindWaves, run: Run): Promise<Removal> {
  const where = { cluster: run.cluster, namespace: run.plan.namespace, signal: run.signal };
  const deleted: Target[] = [];
  const kept: KeptResource[] = [];
  const resolved = await resolveServed(manifests, where, (object) => reportGone(object, run));
  const targets = await withoutApplied(resolved, manifests, run);
  const found = await findExisting(
    targets.map(({ id }) => id),
    run,
  );
  for (const wave of inWaves(targets, ({ object }) => object.kind, waves)) {
    const present = wave.filter((target) => isThere(target, found));
    for (const target of wave)
      if (!isThere(target, found)) run.onEvent({ kind: 'resource', id: target.id, state: 'absent' });
    const keptHere = present.flatMap((target) => keptResources(target, found, run));
    const sparedKeys = new Set(keptHere.map(({ id }) => objectKey(id)));
    const due = present.filter(({ id }) => !sparedKeys.has(objectKey(id)));
    for (const { id, reason } of keptHere) run.onEvent({ kind: 'resource', id, state: 'kept', reason });
    kept.push(...keptHere);
    const { errors } = await settleAll(due.map((target) => () => run.limit(() => deleteTarget(target, run))));
    if (errors.length > 0) throw joinFailures(errors);
    deleted.push(...due);
  }
  return { deleted, kept };
}

function reportGone({ apiVersion, kind, metadata }: KubernetesObject, run: Run): void {
  const text = `the cluster no longer serves ${kind} (${apiVersion}); ${kind}/${metadata.name} counts as deleted`;
  run.onEvent({ kind: 'note', text });
}

/** An object whose kind has moved to another group is not deleted by its old name, if the plan has it by its new one. */
async function withoutApplied(
  targets: readonly Target[],
  manifests: readonly Manifest[],
  run: Run,
): Promise<readonly Target[]> {
  const groups = new Set(manifests.map(({ object }) => groupOf(object.apiVersion)));
  if (targets.every(({ id }) => groups.has(groupOf(id.apiVersion)))) return targets;
  const applied = manifestsOfSteps(run.plan, 'apply');
  const where = { cluster: run.cluster, namespace: run.plan.namespace, signal: run.signal };
  const keys = new Set((await resolveServed(applied, where)).map(({ id }) => objectKey(id)));
  return targets.filter(({ id }) => !keys.has(objectKey(id)));
}

const isThere = ({ id }: Target, found: Found): boolean =>
  found.objects.has(objectKey(id)) || found.failures.some((failure) => failure.id === id);

function keptResources({ id }: Target, found: Found, run: Run): readonly KeptResource[] {
  const failure = found.failures.find((candidate) => candidate.id === id);
  if (failure !== undefined) return [{ id, why: 'ownership-unknown', reason: messageOf(failure.cause) }];
  const live = found.objects.get(objectKey(id));
  const kept = live && whyKept(live, run.plan);
  return kept === undefined ? [] : [{ id, ...kept }];
}

/**
 * Why a change that lets go of a live object leaves it in the cluster; undefined where it is deleted. What an uninstall
 * keeps by policy is no part of its deletion.
 */
export function whyKept(
  live: KubernetesObject,
  { action, release, namespace }: Pick<Plan, 'action' | 'release' | 'namespace'>,
): Pick<KeptResource, 'why' | 'reason'> | undefined {
  const owner = { release, namespace };
  if (action !== 'uninstall' && isProtected(live)) return byPolicy;
  if (action !== 'uninstall' && otherOwner(live, owner) === undefined) return undefined;
  const problem = ownershipProblem(live, owner);
  return problem === undefined ? undefined : { why: 'not-owned', reason: problem };
}

export const byPolicy = { why: 'policy', reason: 'helm.sh/resource-policy: keep' } as const;

/** Deletes one object and reports it; `uid`: only this one of its name. Errors: `delete-failed`. */
export async function deleteTarget(
  { id }: Target,
  run: Run,
  { propagation = propagationOf(run), uid }: Pick<DeleteOptions, 'propagation' | 'uid'> = {},
): Promise<void> {
  await checkMayContinue(run);
  run.onEvent({ kind: 'resource', id, state: 'deleting' });
  try {
    await onCondition(id, run, async (resourceVersion) => {
      await run.cluster.delete(id, { propagation, uid, signal: run.signal, resourceVersion });
    });
  } catch (cause) {
    run.onEvent({ kind: 'resource', id, state: 'failed', reason: messageOf(cause) });
    throw deleteFailure(id, cause);
  }
  run.onEvent({ kind: 'resource', id, state: 'deleted' });
}

/** In an order, what an object owns counts as part of it: a Deployment is gone when its pods are. */
const propagationOf = ({ context, plan }: Run): 'Background' | 'Foreground' | 'Orphan' =>
  context.propagation ?? (plan.strategy === 'ordered' ? 'Foreground' : 'Background');

/** In the words of kube.Client.update. */
function deleteFailure(id: ResourceId, cause: unknown): unknown {
  if (!isApiError(cause)) return cause;
  return new TshelmError('delete-failed', {
    message: `failed to delete resource namespace=${id.namespace}, name=${id.name}, kind=${id.kind}: ${cause.message}`,
    details: { ...id, reason: cause.failure.reason },
    cause,
  });
}
