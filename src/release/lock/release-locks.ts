import { isApiError, lacksNamespace } from '../../cluster/api-error.ts';
import { isStalled, isTransient, neverReachedServer } from '../../cluster/network-error.ts';
import type { Cluster } from '../../cluster/types.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { causesOf, hasCode, TshelmError } from '../../support/errors.ts';
import { wholeSeconds } from '../../support/time.ts';
import { backoffMs } from '../../support/timers.ts';
import { type Holder, holderText, isRunning, thisHolder } from './holder.ts';
import { type LeaseState, leaseId, newLease, readLease } from './lease.ts';
import { LeaseLock } from './lease-lock.ts';
import { type Liveness, livenessOf, type Watched, watch } from './liveness.ts';
import { type LockClock, realLockClock } from './lock-clock.ts';
import type { HeldLock, LockRequest, ReleaseLocks } from './types.ts';

export interface LockOptions {
  /** Where the release's records are. */
  readonly namespace: string;
  /** For the names of the user and the CI job. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly clock?: LockClock | undefined;
  readonly random?: (() => number) | undefined;
}

const pollMs = 500;
const createTries = 5;

/** Locks made of Leases: creating one is the lock, so that of several that start together exactly one wins. */
export function leaseLocks(cluster: Cluster, options: LockOptions): ReleaseLocks {
  return { acquire: (request) => new Acquisition(cluster, options, request).acquire() };
}

interface Moment {
  readonly nowMs: number;
  readonly wallMs: number;
}

/** What became of one attempt to create the Lease. `no-namespace` may pass, when an install creates it. */
type Attempt =
  | { readonly kind: 'ours'; readonly lock: LeaseLock }
  | { readonly kind: 'taken' }
  | { readonly kind: 'no-namespace' }
  | { readonly kind: 'no-rights'; readonly why: string };

const noNamespace: Attempt = { kind: 'no-namespace' };

class Acquisition {
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #clock: LockClock;
  readonly #random: () => number;
  readonly #request: LockRequest;
  readonly #holder: Holder;
  /** Asked for first: the API server keeps whoever creates something in a missing namespace waiting for 50 ms. */
  #isNamespaceDoubtful: boolean;
  #watched: Watched | undefined;
  #announced = '';

  constructor(cluster: Cluster, options: LockOptions, request: LockRequest) {
    this.#cluster = cluster;
    this.#namespace = options.namespace;
    this.#clock = options.clock ?? realLockClock;
    this.#random = options.random ?? Math.random;
    this.#request = request;
    this.#isNamespaceDoubtful = request.createsNamespace === true;
    this.#holder = thisHolder(options.env ?? {});
  }

