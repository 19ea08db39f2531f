import type { ClusterPlace, KubernetesObject, ResourceId } from '../manifest/types.ts';
import type { WorkloadFact } from '../problem/workload-fact.ts';
import type { Timers } from '../support/timers.ts';

/** How the API server serves a kind. */
export interface ResourceMapping {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The path segment: `deployments`. */
  readonly plural: string;
  readonly singular?: string | undefined;
  readonly shortNames?: readonly string[] | undefined;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Whether its status is written apart from the rest, by a controller; undefined where nobody asked. */
  readonly hasStatus?: boolean | undefined;
}

export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  /** `v1.36.3` */
  readonly gitVersion: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Says until when a run may write: a run that may have been taken over must send no change any more. */
export interface Fence {
  /** Awaited before each attempt of a write: resolves while the run may write, fails when it may not any more. */
  enter(signal?: AbortSignal): Promise<void>;
  /** Aborts when the attempts that are under way must end. After an {@link enter} it is another one. */
  readonly lapse: AbortSignal;
}

export interface ChangeOptions extends CallOptions {
  /** Sends the change only while this allows it. */
  readonly fence?: Fence | undefined;
}

export interface ApplyOptions extends ChangeOptions {
  /** Default `helm`. */
  readonly fieldManager?: string | undefined;
  readonly force?: boolean | undefined;
  /** Runs admission and validation on the server, stores nothing. */
  readonly dryRun?: boolean | undefined;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
  /** Answers with the metadata alone, where the server can leave out the rest. */
  readonly metadataOnly?: boolean | undefined;
  /** Told when the object was not there, and has been created. */
  readonly onCreated?: (() => void) | undefined;
  /**
   * Told when the object was there already just as it was sent. An object that somebody changed since this connection wrote
   * something the last time may count as changed by this.
   */
  readonly onUnchanged?: (() => void) | undefined;
}

export interface WriteOptions extends ChangeOptions {
  /** Default `helm`. */
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
  /** Answers with the metadata alone, where the server can leave out the rest. */
  readonly metadataOnly?: boolean | undefined;
}

export type PatchType = 'merge' | 'strategic-merge' | 'json' | 'apply';

export interface DeleteOptions extends ChangeOptions {
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  /** Only if the object still has this uid. */
  readonly uid?: string | undefined;
  /** Only if the object has not changed since this resource version. */
  readonly resourceVersion?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  /** Told when the answer says that the object is gone, not that it is going. */
  readonly onGone?: (() => void) | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Objects with their metadata alone, where the server can leave out the rest. */
  readonly metadataOnly?: boolean | undefined;
}

export interface WatchOptions extends ListOptions {
  readonly signal: AbortSignal;
  /** The one object that is watched, as it was written: the watch goes on from there, without a list. */
  readonly from?: KubernetesObject | undefined;
}

/** Items of a list, and the resource version that a watch goes on from. */
export interface ListedObjects {
  readonly items: readonly KubernetesObject[];
  readonly resourceVersion: string;
}

/** One change that a watch reports. `synced` is sent once, when everything that was there has been reported. */
export type WatchEvent =
  | { readonly kind: 'present'; readonly object: KubernetesObject }
  | { readonly kind: 'gone'; readonly object: KubernetesObject }
  | { readonly kind: 'synced' };

/** Which lines of a container's log are read. */
export interface LogOptions extends CallOptions {
  readonly container?: string | undefined;
  readonly tailLines?: number | undefined;
  /** Of the container before its last restart. */
  readonly previous?: boolean | undefined;
}

export interface LogLinesOptions extends LogOptions {
  /** Goes on with the lines that are written from now on, until the container ends. */
  readonly follow?: boolean | undefined;
  /** RFC 3339: only the lines written since then. The kubelet counts whole seconds. */
  readonly sinceTime?: string | undefined;
}

export interface LogLine {
  /** RFC 3339 with nanoseconds, as the container runtime wrote it; '' where it wrote none. */
  readonly time: string;
  readonly text: string;
}

/** Where a pod is. */
export interface PodPlace {
  readonly namespace: string;
  readonly name: string;
}

/** An object as the API server prints it for people: what `kubectl get` shows. */
export interface ObjectTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What an API server tells when it refuses: Kubernetes' Status object in our words. */
export interface ApiFailure {
  readonly status: number;
  /** `NotFound`, `Conflict`, `Forbidden`, `AlreadyExists`, `Invalid`, …; `Unknown` where the server names none. */
  readonly reason: string;
  /** The plural of what it is about, mostly the object itself: `namespaces` where that of the object is not there. */
  readonly about?: string | undefined;
  /** Its name, as the server says it. */
  readonly named?: string | undefined;
  /** The server's own sentence. */
  readonly message: string;
  readonly causes: readonly { readonly field?: string; readonly message?: string; readonly reason?: string }[];
  readonly method: string;
  readonly path: string;
  /** Where it does not know the user. */
  readonly asked?: AskedCluster | undefined;
}

/** Why a kubeconfig names no cluster to ask. */
export type KubeconfigFault =
  | { readonly kind: 'absent'; readonly file: string }
  | { readonly kind: 'unreadable'; readonly file: string }
  | {
      readonly kind: 'no-context';
      readonly files: readonly string[];
      readonly known: readonly string[];
      readonly name: string;
    };

