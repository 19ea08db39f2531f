import { isApiError, isFieldConflict } from '../../cluster/api-error.ts';
import { isAwaitedFromWritten } from '../../cluster/wait.ts';
import { type FieldRule, rulesOf } from '../../manifest/field-rules.ts';
import { itemsOf } from '../../manifest/items.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest, ResourceId } from '../../manifest/types.ts';
import type { KindWaves } from '../../plan/types.ts';
import { inWaves } from '../../plan/waves.ts';
import { settleAll } from '../../support/concurrency.ts';
import { addedDetail, messageOf } from '../../support/errors.ts';
import { groupBy } from '../../support/group-by.ts';
import { pause, systemTimers } from '../../support/timers.ts';
import { factText } from '../../words/fact.ts';
import { checkMayContinue, type Run } from '../context.ts';
import { applyFailure, joinFailures, withPrefix } from '../failures.ts';
import { withProblems } from '../faults.ts';
import { onCondition } from '../on-condition.ts';
import { secretWords } from '../secret-mask.ts';
import { applyByRules, keptOfReplaced, reportChoices } from './by-rules.ts';
import { applyClientSide, isSameState, type SendOutcome } from './client-side.ts';
import { clearFailedJob } from './failed-jobs.ts';
import { upgradeFieldManager } from './field-manager.ts';
import { liveIfImmutable } from './live-if-immutable.ts';
import { retryWhileNotServed } from './not-served-yet.ts';
import { retryOnConflict } from './on-conflict.ts';
import { OwnCrds } from './own-crds.ts';
import { type Owner, withOwner } from './ownership.ts';
import { withFields } from './refused-changes.ts';
import { sendOrReplace } from './replace/replace.ts';
import { type DeclaredKinds, isCrd, resolveTargets, type Target } from './targets.ts';
import { isBeingDeleted, type SendOnce, sendUnlessTerminating } from './terminating.ts';

const quotaRetries = 4;
const quotaRetryMs = 10;

/**
 * Applies the resources of one batch in the waves of its plan; what is in a wave goes together, and CRDs on their own. All of a wave
 * is tried, so that its mistakes are seen together; after a failure no further wave begins. Returns what was applied.
 */
export async function applyResources(
  manifests: readonly Manifest[],
  waves: KindWaves,
  declared: DeclaredKinds,
  run: Run,
): Promise<readonly Target[]> {
  const owner: Owner = { release: run.plan.release, namespace: run.plan.namespace };
  const where = { cluster: run.cluster, namespace: run.plan.namespace, signal: run.signal };
  const written = new Map<Target, KubernetesObject | undefined>();
  const applyInTurn = async (target: Target): Promise<void> => {
    written.set(target, await run.limit(() => applyTarget(target, run)));
  };
  const applyAll = async (targets: readonly Target[]): Promise<void> => {
    for (const target of targets) await applyInTurn(target);
  };
  const crds = new OwnCrds(applyInTurn, run);
  const applied: Target[] = [];
  for (const wave of inWaves(manifests, ({ object }) => object.kind, waves)) {
    await crds.awaitKindsOf(wave.flatMap(({ object }) => itemsOf(object)));
    const targets = await resolveTargets(wave, where, declared);
    const owned = targets.map((target) => ({ ...target, object: withOwner(target.object, owner) }));
    const { errors } = await settleAll(byObject(crds.begin(owned)).map((targets) => () => applyAll(targets)));
    if (errors.length > 0 || crds.hasFailed) throw joinFailures([...(await crds.errors()), ...errors]);
    applied.push(...owned);
  }
  const errors = await crds.errors();
  if (errors.length > 0) throw joinFailures(errors);
  return applied.map((target) => ({ ...target, written: written.get(target) }));
}

/** What occurs twice in a release is applied in its order: the last one stays. With generateName each is an object of its own. */
const byObject = (targets: readonly Target[]): readonly Target[][] => [
  ...groupBy(targets, (target): unknown => (target.object.metadata.name ? objectKey(target.id) : target)).values(),
];

