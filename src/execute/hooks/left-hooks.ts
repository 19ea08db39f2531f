import { annotations } from '../../manifest/annotations.ts';
import { formatId, objectKey } from '../../manifest/resource-id.ts';
import type { Hook, KubernetesObject } from '../../manifest/types.ts';
import { manifestOfHook } from '../../plan/arrange.ts';
import { isProtected } from '../../plan/keep.ts';
import type { StepOf } from '../../plan/types.ts';
import { settleAll } from '../../support/concurrency.ts';
import { findExisting } from '../apply/existing.ts';
import type { Owner } from '../apply/ownership.ts';
import { isCrd, resolveServed, type Target } from '../apply/targets.ts';
import type { Run } from '../context.ts';
import { joinFailures } from '../failures.ts';
import { remark } from '../remark.ts';
import { deleteTarget } from '../remove.ts';
import { awaitDeleted } from '../waits.ts';

/**
 * Carries out a plan's step of that kind. Hooks are not part of a release's resources: what an uninstall leaves of them is
 * told in a note.
 */
export async function clearHookObjects({ hooks, task }: StepOf<'hook-objects'>, run: Run): Promise<void> {
  // How an uninstall's deletions go on to what they own (--cascade) is said of the release's resources.
  const asUsual = { ...run, context: { ...run.context, propagation: undefined } };
  const { release, namespace } = run.plan;
  const found = await findHookObjects(hooks, { release, namespace }, run);
  if (task === 'delete-overdue') return deleteHookObjects(found, true, asUsual);
  const deleted = task === 'delete' ? found.filter(isDeletableHook) : [];
  await deleteHookObjects(deleted, run.plan.strategy !== 'hookOnly', asUsual);
  const left = found.filter((target) => !deleted.includes(target));
  if (left.length === 0) return;
  const deletable = left.filter(isDeletableHook);
  // CustomResourceDefinitions stay, and what a resource policy keeps. The release is gone: its name finds nothing any more.
  const wayOut =
    deletable.length === 0
      ? []
      : [
          `; ${kubectlText(deletable)} deletes ${deletable.length === left.length ? 'them' : 'the ones that can be deleted'} (an uninstall with `,
          { option: 'deleteHooks' },
          ' deletes hook objects too)',
        ];
  run.onEvent(remark('note', [`hook objects stay in the cluster: ${listOf(left)}`, ...wayOut]));
}

/** One command for each namespace. */
function kubectlText(targets: readonly Target[]): string {
  const commands = [...new Set(targets.map(({ id }) => id.namespace))].map((namespace) => {
    const inside = targets.filter(({ id }) => id.namespace === namespace);
    const names = inside.map(({ id }) => `${id.kind.toLowerCase()}/${id.name}`).join(' ');
    return `\`kubectl delete${namespace === '' ? '' : ` -n ${namespace}`} ${names}\``;
  });
  return commands.join(' and ');
}

const listOf = (targets: readonly Target[]): string => targets.map(({ id }) => formatId(id)).join(', ');

/**
 * The objects of a release's hooks that are still in the cluster. Hooks carry no ownership metadata; an object that
 * carries another release's is that one's.
 */
async function findHookObjects(hooks: readonly Hook[], owner: Owner, run: Run): Promise<readonly Target[]> {
  const { cluster, limit, signal } = run;
  const manifests = hooks.map(manifestOfHook);
  const targets = await resolveServed(manifests, { cluster, namespace: owner.namespace, signal });
  const named = new Map(targets.filter(({ id }) => id.name !== '').map((target) => [objectKey(target.id), target]));
  const { objects } = await findExisting(
    [...named.values()].map(({ id }) => id),
    { cluster, limit, signal },
  );
  return [...named].flatMap(([key, target]) => {
    const live = objects.get(key);
    return live === undefined || belongsToOtherRelease(live, owner) ? [] : [target];
  });
}

function belongsToOtherRelease({ metadata }: KubernetesObject, { release, namespace }: Owner): boolean {
  const { [annotations.releaseName]: name, [annotations.releaseNamespace]: place } = metadata.annotations ?? {};
  return name !== undefined && (name !== release || place !== namespace);
}

/** Whether `--delete-hooks` deletes a hook's object: CRDs stay, because too much would go with them. */
const isDeletableHook = ({ object }: Target): boolean => !isCrd(object) && !isProtected(object);

/** Deletes hook objects together, and waits until they are gone where that `isAwaited`. */
async function deleteHookObjects(targets: readonly Target[], isAwaited: boolean, run: Run): Promise<void> {
  const { errors } = await settleAll(targets.map((target) => () => run.limit(() => deleteTarget(target, run))));
  if (errors.length > 0) throw joinFailures(errors);
  if (isAwaited) await awaitDeleted(targets, run.timeoutMs, run);
}