/** Which API server was asked, and what named it. */
export interface AskedCluster {
  readonly server: string;
  /** Of the kubeconfigs; undefined where they name none. */
  readonly context: string | undefined;
  readonly files: readonly string[];
  /** Nothing names it: the address is Helm's guess. */
  readonly isGuess: boolean;
  /** Where the server did not take the credentials. */
  readonly user?: AskedUser | undefined;
}

/** Who a server was asked as. */
export interface AskedUser {
  /** In the kubeconfig; '' where there is none. */
  readonly name: string;
  readonly credential: 'token' | 'certificate' | 'password' | 'plugin' | 'none';
  /** The program, or the provider, that the credentials come from. */
  readonly plugin?: string | undefined;
  readonly expired?: ExpiredCredential | undefined;
}

export interface ExpiredCredential {
  readonly kind: 'token' | 'certificate';
  /** RFC 3339. */
  readonly at: string;
}

/**
 * The API server as tshelm sees it. Every method fails with {@link ApiError} when the server refuses, and with
 * TshelmError `cluster-unreachable` when it cannot be reached. A kind that is not served is an ApiError with the reason
 * `NotServed`. Ids without a namespace use `namespace` where the kind needs one.
 */
export interface Cluster {
  /** The namespace of the context or of --namespace; `default` when nothing says otherwise. */
  readonly namespace: string;
  /** Absent where there is no other cluster to take it for. */
  readonly place?: ClusterPlace | undefined;
  /** Asked once. */
  version(options?: CallOptions): Promise<ServerVersion>;
  /** All served kinds, from the aggregated discovery endpoint; cached, `fresh` asks again. */
  resources(options?: CallOptions & { fresh?: boolean }): Promise<readonly ResourceMapping[]>;
  /** How a kind is served; undefined when it is not. What is not known to be served is asked for each time. */
  mapping(apiVersion: string, kind: string, options?: CallOptions): Promise<ResourceMapping | undefined>;
  get(id: ResourceId, options?: CallOptions): Promise<KubernetesObject | undefined>;
  list(apiVersion: string, kind: string, options?: ListOptions): Promise<readonly KubernetesObject[]>;
  /**
   * The same as it comes in, so that many large objects need not be in memory together. Where the list breaks off it is
   * read anew: an object may come twice.
   */
  pages(apiVersion: string, kind: string, options?: ListOptions): AsyncIterable<readonly KubernetesObject[]>;
  /** The columns that the server shows of an object; undefined when it is not there. */
  table(id: ResourceId, options?: CallOptions): Promise<ObjectTable | undefined>;
  create(object: KubernetesObject, options?: WriteOptions): Promise<KubernetesObject>;
  replace(object: KubernetesObject, options?: WriteOptions): Promise<KubernetesObject>;
  /** One server-side apply PATCH; creates what is not there. */
  apply(object: KubernetesObject, options?: ApplyOptions): Promise<KubernetesObject>;
  patch(
    id: ResourceId,
    type: PatchType,
    patch: unknown,
    options?: WriteOptions & { subresource?: string | undefined; force?: boolean | undefined },
  ): Promise<KubernetesObject>;
  /** Resolves to false when it was not there. Returns as soon as the server has accepted. */
  delete(id: ResourceId, options?: DeleteOptions): Promise<boolean>;
  /**
   * LIST then WATCH of one kind, resumed after disconnects and 410 Gone, until the signal aborts.
   * Falls back to polling where watch is forbidden.
   */
  watch(apiVersion: string, kind: string, options: WatchOptions): AsyncIterable<WatchEvent>;
  logs(pod: PodPlace, options?: LogOptions): Promise<string>;
  /** The same line by line as it comes in, so that it need not be in memory and may go on. A long line is cut. */
  logLines(pod: PodPlace, options?: LogLinesOptions): AsyncIterable<LogLine>;
  /**
   * Until it is called off, requests wait no longer for a server that has gone: for all of them together, no longer than
   * that from now on or from when it went. Then they fail with `cluster-unreachable` at once.
   */
  limitAbsence?(limitMs: number): () => void;
  /** The server's time of day, by its last answer; undefined where answers carry none. */
  serverTime?(): Date | undefined;
  close(): void;
  /** The time that waits for this cluster go by; the system's where it has none of its own. */
  readonly timers?: Timers | undefined;
  /** Whether a controller may report on an object that has no status; by default one may. */
  readonly mayReport?: ((object: KubernetesObject) => boolean) | undefined;
}

/** Whether an object is as ready as it must be. `failed` will not recover by itself. */
export type Readiness =
  /** `facts`: why it counts as ready although something is missing. */
  | { readonly state: 'ready'; readonly facts?: readonly WorkloadFact[] | undefined }
  /** `cause`: what is in the way, where that is known; the reason begins with it. `facts` are the same as data. */
  | {
      readonly state: 'waiting';
      readonly reason: string;
      readonly cause?: string | undefined;
      readonly facts?: readonly WorkloadFact[] | undefined;
    }
  | { readonly state: 'failed'; readonly reason: string; readonly facts?: readonly WorkloadFact[] | undefined };

/** Judges a live object by its fields alone. */
export type HealthRule = (object: KubernetesObject) => Readiness;
