import { annotations } from '../../manifest/annotations.ts';
import { parseManifest } from '../../manifest/parse.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import type { Hook, KubernetesObject } from '../../manifest/types.ts';
import { isProtected } from '../../plan/keep.ts';
import { settleAll } from '../../support/concurrency.ts';
import { findExisting } from '../apply/existing.ts';
import type { Owner } from '../apply/ownership.ts';
import { isCrd, resolveServed, type Target } from '../apply/targets.ts';
import type { Run } from '../context.ts';
import { joinFailures } from '../failures.ts';
import { deleteTarget } from '../remove.ts';
import { awaitDeleted } from '../waits.ts';

/**
 * The objects of a release's hooks that are still in the cluster. Hooks carry no ownership metadata; an object that
 * carries another release's is that one's.
 */
export async function findHookObjects(hooks: readonly Hook[], owner: Owner, run: Run): Promise<readonly Target[]> {
  const { cluster, limit, signal } = run;
  const manifests = hooks.map((hook) => parseManifest(hook.manifest, hook.path));
  const targets = await resolveServed(manifests, { cluster, namespace: owner.namespace, signal });
  const named = new Map(targets.filter(({ id }) => id.name !== '').map((target) => [objectKey(target.id), target]));
  const { objects } = await findExisting(
    [...named.values()].map(({ id }) => id),
    { cluster, limit, signal },
  );
  return [...named].flatMap(([key, target]) => {
    const live = objects.get(key);
    return live === undefined || isOthers(live, owner) ? [] : [target];
  });
}

function isOthers({ metadata }: KubernetesObject, { release, namespace }: Owner): boolean {
  const { [annotations.releaseName]: name, [annotations.releaseNamespace]: place } = metadata.annotations ?? {};
  return name !== undefined && (name !== release || place !== namespace);
}

/** Whether `--delete-hooks` deletes a hook's object: CRDs stay, because too much would go with them. */
export const isDeletableHook = ({ object }: Target): boolean => !isCrd(object) && !isProtected(object);

/** Deletes hook objects; unless the plan waits for hooks only, until they are gone. */
export async function deleteHookObjects(
  targets: readonly Target[],
  run: Run,
  { isAwaited = run.plan.strategy !== 'hookOnly' }: { readonly isAwaited?: boolean } = {},
): Promise<void> {
  const { errors } = await settleAll(targets.map((target) => () => run.limit(() => deleteTarget(target, run))));
  if (errors.length > 0) throw joinFailures(errors);
  if (isAwaited) await awaitDeleted(targets, run.timeoutMs, run);
}
