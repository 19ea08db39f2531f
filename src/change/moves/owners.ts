import type { Cluster } from '../../cluster/types.ts';
import { findExisting } from '../../execute/apply/existing.ts';
import { upgradeFieldManager } from '../../execute/apply/field-manager.ts';
import { ownerOf } from '../../execute/apply/ownership.ts';
import { resolveServed } from '../../execute/apply/targets.ts';
import { defaultConcurrency } from '../../execute/context.ts';
import { annotations, managedByHelm, managedByLabel } from '../../manifest/annotations.ts';
import { idAlone, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest, ResourceId } from '../../manifest/types.ts';
import type { Release, ReleaseId } from '../../release/types.ts';
import { createLimiter, settleAll } from '../../support/concurrency.ts';
import type { Context } from '../context.ts';
import { type MovedObject, sameRelease } from './moves.ts';

/** The objects of these manifests as they are in the cluster, and what becomes of them when they go to another release. */
export async function objectsOf(
  manifests: readonly Manifest[],
  {
    from,
    to,
    namespace,
  }: { readonly from?: ReleaseId | undefined; readonly to: ReleaseId; readonly namespace: string },
  context: Context,
): Promise<readonly MovedObject[]> {
  const targets = await resolveServed(manifests, {
    cluster: await context.cluster(),
    namespace,
    signal: context.signal,
  });
  return ownedAs(
    targets.map(({ id }) => id),
    { from, to },
    context,
  );
}

/** What becomes of these objects when they go from one release to another. */
export async function ownedAs(
  ids: readonly ResourceId[],
  owners: { readonly from?: ReleaseId | undefined; readonly to: ReleaseId },
  { cluster: open, signal }: Context,
): Promise<readonly MovedObject[]> {
  const cluster = await open();
  const limit = createLimiter(defaultConcurrency);
  const { objects, failures } = await findExisting(ids, { cluster, limit, signal, metadataOnly: true });
  const [failure] = failures;
  if (failure !== undefined) throw failure.cause;
  return ids.map((id) => movedObject(idAlone(id), objects.get(objectKey(id)), owners));
}

function movedObject(
  id: ResourceId,
  live: KubernetesObject | undefined,
  { from, to }: { readonly from?: ReleaseId | undefined; readonly to: ReleaseId },
): MovedObject {
  if (live === undefined) return { ...id, state: 'absent' };
  const owner = ownerOf(live);
  const isManaged = live.metadata.labels?.[managedByLabel] === managedByHelm;
  if (sameRelease(owner, to)) return { ...id, owner, state: isManaged ? 'unchanged' : 'changes' };
  return { ...id, owner, state: owner === undefined || sameRelease(owner, from) ? 'changes' : 'foreign' };
}

/**
 * Makes objects that are there belong to a release: Helm's label and annotations change, and nothing else. Where the
 * release is deployed by server-side apply, its manager owns them afterwards, so that the next apply meets no conflict.
 */
export async function transferOwnership(
  { name, namespace, applyMethod }: Pick<Release, 'name' | 'namespace' | 'applyMethod'>,
  objects: readonly MovedObject[],
  context: Context,
): Promise<void> {
  const metadata = ownedBy({ release: name, namespace });
  const due = objects.filter(({ state }) => state === 'changes' || state === 'unchanged');
  await each(due, context, async (object, run) => {
    const id = idAlone(object);
    if (object.state === 'changes') await run.cluster.patch(id, 'merge', { metadata }, { signal: run.signal });
    if (applyMethod === 'ssa') await upgradeFieldManager(id, run);
  });
}

/** Tries what {@link transferOwnership} will send, so that nothing is begun that the API server would refuse. */
export async function tryGiving(to: ReleaseId, objects: readonly MovedObject[], context: Context): Promise<void> {
  const metadata = ownedBy(to);
  const due = objects.filter(({ state }) => state === 'changes');
  await each(due, context, (object, { cluster, signal }) =>
    cluster.patch(idAlone(object), 'merge', { metadata }, { signal, dryRun: true }),
  );
}

const ownedBy = ({ release, namespace }: ReleaseId) => ({
  labels: { [managedByLabel]: managedByHelm },
  annotations: { [annotations.releaseName]: release, [annotations.releaseNamespace]: namespace },
});

/** Makes objects belong to no release. What is gone, or another release's by now, is left alone. */
export async function removeOwnership(
  manifests: readonly Manifest[],
  owner: ReleaseId,
  context: Context,
  { dryRun = false } = {},
): Promise<void> {
  if (manifests.length === 0) return;
  const objects = await objectsOf(manifests, { to: owner, namespace: owner.namespace }, context);
  await putMarksBack(
    objects.map((object) => ({ id: idAlone(object), marks: noMarks })),
    owner,
    context,
    { dryRun },
  );
}

/** The label and the annotations by which Helm knows whose an object is; null for what is not there. */
interface Marks {
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
}

const marksIn = (live: KubernetesObject | undefined): Marks => ({
  labels: { [managedByLabel]: live?.metadata.labels?.[managedByLabel] ?? null },
  annotations: Object.fromEntries(
    [annotations.releaseName, annotations.releaseNamespace].map((key) => [
      key,
      live?.metadata.annotations?.[key] ?? null,
    ]),
  ),
});

export const noMarks: Marks = marksIn(undefined);

export interface MarkedObject {
  readonly id: ResourceId;
  readonly marks: Marks;
}

/** Objects with their marks as they are now. */
export async function markedObjects(ids: readonly ResourceId[], context: Context): Promise<readonly MarkedObject[]> {
  const objects = await liveObjects(ids, context);
  return ids.map((id) => ({ id: idAlone(id), marks: marksIn(objects.get(objectKey(id))) }));
}

/** The uids of objects; '' for those that are not there. */
export async function uidsOf(ids: readonly ResourceId[], context: Context): Promise<readonly string[]> {
  const objects = await liveObjects(ids, context);
  return ids.map((id) => objects.get(objectKey(id))?.metadata.uid ?? '');
}

/** Those of the objects that are there, with nothing but their metadata. */
async function liveObjects(ids: readonly ResourceId[], { cluster: open, signal }: Context) {
  const limit = createLimiter(defaultConcurrency);
  return (await findExisting(ids, { cluster: await open(), limit, signal, metadataOnly: true })).objects;
}

/** Gives objects that belong to a release the marks that they had before. */
export async function putMarksBack(
  objects: readonly MarkedObject[],
  owner: ReleaseId,
  context: Context,
  { dryRun = false } = {},
): Promise<void> {
  const now = await ownedAs(
    objects.map(({ id }) => id),
    { to: owner },
    context,
  );
  const due = objects.filter((_object, index) => sameRelease(now[index]?.owner, owner));
  await each(due, context, ({ id, marks }, { cluster, signal }) =>
    cluster.patch(id, 'merge', { metadata: marks }, { signal, dryRun }),
  );
}

/** Each is begun only while the lock is held; all that have begun come to their end. Errors: the first one. */
async function each<T>(
  items: readonly T[],
  context: Context,
  task: (item: T, run: { readonly cluster: Cluster; readonly signal: AbortSignal | undefined }) => Promise<unknown>,
): Promise<void> {
  const run = { cluster: await context.cluster(), signal: context.signal };
  const limit = createLimiter(defaultConcurrency);
  const send = async (item: T): Promise<void> => {
    await context.lock?.confirm(context.signal);
    await task(item, run);
  };
  const { errors } = await settleAll(items.map((item) => () => limit(() => send(item))));
  if (errors.length > 0) throw errors[0];
}
