import { isApiError } from '../../../cluster/api-error.ts';
import { labelSelectorOf } from '../../../cluster/fields.ts';
import type { Cluster } from '../../../cluster/types.ts';
import { isSameQuantity, quantityOf } from '../../../go/quantity.ts';
import { listOf } from '../../../manifest/fields.ts';
import type { PersistentVolumeClaim, Pod, StatefulSet } from '../../../manifest/kubernetes.ts';
import { idOf } from '../../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../../manifest/types.ts';
import { withoutDump } from '../../../problem/foreign/api-status.ts';

interface Asking {
  readonly cluster: Cluster;
  readonly signal?: AbortSignal | undefined;
}

/** A claim of a StatefulSet's pod that is to ask for more, as its template does. */
export interface ClaimGrowth {
  readonly id: ResourceId;
  readonly storage: string;
  readonly live: KubernetesObject;
  /** As the server would make it. */
  readonly result: KubernetesObject;
}

/** What becomes of the claims that a StatefulSet's pods have. */
export interface ClaimChanges {
  readonly grown: readonly ClaimGrowth[];
  /** For people, of each claim that differs from its template. */
  readonly notes: readonly string[];
}

const noChanges: ClaimChanges = { grown: [], notes: [] };

/**
 * Which claims of a StatefulSet's pods follow new `volumeClaimTemplates`: a claim can only grow, and only where its
 * StorageClass allows it, which the API server says to a dry run. No claim is deleted: what does not follow is reported.
 */
export async function claimChanges(
  { object, id }: { readonly object: KubernetesObject; readonly id: ResourceId },
  { cluster, signal }: Asking,
): Promise<ClaimChanges> {
  const templates = listOf((object as StatefulSet).spec?.volumeClaimTemplates);
  if (id.kind !== 'StatefulSet' || templates.length === 0) return noChanges;
  const options = { namespace: id.namespace, signal };
  const claims = await unlessRefused(() => cluster.list('v1', 'PersistentVolumeClaim', options));
  if ('refused' in claims)
    return { grown: [], notes: [`its PersistentVolumeClaims cannot be read: ${claims.refused}`] };
  const found = templates.flatMap((template) =>
    (claims as readonly PersistentVolumeClaim[])
      .filter(({ metadata }) => isOrdinal(metadata.name, `${template.metadata?.name}-${id.name}-`))
      .map((claim) => ({ claim, wanted: template.spec })),
  );
  const changes = await Promise.all(found.map((one) => changeOfClaim(one, { cluster, signal })));
  return { grown: changes.flatMap(({ grown }) => grown), notes: changes.flatMap(({ notes }) => notes) };
}

interface FoundClaim {
  readonly claim: PersistentVolumeClaim;
  readonly wanted: PersistentVolumeClaim['spec'];
}

async function changeOfClaim({ claim, wanted }: FoundClaim, asking: Asking): Promise<ClaimChanges> {
  const name = `PersistentVolumeClaim/${claim.metadata.name}`;
  const [has, storage] = [claim.spec, wanted].map((spec) => spec?.resources?.requests?.['storage']);
  const keepsClass =
    wanted?.storageClassName !== undefined && wanted.storageClassName !== claim.spec?.storageClassName
      ? [`${name} keeps its StorageClass ${claim.spec?.storageClassName ?? ''}`]
      : [];
  if (storage === undefined || storage === null || isSameQuantity(storage, has))
    return { grown: [], notes: keepsClass };
  // Where a growth is not realised yet, the API server would accept a size between what is there and what was asked for.
  if (isLess(storage, has)) return { grown: [], notes: [...keepsClass, `${name} keeps ${has}: ${storage} is less`] };
  const id = { ...idOf(claim), apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
  const tried = await unlessRefused(() => growClaim({ id, storage }, asking, true));
  if ('refused' in tried) return { grown: [], notes: [...keepsClass, `${name} keeps ${has}: ${tried.refused}`] };
  return {
    grown: [{ id, storage, live: claim, result: tried as KubernetesObject }],
    notes: [...keepsClass, `${name} grows from ${has} to ${storage}`],
  };
}

function isLess(wanted: string, has: unknown): boolean {
  const [next, now] = [quantityOf(wanted), quantityOf(has)];
  return next !== undefined && now !== undefined && next < now;
}

export const growClaim = (
  { id, storage }: Pick<ClaimGrowth, 'id' | 'storage'>,
  { cluster, signal }: Asking,
  dryRun?: boolean,
): Promise<KubernetesObject> =>
  cluster.patch(
    id,
    'merge',
    { spec: { resources: { requests: { storage } } } },
    { signal, fieldManager: 'helm', dryRun },
  );

/** What the server answers, or why it refuses. */
async function unlessRefused<T>(task: () => Promise<T>): Promise<T | { readonly refused: string }> {
  try {
    return await task();
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { refused: withoutDump(error.message) };
  }
}

const isOrdinal = (name: string, prefix: string): boolean =>
  name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length));