/** Returns the object as it was written, where that is needed to wait for it. */
async function applyTarget(given: Target, run: Run): Promise<KubernetesObject | undefined> {
  await checkMayContinue(run);
  const target = await asReplaced(given, run);
  const { id } = target;
  const wasThere = run.context.existing?.has(objectKey(id)) ?? false;
  const isThere = wasThere && !(await clearFailedJob(target, run));
  run.onEvent({ kind: 'resource', id, state: 'applying' });
  if (!isThere) run.context.onCreate?.(id);
  let isNew = !isThere;
  // Somebody has deleted what the release should have, or a run that died has, to replace it.
  const onCreated = (): void => {
    if (isNew) return;
    isNew = true;
    run.context.onCreate?.(id);
    if (run.context.followsUnfinished) return;
    run.onEvent({ kind: 'note', text: `${id.kind}/${id.name} was missing, so it is created again` });
  };
  let isUnchanged = false;
  let written: KubernetesObject | undefined;
  const onWaiting = (reason: string): void => run.onEvent({ kind: 'resource', id, state: 'waiting', reason });
  const sendOnce: SendOnce = async ({ isAnew, successor, onDying }) => {
    // What a failed run created is deleted again, and this was there before.
    if (successor !== undefined) isNew = true;
    if (isAnew) onCreated();
    isUnchanged = false;
    const outcome = { isThere: isThere && !isAnew, onCreated, onUnchanged: () => void (isUnchanged = true), onDying };
    const onceMore = (version: string | undefined): Promise<void> =>
      retryOnQuota(async () => {
        const anew = successor === undefined ? target : { ...target, object: successor };
        written = await send(outcome.isThere ? atVersion(target, version, run) : anew, outcome, run);
      }, run);
    await retryWhileNotServed(() => onCondition(id, run, onceMore), id, run, onWaiting);
  };
  try {
    if (isThere) await sendOrReplace(target, { sendOnce, onWaiting }, run);
    else await sendUnlessTerminating(target, sendOnce, onWaiting, run);
  } catch (cause) {
    const refused = applyFailure(id, cause, run.context.applyMethod === 'csa');
    const wasNew = isNew || (isApiError(cause) && (await isGone(id, run)));
    const failure = withFields(stepOf(wasNew, run, refused));
    const live = await liveIfImmutable(target, cause, run);
    const explained = withProblems(failure, target, { live, words: secretWords(run.plan), context: run.context });
    const facts = (addedDetail(explained, 'problems') ?? []).filter(({ code }) => code !== 'not-sent');
    run.onEvent({
      kind: 'resource',
      id,
      state: 'failed',
      reason: facts.map(({ cause }) => factText(cause)).join('; ') || messageOf(failure),
    });
    throw explained;
  }
  run.onEvent({ kind: 'resource', id, state: isUnchanged ? 'unchanged' : isNew ? 'created' : 'configured' });
  return written;
}

/** An earlier run has deleted the object and not created it anew: its successor keeps what is left to others. */
async function asReplaced(target: Target, run: Run): Promise<Target> {
  const { context, cluster, signal } = run;
  if (!context.replaced?.has(objectKey(target.id))) return target;
  const live = await cluster.get(target.id, { signal });
  if (live !== undefined && !isBeingDeleted(live)) return target;
  const { object, left } = keptOfReplaced(target, context);
  reportChoices(target.id, { left, taken: [] }, run);
  return { ...target, object };
}

/** Whether something that the release should have is not there: it was never created, or somebody deleted it. */
async function isGone(id: ResourceId, { cluster, signal }: Run): Promise<boolean> {
  try {
    return (await cluster.get(id, { signal })) === undefined;
  } catch {
    // The failure of the apply is the one to tell.
    return false;
  }
}

