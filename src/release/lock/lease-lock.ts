import { isApiError, unusable } from '../../cluster/api-error.ts';
import type { Cluster } from '../../cluster/types.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { Holder } from './holder.ts';
import { heartbeatSeconds, leaseId, leaseSeconds, readLease, renewedLease } from './lease.ts';
import type { LockClock } from './lock-clock.ts';

const durationMs = leaseSeconds * 1000;
const renewRetryMs = 500;
/** A heartbeat that is not answered by then is given up, and sent anew with the next one. */
const answerMs = 4_000;
/** As long as a request waits for an API server that is away. */
const unreachableMs = 60_000;

/** A Lease that is ours, kept alive by its heartbeat until it is released or somebody else has it. */
export class LeaseLock {
  readonly #cluster: Cluster;
  readonly #clock: LockClock;
  readonly #holder: Holder;
  readonly #release: string;
  readonly #lost = new AbortController();
  readonly #stopHeartbeat: () => void;
  #lease: KubernetesObject;
  #renewedAt: { readonly nowMs: number; readonly wallMs: number };
  #renewing: Promise<boolean> | undefined;
  #mayNotRenew = false;
  #lastFailure: unknown;
  #isReleased = false;

  /** `sentAt`: when the request that made the Lease ours was sent. */
  constructor(
    cluster: Cluster,
    clock: LockClock,
    owned: { readonly release: string; readonly holder: Holder; readonly lease: KubernetesObject },
    sentAt: { readonly nowMs: number; readonly wallMs: number },
  ) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#holder = owned.holder;
    this.#release = owned.release;
    this.#lease = owned.lease;
    this.#renewedAt = sentAt;
    this.#stopHeartbeat = clock.every(heartbeatSeconds * 1000, () => void this.#renew());
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** See HeldLock.confirm. While the API server cannot be reached nobody can take over, so it is waited for a minute. */
  async confirm(signal: AbortSignal | undefined): Promise<void> {
    const deadlineMs = this.#clock.nowMs() + unreachableMs;
    for (;;) {
      this.#lost.signal.throwIfAborted();
      if (this.#isFresh() || this.#mayNotRenew) return;
      if (await this.#renew()) continue;
      if (this.#clock.nowMs() >= deadlineMs) throw unconfirmed(this.#release, this.#lastFailure);
      await this.#clock.sleep(renewRetryMs, signal);
    }
  }

  async release(): Promise<void> {
    this.#stopHeartbeat();
    this.#isReleased = true;
    if (this.#lost.signal.aborted) return;
    // A heartbeat under way could bring the Lease back.
    await this.#renewing;
    const options = { uid: this.#lease.metadata.uid };
    const remove = (signal?: AbortSignal) => this.#cluster.delete(this.#id(), { ...options, signal });
    try {
      // Where it has lapsed already nobody waits for its end.
      await (this.#isFresh() ? remove() : this.#answered(remove));
    } catch {
      // It lapses by itself.
    }
  }

  /** A clock that stood still while the machine slept is no proof: the later of both counts. */
  #isFresh(): boolean {
    const { nowMs, wallMs } = this.#renewedAt;
    return Math.max(this.#clock.nowMs() - nowMs, this.#clock.wallMs() - wallMs) < durationMs;
  }

  /** Whether the Lease is ours for another while. One at a time; never fails. */
  #renew(): Promise<boolean> {
    this.#renewing ??= this.#beat().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #beat(): Promise<boolean> {
    if (this.#lost.signal.aborted) return false;
    const sentAt = { nowMs: this.#clock.nowMs(), wallMs: this.#clock.wallMs() };
    const lease = renewedLease(this.#lease, new Date(sentAt.wallMs));
    try {
      const answered = await this.#answered((signal) =>
        this.#cluster.replace(lease, { fieldManager: 'tshelm', signal }),
      );
      if (answered === undefined) return false;
      this.#lease = answered;
      this.#renewedAt = sentAt;
      return true;
    } catch (error) {
      if (this.#isReleased) return false;
      this.#lastFailure = error;
      if (isApiError(error, 'Conflict')) await this.#readAgain();
      else if (isApiError(error, 'NotFound')) await this.#createAgain();
      else if (isApiError(error) && [401, 403].includes(error.failure.status)) this.#mayNotRenew = true;
      // Anything else passes, or lets the Lease lapse.
      return false;
    }
  }

  /** What a request brings; undefined when that takes too long. */
  async #answered<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const ended = new AbortController();
    const answer = request(ended.signal);
    // Nobody waits any more for one that is answered late.
    answer.catch(() => {});
    try {
      return await Promise.race([answer, this.#silence()]);
    } finally {
      ended.abort();
    }
  }

  async #silence(): Promise<undefined> {
    await this.#clock.sleep(answerMs, this.#lost.signal).catch(() => {});
  }

  /** A heartbeat that was answered too late had arrived all the same; otherwise the Lease is somebody else's. */
  async #readAgain(): Promise<void> {
    const lease = await this.#cluster.get(this.#id()).catch(() => this.#lease);
    if (lease === undefined) return this.#createAgain();
    if (this.#isOurs(lease)) this.#lease = lease;
    else this.#lose(readLease(lease).holder);
  }

  /** Somebody deleted it. Until it would have lapsed nobody can have worked on the release in between. */
  async #createAgain(): Promise<void> {
    if (!this.#isFresh()) return this.#lose(undefined);
    const { uid: _uid, resourceVersion: _version, ...metadata } = this.#lease.metadata;
    try {
      this.#lease = await this.#cluster.create({ ...this.#lease, metadata }, { fieldManager: 'tshelm' });
    } catch (error) {
      if (isApiError(error, 'AlreadyExists')) await this.#readAgain();
    }
  }

  #isOurs(lease: KubernetesObject): boolean {
    const { uid, holder } = readLease(lease);
    return uid === this.#lease.metadata.uid && holder.identity === this.#holder.identity;
  }

  #id() {
    return leaseId(this.#release, this.#lease.metadata.namespace ?? '');
  }

  #lose(to: Holder | undefined): void {
    this.#stopHeartbeat();
    this.#lost.abort(lockLost(this.#release, to));
  }
}

const unconfirmed = (release: string, cause: unknown): TshelmError =>
  unusable(
    `the lock on release ${JSON.stringify(release)} could not be renewed for ${unreachableMs / 1000} s` +
      (cause === undefined ? ', nothing answered' : `: ${messageOf(cause)}`),
    cause,
  );

const lockLost = (release: string, to: Holder | undefined): TshelmError =>
  new TshelmError('lock-lost', {
    message:
      `this run stalled for more than ${leaseSeconds} s, and the release was taken over` +
      `${to === undefined ? '' : ` by ${to.identity}`}; nothing more was started and its record was left alone`,
    details: { release, holder: to?.identity },
  });