/** Whether pods of the one StatefulSet may have labels that the other does not choose: it could not create its own beside them. */
export const choosesOthers = (old: KubernetesObject, next: KubernetesObject): boolean =>
  old.kind === 'StatefulSet' && Object.entries(labelsOf(next)).some(([key, value]) => labelsOf(old)[key] !== value);

/** For people: the pods that go although their StatefulSet is deleted without them. */
export async function noteOfPods(old: KubernetesObject, next: KubernetesObject, asking: Asking): Promise<string[]> {
  if (!choosesOthers(old, next)) return [];
  const pods = await unlessRefused(() => podsNotChosen(old, next, asking));
  if ('refused' in pods)
    return [`pods that the new selector does not choose are deleted; they cannot be read: ${pods.refused}`];
  const [only, ...others] = pods.map(({ metadata }) => `Pod/${metadata.name}`).sort();
  if (only === undefined) return [];
  if (others.length === 0) return [`${only} is deleted, since the new selector does not choose it`];
  const named = [only, ...others].slice(0, namedPods).join(', ');
  const more = pods.length > namedPods ? ` and ${pods.length - namedPods} more` : '';
  return [`${named}${more} are deleted, since the new selector does not choose them`];
}

const namedPods = 3;

/** Deletes pods that a StatefulSet left when it was deleted without them: its successor could not create its own beside them. */
export async function clearPodsOf(old: KubernetesObject, next: KubernetesObject, asking: Asking): Promise<void> {
  if (!choosesOthers(old, next)) return;
  const { cluster, signal } = asking;
  for (const pod of await podsNotChosen(old, next, asking)) {
    const id = { ...idOf(pod), apiVersion: 'v1', kind: 'Pod' };
    await cluster.delete(id, { uid: pod.metadata.uid, signal });
  }
}

/**
 * The pods of a StatefulSet that its successor does not choose, and whose names its own would have. Pods of another
 * controller are nobody's business.
 */
async function podsNotChosen(old: KubernetesObject, next: KubernetesObject, asking: Asking): Promise<readonly Pod[]> {
  const { cluster, signal } = asking;
  const { name } = next.metadata;
  const namespace = next.metadata.namespace ?? old.metadata.namespace;
  const pods = await cluster.list('v1', 'Pod', { namespace, labelSelector: labelSelectorOf(labelsOf(old)), signal });
  return (pods as readonly Pod[]).filter(
    ({ metadata }) =>
      isOrdinal(metadata.name, `${name}-`) &&
      !(metadata.ownerReferences ?? []).some(({ controller, uid }) => controller && uid !== old.metadata.uid) &&
      Object.entries(labelsOf(next)).some(([key, value]) => metadata.labels?.[key] !== value),
  );
}

const labelsOf = (set: KubernetesObject): Readonly<Record<string, string>> =>
  ((set as StatefulSet).spec?.selector?.matchLabels ?? {}) as Readonly<Record<string, string>>;