  async acquire(): Promise<HeldLock> {
    let attempt = await this.#untilDecided();
    const lost = new AbortController();
    const follow = (lock: LeaseLock): void =>
      lock.lost.addEventListener('abort', () => lost.abort(lock.lost.reason), { once: true });
    if (attempt.kind === 'ours') follow(attempt.lock);
    const enter = async (signal?: AbortSignal): Promise<void> => {
      lost.signal.throwIfAborted();
      if (attempt.kind === 'ours') await attempt.lock.enter(signal);
    };
    return {
      holder: this.#holder,
      isLeased: () => attempt.kind === 'ours' && attempt.lock.isLeased,
      lost: lost.signal,
      lose: (error) => lost.abort(error),
      fence: {
        enter,
        get lapse() {
          return attempt.kind === 'ours' ? attempt.lock.lapse : lost.signal;
        },
      },
      confirm: async (signal) => {
        if (attempt.kind === 'no-namespace') {
          attempt = await this.#untilDecided();
          if (attempt.kind === 'ours') follow(attempt.lock);
        }
        await enter(signal);
      },
      namespaceIsThere: () => (this.#isNamespaceDoubtful = false),
      release: async () => {
        if (attempt.kind === 'ours') await attempt.lock.release();
      },
    };
  }

  async #untilDecided(): Promise<Exclude<Attempt, { kind: 'taken' }>> {
    const deadlineMs = this.#clock.nowMs() + this.#request.waitMs;
    for (;;) {
      this.#request.signal?.throwIfAborted();
      let attempt: Attempt | undefined = (await this.#isNamespaceMissing()) ? noNamespace : await this.#create();
      this.#isNamespaceDoubtful = attempt.kind === 'no-namespace';
      if (attempt.kind === 'taken') attempt = await this.#examineHolder(deadlineMs);
      if (attempt?.kind === 'no-rights') this.#request.onNote(noRights(this.#namespace, attempt.why));
      if (attempt?.kind === 'taken') await this.#clock.sleep(pollMs * (0.5 + this.#random()), this.#request.signal);
      else if (attempt !== undefined) return attempt;
    }
  }

  /** Who may not read namespaces learns it from the attempt. */
  async #isNamespaceMissing(): Promise<boolean> {
    if (!this.#isNamespaceDoubtful) return false;
    const id = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: this.#namespace };
    try {
      return (await this.#cluster.get(id, { signal: this.#request.signal })) === undefined;
    } catch (error) {
      if (isApiError(error)) return false;
      throw error;
    }
  }

  async #create(): Promise<Attempt> {
    const { signal } = this.#request;
    for (let attempt = 1; ; attempt += 1) {
      const sentAt = this.#now();
      const wanted = this.#ownLease(sentAt);
      try {
        const lease = await this.#cluster.create(wanted, { fieldManager: 'tshelm', signal });
        // After a lost answer the cluster may give back what another has created meanwhile.
        return this.#isOwn(lease) ? this.#heldAttempt(lease, sentAt) : { kind: 'taken' };
      } catch (error) {
        signal?.throwIfAborted();
        const refused = refusalOf(error);
        if (refused?.kind === 'taken') return (await this.#createdBefore(sentAt)) ?? refused;
        if (refused !== undefined) return refused;
        if (attempt >= createTries || !isTransientFailure(error)) throw error;
        await this.#clock.sleep(backoffMs(attempt, this.#random), signal);
      }
    }
  }

  #now(): Moment {
    return { nowMs: this.#clock.nowMs(), wallMs: this.#clock.wallMs() };
  }

  #ownLease({ wallMs }: Moment): KubernetesObject {
    const { release, operation } = this.#request;
    return newLease({ release, namespace: this.#namespace }, operation, this.#holder, new Date(wallMs));
  }

  #heldAttempt(lease: KubernetesObject, sentAt: Moment): Attempt {
    const { release, onNote } = this.#request;
    const onUnleased = async (why: string): Promise<void> => {
      onNote(noRights(this.#namespace, why));
      await this.#request.onUnleased?.();
    };
    const owned = { release, holder: this.#holder, lease, onUnleased };
    const lock = new LeaseLock(this.#cluster, this.#clock, owned, sentAt);
    return { kind: 'ours', lock };
  }

  /** A request whose answer was lost may have arrived: then the Lease that is there is our own. */
  async #createdBefore(sentAt: Moment): Promise<Attempt | undefined> {
    const lease = await this.#find().catch(unlessForbidden);
    return lease !== undefined && this.#isOwn(lease) ? this.#heldAttempt(lease, sentAt) : undefined;
  }

  #isOwn(lease: KubernetesObject): boolean {
    return readLease(lease).holder.identity === this.#holder.identity;
  }

  #find(): Promise<KubernetesObject | undefined> {
    const { release, signal } = this.#request;
    return this.#cluster.get(leaseId(release, this.#namespace), { signal });
  }

  /** Looks at the Lease of another. Undefined where it is gone. Errors: `operation-in-progress`. */
  async #examineHolder(deadlineMs: number): Promise<Attempt | undefined> {
    try {
      const found = await this.#find();
      return found === undefined ? undefined : await this.#judge(found, deadlineMs);
    } catch (error) {
      if (isApiError(error, 'Forbidden')) return { kind: 'no-rights', why: error.message };
      throw error;
    }
  }

  /** Takes over what nobody holds, or somebody who is dead. */
  async #judge(found: KubernetesObject, deadlineMs: number): Promise<Attempt | undefined> {
    const { release, onNote } = this.#request;
    const lease = readLease(found);
    if (lease.holder.identity === '') return this.#takeOver(found);
    const nowMs = this.#clock.nowMs();
    this.#watched = watch(lease, this.#watched, nowMs);
    const isAlive = isRunning(lease.holder.process);
    const liveness = livenessOf(lease, this.#watched, { nowMs, wallMs: this.#clock.wallMs(), isRunning: isAlive });
    if (liveness === 'dead') {
      const attempt = await this.#takeOver(found);
      const why = isAlive === false ? 'but is gone' : `and has not renewed it for ${lease.seconds} s`;
      if (attempt?.kind !== 'taken')
        onNote(`${holderText(lease.holder)} held the lock on "${release}" ${why}; taking over`);
      return attempt;
    }
    if (liveness === 'alive' && nowMs >= deadlineMs) throw inProgress(release, lease);
    this.#announce(lease, liveness);
    return { kind: 'taken' };
  }

  /** Makes a Lease ours by an update, or makes room for one where the role may delete alone; never one that has changed. */
  async #takeOver(found: KubernetesObject): Promise<Attempt | undefined> {
    const { release, signal } = this.#request;
    const { uid, resourceVersion } = found.metadata;
    const sentAt = this.#now();
    const { metadata, ...wanted } = this.#ownLease(sentAt);
    try {
      const lease = { ...wanted, metadata: { ...metadata, uid, resourceVersion } } as KubernetesObject;
      return this.#heldAttempt(await this.#cluster.replace(lease, { fieldManager: 'tshelm', signal }), sentAt);
    } catch (error) {
      if (isApiError(error, 'Conflict')) return { kind: 'taken' };
      if (isApiError(error, 'NotFound')) return undefined;
      if (!isApiError(error, 'Forbidden')) throw error;
    }
    try {
      await this.#cluster.delete(leaseId(release, this.#namespace), { uid, resourceVersion, signal });
      return undefined;
    } catch (error) {
      if (isApiError(error, 'Conflict')) return { kind: 'taken' };
      throw error;
    }
  }

  #announce({ holder, operation }: LeaseState, liveness: Liveness): void {
    const { release, onNote } = this.#request;
    const key = `${holder.identity} ${liveness}`;
    if (this.#announced === key) return;
    this.#announced = key;
    const who = `${holderText(holder)} (${operation} of "${release}")`;
    onNote(liveness === 'alive' ? `waiting for ${who}` : `checking whether ${who} is still alive`);
  }
}

function unlessForbidden(error: unknown): undefined {
  if (!isApiError(error, 'Forbidden')) throw error;
}

/** What a refusal means for the lock; undefined where it says nothing of it. */
function refusalOf(error: unknown): Attempt | undefined {
  if (!isApiError(error)) return undefined;
  const { failure } = error;
  const { status, reason, message } = failure;
  if (reason === 'AlreadyExists') return { kind: 'taken' };
  if (lacksNamespace(failure)) return noNamespace;
  if (status === 403 || status === 404) return { kind: 'no-rights', why: message };
  return undefined;
}

/**
 * A connection that broke may do so once; one that cannot be made at all (no such host, no trust) stays so, and a server
 * that was silent for as long as a request waits is silent to the next one.
 */
const isTransientFailure = (error: unknown): boolean =>
  isApiError(error)
    ? error.failure.status >= 500
    : hasCode(error, 'cluster-unreachable') &&
      causesOf(error).some((cause) => isTransient(cause) && !neverReachedServer(cause) && !isStalled(cause));

const noRights = (namespace: string, why: string): string =>
  `only the pending record locks the release, because Leases cannot be used: ${why}; to tell whether another run is still alive, ` +
  `tshelm needs create, get, update and delete on leases (coordination.k8s.io) in namespace ${namespace}`;

/** Helm's errPending, then who and since when. */
function inProgress(release: string, { holder, operation, acquireTime }: LeaseState): TshelmError {
  const who = holderText(holder);
  return new TshelmError('operation-in-progress', {
    message:
      `another operation (install/upgrade/rollback) is in progress: ${operation} of "${release}" by ${who}, ` +
      `since ${wholeSeconds(acquireTime)}`,
    details: {
      release,
      operation,
      holder: who,
      since: acquireTime,
      remedies: [{ kind: 'set-option', option: 'waitLockMs' }],
    },
  });
}
