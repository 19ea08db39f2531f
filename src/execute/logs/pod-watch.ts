import { allPods, presentPods, RelatedObjects, type SharedWatches } from '../../cluster/diagnosis.ts';
import { groupKindOf } from '../../cluster/fields.ts';
import type { Cluster } from '../../cluster/types.ts';
import type { Pod } from '../../manifest/kubernetes.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';

export interface PodWatchOptions {
  readonly cluster: Cluster;
  readonly watches: SharedWatches;
  readonly signal: AbortSignal;
  /** Pods of older revisions too. */
  readonly isEveryRevision?: boolean | undefined;
  /** Told of a pod each time that something has changed. */
  readonly onPod: (pod: Pod, of: ResourceId) => void;
  readonly onFailure: (text: string, error: unknown) => void;
}

/** An object whose pods are followed. */
export interface FollowedObject {
  readonly id: ResourceId;
  readonly object: KubernetesObject;
  /** What the server answered when it was sent. */
  readonly written?: KubernetesObject | undefined;
}

interface Followed {
  readonly id: ResourceId;
  /** As it was written. */
  readonly written: KubernetesObject;
  live: KubernetesObject | undefined;
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

const podKind: Kind = { apiVersion: 'v1', kind: 'Pod' };
const replicaSetKind: Kind = { apiVersion: 'apps/v1', kind: 'ReplicaSet' };
/** Which pods are of their present revision is in the status of the object, which changes. */
const withRevisions: ReadonlySet<string> = new Set(['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps']);
/** They create their pods themselves. */
const withoutReplicaSets: ReadonlySet<string> = new Set(['Pod', 'Job.batch', 'StatefulSet.apps', 'DaemonSet.apps']);

/** Finds the pods of objects as they come. */
export class PodWatch {
  readonly #options: PodWatchOptions;
  /** By uid. */
  readonly #followed: ReadonlyMap<string, Followed>;
  readonly #kept = new RelatedObjects();

  constructor(targets: readonly FollowedObject[], options: PodWatchOptions) {
    this.#options = options;
    this.#followed = new Map(
      targets.flatMap(({ id, object, written }) => {
        const { uid } = written?.metadata ?? {};
        if (written === undefined || uid === undefined) return [];
        return [[uid, { id, written: { ...object, metadata: written.metadata }, live: undefined }] as const];
      }),
    );
  }

  /** Watches until the signal aborts. What cannot be watched is reported. */
  async untilEnded(): Promise<void> {
    const { onFailure } = this.#options;
    const watches = [...this.#kindsByNamespace()].flatMap(([namespace, kinds]) =>
      [...kinds.values()].map((kind) =>
        this.#watch(kind, namespace).catch((error: unknown) => onFailure(unwatched, error)),
      ),
    );
    await Promise.all(watches);
  }

  /** Looks at everything once, without a watch. */
  async look(): Promise<void> {
    const lists = [...this.#kindsByNamespace()].flatMap(([namespace, kinds]) =>
      [...kinds.values()].map((kind) => this.#list(kind, namespace)),
    );
    const objects = (await Promise.all(lists)).flat();
    // Whose a pod is can be told when what owns it is known.
    const isPod = ({ kind }: KubernetesObject): boolean => kind === 'Pod';
    for (const object of objects.filter((one) => !isPod(one))) this.#changed(object, false);
    for (const pod of objects.filter(isPod)) this.#changed(pod, false);
  }

  /** Looks for pods once more: a watch may be a moment behind. */
  async lookForPods(): Promise<void> {
    const lists = [...this.#kindsByNamespace().keys()].map((namespace) => this.#list(podKind, namespace));
    for (const pod of (await Promise.all(lists)).flat()) this.#changed(pod, false);
  }

  #list({ apiVersion, kind }: Kind, namespace: string): Promise<readonly KubernetesObject[]> {
    const { cluster, signal } = this.#options;
    return cluster.list(apiVersion, kind, { namespace, signal });
  }

  #kindsByNamespace(): ReadonlyMap<string, ReadonlyMap<string, Kind>> {
    const found = new Map<string, Map<string, Kind>>();
    for (const { id } of this.#followed.values()) {
      const kinds = found.get(id.namespace) ?? new Map([['Pod', podKind]]);
      found.set(id.namespace, kinds);
      if (withRevisions.has(groupKindOf(id)) && !this.#options.isEveryRevision) kinds.set(groupKindOf(id), id);
      if (!withoutReplicaSets.has(groupKindOf(id))) kinds.set('ReplicaSet.apps', replicaSetKind);
    }
    return found;
  }

  async #watch({ apiVersion, kind }: Kind, namespace: string): Promise<void> {
    const { cluster, watches, signal } = this.#options;
    for await (const event of watches.watch(cluster, apiVersion, kind, { namespace, signal }))
      if (event.kind !== 'synced') this.#changed(event.object, event.kind === 'gone');
  }

  #changed(object: KubernetesObject, isGone: boolean): void {
    const own = this.#followed.get(object.metadata.uid ?? '');
    if (own !== undefined) own.live = isGone ? undefined : object;
    for (const uid of this.#kept.change(object, isGone)) {
      const followed = this.#followed.get(uid);
      if (followed !== undefined) this.#tellPods(followed);
    }
  }

  #tellPods({ id, written, live }: Followed): void {
    const { onPod, isEveryRevision } = this.#options;
    const around = { related: (object: KubernetesObject) => this.#kept.of(object) };
    const object = live ?? written;
    if (withRevisions.has(groupKindOf(id)) && !isEveryRevision && !isAsNewAs(live, written)) return;
    const pods = isEveryRevision ? allPods(object, around) : presentPods(object, around);
    for (const pod of pods) onPod(pod, id);
  }
}

/** Of what a watch knew before the object was written, nothing follows. */
const isAsNewAs = (live: KubernetesObject | undefined, written: KubernetesObject): boolean =>
  live !== undefined && (live.metadata.generation ?? 0) >= (written.metadata.generation ?? 0);

const unwatched = 'the logs of pods cannot be shown';
