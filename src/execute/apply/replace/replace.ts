import { refusalIn } from '../../../cluster/api-error.ts';
import { fieldDifferences } from '../../../manifest/field-differences.ts';
import { isNamedAmong, objectKey } from '../../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../../manifest/types.ts';
import { withoutServerState } from '../../../manifest/without-server-state.ts';
import { immutableFields } from '../../../problem/foreign/api-status.ts';
import { howReplaced, whyReplaced } from '../../../words/replacement.ts';
import type { Run } from '../../context.ts';
import { deleteTarget } from '../../remove.ts';
import { reportChoices } from '../by-rules.ts';
import type { Target } from '../targets.ts';
import { awaitGone, isBeingDeleted, type SendOnce, sendUnlessTerminating } from '../terminating.ts';
import { refuseUsedClaim } from './claim-users.ts';
import { type Replacement, replacementFor } from './replacement.ts';
import { choosesOthers, claimChanges, clearPodsOf, growClaim, noteOfPods } from './stateful-set.ts';
import { type Successor, trySuccessor } from './successor.ts';
import { noteOfTrial } from './trial.ts';

interface Sending {
  readonly sendOnce: SendOnce;
  readonly onWaiting: (reason: string) => void;
}

/**
 * Sends an object that the release has already. One that the run names, or that cannot be changed in place, is deleted and
 * created again where somebody has agreed to that (consent.ts). A run that dies between leaves an object that is not there:
 * the next run creates it.
 */
export async function sendOrReplace(target: Target, sending: Sending, run: Run): Promise<void> {
  await clearPodsOfDeleted(target, run);
  const named = await replacementOf(target, undefined, run);
  if (named !== undefined) return replace(target, named, sending, run);
  try {
    await sendUnlessTerminating(target, sending.sendOnce, sending.onWaiting, run);
  } catch (error) {
    const needed = await replacementOf(target, error, run);
    if (needed === undefined) throw error;
    await replace(target, needed, sending, run);
  }
}

/** A run that died may have deleted a StatefulSet, and not yet the pods that its successor does not choose. */
async function clearPodsOfDeleted({ id, object }: Target, run: Run): Promise<void> {
  const { cluster, context, signal } = run;
  const original = context.originals?.get(objectKey(id));
  if (original === undefined || !choosesOthers(original, object)) return;
  if ((await cluster.get(id, { signal })) === undefined) await clearPodsOf(original, object, run);
}

interface Due extends Replacement {
  readonly live: KubernetesObject;
}

/** How an object is replaced: where the run names it, before anything is sent, or else after a refusal. */
async function replacementOf(target: Target, refused: unknown, run: Run): Promise<Due | undefined> {
  const { context, cluster, signal, plan } = run;
  const { replaceRules: rules } = context;
  const refusal = refusalIn(refused);
  const isNamed = rules !== undefined && !rules.isUndoing && isNamedAmong(target.id, rules.named);
  const isForced = refusal !== undefined && immutableFields(refusal).length > 0;
  if (rules === undefined || !(isForced || isNamed)) return undefined;
  const live = await cluster.get(target.id, { signal });
  if (live === undefined || isBeingDeleted(live)) return undefined;
  const owner = { release: plan.release, namespace: plan.namespace };
  const replacement = replacementFor(target, live, { refusal, owner, rules });
  return replacement && { ...replacement, live };
}

async function replace(target: Target, due: Due, { sendOnce, onWaiting }: Sending, run: Run): Promise<void> {
  const { id, object } = target;
  const name = `${id.kind}/${id.name}`;
  await refuseUsedClaim(id, run);
  const successor = await triedSuccessor(target, due.live, run);
  const how = howReplaced(id.kind, choosesOthers(due.live, object) ? 'delete' : due.how);
  const pods = await noteOfPods(due.live, object, run);
  const lost = successor.notes.map((text) => `${name}: ${text}`);
  for (const text of [`${name} is ${how}: ${whyReplaced(due.forcedBy)}`, ...pods, ...lost])
    run.onEvent({ kind: 'note', text });
  reportChoices(id, { left: successor.left, taken: [] }, run);
  await growClaims(target, run);
  if (fieldDifferences(object, successor.object).length > 0) await run.context.onReplace?.(asKept(due.live));
  const propagation = due.how === 'orphan' ? 'Orphan' : undefined;
  await deleteTarget(target, run, { propagation, uid: due.live.metadata.uid });
  try {
    await awaitGone(target, run.context.deletionTimeoutMs ?? run.timeoutMs, onWaiting, run);
    await clearPodsOf(due.live, object, run);
    const sendAnew: SendOnce = (attempt) => sendOnce({ ...attempt, isAnew: true, successor: successor.object });
    await sendUnlessTerminating(target, sendAnew, onWaiting, run);
  } catch (error) {
    run.onEvent({
      kind: 'warning',
      text: `${name} was deleted and has not been recreated yet; the next upgrade or rollback creates it`,
    });
    throw error;
  }
}

/** What says which of its fields are left to others, and their values. */
const asKept = (live: KubernetesObject): KubernetesObject => {
  const { metadata, ...object } = withoutServerState(live);
  return { ...object, metadata: { ...metadata, managedFields: live.metadata['managedFields'] } } as KubernetesObject;
};

async function triedSuccessor(target: Target, live: KubernetesObject, run: Run): Promise<Successor> {
  const { fieldValidation, fieldRules } = run.context;
  try {
    return await trySuccessor(target, live, { ...run, fieldValidation, fieldRules });
  } catch (error) {
    const { kind, name } = target.id;
    const note = noteOfTrial(error, name);
    if (note !== undefined) run.onEvent({ kind: 'warning', text: `${kind}/${name} is not replaced: ${note}` });
    throw error;
  }
}

async function growClaims(target: Target, run: Run): Promise<void> {
  const { grown, notes } = await claimChanges(target, run);
  for (const text of notes) run.onEvent({ kind: 'note', text });
  for (const growth of grown) {
    await growClaim(growth, run);
    run.onEvent({ kind: 'resource', id: growth.id, state: 'configured' });
  }
}