/** Helm says so where something new fails among what is changed (kube.Client.update). */
function stepOf(isNew: boolean, { plan, context }: Run, failure: unknown): unknown {
  const isChange = plan.action !== 'install' || (context.existing?.size ?? 0) > 0;
  return isNew && isChange ? withPrefix('failed to create resource', failure) : failure;
}

/** Server-side apply refuses an object that names a version and has another one by then. Client-side apply names its own. */
const atVersion = (target: Target, resourceVersion: string | undefined, { context }: Run): Target =>
  resourceVersion === undefined || context.applyMethod === 'csa'
    ? target
    : { ...target, object: { ...target.object, metadata: { ...target.object.metadata, resourceVersion } } };

interface Found extends SendOutcome {
  readonly isThere: boolean;
}

async function send(
  { id, object }: Target,
  { isThere, ...outcome }: Found,
  run: Run,
): Promise<KubernetesObject | undefined> {
  const { context, cluster, signal } = run;
  const fieldValidation = context.fieldValidation ?? 'Strict';
  if (!object.metadata.name) {
    await cluster.create(object, { signal, fieldManager: 'helm', fieldValidation });
  } else if (context.applyMethod === 'csa') {
    const written = await applyClientSide({ id, object }, { isThere, ...outcome }, run);
    return isAwaitedFromWritten(id, run.plan.strategy) ? written : undefined;
  } else {
    if (isThere && context.upgradeFieldManager) await upgradeFieldManager(id, run);
    const isForced = isThere && (context.forceConflicts === true || context.takesOver?.(id) === true);
    const before = isThere && isStoredAnew(id) ? await cluster.get(id, { signal }) : undefined;
    const metadataOnly = before === undefined && !isAwaitedFromWritten(id, run.plan.strategy);
    const options = { signal, fieldManager: 'helm', fieldValidation, metadataOnly, ...outcome };
    const apply = (sent: KubernetesObject, force: boolean): Promise<KubernetesObject> =>
      cluster.apply(sent, { ...options, force });
    const rules = isThere ? rulesOf(id, context.fieldRules) : [];
    const written = await (rules.length === 0
      ? apply(object, isForced)
      : sendByRules({ id, object }, { rules, isForced, apply }, run));
    if (before !== undefined && isSameState(written, before)) outcome.onUnchanged?.();
    if (isBeingDeleted(written)) outcome.onDying?.();
    if (!metadataOnly) return written;
    // The rest of a CRD, which may be megabytes, is what was sent.
    if (isCrd(object)) return { ...object, metadata: written.metadata };
  }
  return undefined;
}

/**
 * The API server stores a claim anew, with a new version, when it is applied for the first time after it was created, also
 * where that changes nothing: only what it was before says so.
 */
const isStoredAnew = ({ apiVersion, kind }: ResourceId): boolean =>
  apiVersion === 'v1' && kind === 'PersistentVolumeClaim';

interface SentByRules {
  readonly rules: readonly FieldRule[];
  readonly isForced: boolean;
  readonly apply: (object: KubernetesObject, force: boolean) => Promise<KubernetesObject>;
}

/** What the rules decide by the live object is decided once more where that has changed meanwhile. */
async function sendByRules(
  { id, object }: Target,
  { apply, ...ruled }: SentByRules,
  run: Run,
): Promise<KubernetesObject> {
  const sendOnce = async (): Promise<KubernetesObject> => {
    const live = await run.cluster.get(id, { signal: run.signal });
    if (live === undefined) return apply(object, false);
    const { written, ...choices } = await applyByRules(object, live, ruled, apply);
    reportChoices(id, choices, run);
    return written;
  };
  // Whoever asks for a version looks at the object himself once that has changed.
  return object.metadata.resourceVersion === undefined ? retryOnConflict(sendOnce, run) : sendOnce();
}

/** Tries again where somebody else updates a ResourceQuota at the same moment, as Helm does (retry.RetryOnConflict). */
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

const isQuotaConflict = (error: unknown): boolean => isApiError(error, 'Conflict') && !isFieldConflict(error.failure);
