import { clusterUnreachable, isApiError } from '../../cluster/api-error.ts';
import type { Cluster, Fence } from '../../cluster/types.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { Holder } from './holder.ts';
import { freedLease, heartbeatSeconds, leaseId, leaseSeconds, readLease, renewedLease } from './lease.ts';
import type { LockClock } from './lock-clock.ts';

const durationMs = leaseSeconds * 1000;
/**
 * For how long after a renewal the run writes. Another run takes over after the Lease's whole duration: the time between
 * is for what is still on its way to the server.
 */
const writeMs = 10_000;
const lapseCheckMs = 1_000;
const renewRetryMs = 500;
/** A heartbeat that is not answered by then is given up, and sent anew with the next one. */
const answerMs = 4_000;
/** As long as a request waits for an API server that is away. */
const unreachableMs = 60_000;

interface Owned {
  readonly release: string;
  readonly holder: Holder;
  readonly lease: KubernetesObject;
  /** See LockRequest.onUnleased. */
  readonly onUnleased?: ((why: string) => Promise<void>) | undefined;
}

/** A Lease that is ours, kept alive by its heartbeat until it is released or somebody else has it. */
export class LeaseLock implements Fence {
  readonly #cluster: Cluster;
  readonly #clock: LockClock;
  readonly #holder: Holder;
  readonly #release: string;
  readonly #onUnleased: Owned['onUnleased'];
  readonly #lost = new AbortController();
  readonly #stopTimers: () => void;
  #lapse = new AbortController();
  #lease: KubernetesObject;
  #renewedAt: { readonly nowMs: number; readonly wallMs: number };
  #renewing: Promise<boolean> | undefined;
  /** `no`: the server refuses to renew it, and the record does not say so yet; `record-alone`: it says so. */
  #mayRenew: 'yes' | 'no' | 'record-alone' = 'yes';
  #lastFailure: unknown;
  #awaySinceMs: number | undefined;
  #isReleased = false;

  /** `sentAt`: when the request that made the Lease ours was sent. */
  constructor(
    cluster: Cluster,
    clock: LockClock,
    owned: Owned,
    sentAt: { readonly nowMs: number; readonly wallMs: number },
  ) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#holder = owned.holder;
    this.#release = owned.release;
    this.#onUnleased = owned.onUnleased;
    this.#lease = owned.lease;
    this.#renewedAt = sentAt;
    const stopHeartbeat = clock.every(heartbeatSeconds * 1000, () => void this.#renew());
    const stopCheck = clock.every(lapseCheckMs, () => this.#endLapsed());
    this.#stopTimers = () => {
      stopHeartbeat();
      stopCheck();
    };
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get lapse(): AbortSignal {
    return this.#lapse.signal;
  }

  /** Whether the Lease still locks the release; otherwise the record alone does. */
  get isLeased(): boolean {
    return this.#mayRenew !== 'record-alone';
  }

  /**
   * See HeldLock.confirm. A run that cannot reach the API server may be the only one that cannot: another run may reach it,
   * and take over. So what may have lapsed is renewed first; the server is waited for for a minute.
   */
  async enter(signal?: AbortSignal): Promise<void> {
    for (;;) {
      this.#lost.signal.throwIfAborted();
      if (!this.isLeased || this.#mayWrite()) return;
      if (this.#mayRenew === 'no') this.#lose(undefined);
      else if (!(await this.#renew())) await this.#waitForServer(signal);
    }
  }

  /** Before the next try. The time counts from the first one that failed, for all that is to be written together. */
  async #waitForServer(signal: AbortSignal | undefined): Promise<void> {
    this.#awaySinceMs ??= this.#clock.nowMs();
    const isRefused = isApiError(this.#lastFailure) && this.#lastFailure.failure.status === 401;
    if (isRefused || this.#clock.nowMs() - this.#awaySinceMs >= unreachableMs)
      throw unconfirmed(this.#release, this.#lastFailure);
    await this.#clock.sleep(renewRetryMs, signal);
  }

  async release(): Promise<void> {
    this.#stopTimers();
    this.#isReleased = true;
    if (this.#lost.signal.aborted) return;
    // A heartbeat under way could bring the Lease back.
    await this.#renewing;
    if (this.isLeased) await this.#remove();
  }

  async #remove(): Promise<void> {
    try {
      // Where it has lapsed already nobody waits for its end.
      if (this.#ageMs() < durationMs) await this.#free();
      else await this.#answerInTime((signal) => this.#free(signal));
    } catch {
      // It lapses by itself.
    }
  }

  /** Deletes the Lease; where the role may not, it is held by nobody from then on. Only as long as it is ours. */
  async #free(signal?: AbortSignal): Promise<void> {
    const { uid, resourceVersion } = this.#lease.metadata;
    try {
      await this.#cluster.delete(this.#id(), { uid, resourceVersion, signal });
    } catch (error) {
      if (isApiError(error, 'Forbidden'))
        await this.#cluster.replace(freedLease(this.#lease), { fieldManager: 'tshelm', signal });
      if (!isApiError(error, 'Conflict')) return;
      // A heartbeat that was not answered in time had arrived all the same.
      const lease = await this.#cluster.get(this.#id(), { signal });
      if (lease === undefined || !this.#isOurs(lease)) return;
      this.#lease = lease;
      await this.#free(signal);
    }
  }

  /** Since the last renewal. A clock that stood still while the machine slept is no proof: the later of both counts. */
  #ageMs(): number {
    const { nowMs, wallMs } = this.#renewedAt;
    return Math.max(this.#clock.nowMs() - nowMs, this.#clock.wallMs() - wallMs);
  }

  #mayWrite(): boolean {
    return this.#ageMs() < writeMs;
  }

  /** Ends the requests that were begun while the run might write. */
  #endLapsed(): void {
    if (!this.isLeased || this.#mayWrite()) return;
    if (this.#mayRenew === 'no') this.#lose(undefined);
    else this.#lapse.abort();
  }

  /** Whether the Lease is ours for another while. One at a time; never fails. */
  #renew(): Promise<boolean> {
    this.#renewing ??= this.#beat().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #beat(): Promise<boolean> {
    if (this.#lost.signal.aborted || this.#mayRenew !== 'yes') return false;
    const sentAt = { nowMs: this.#clock.nowMs(), wallMs: this.#clock.wallMs() };
    const lease = renewedLease(this.#lease, new Date(sentAt.wallMs));
    try {
      const answered = await this.#answerInTime((signal) =>
        this.#cluster.replace(lease, { fieldManager: 'tshelm', signal }),
      );
      if (answered === undefined) return false;
      this.#lease = answered;
      this.#renewedAt = sentAt;
      this.#awaySinceMs = undefined;
      if (this.#lapse.signal.aborted) this.#lapse = new AbortController();
      return true;
    } catch (error) {
      if (this.#isReleased) return false;
      this.#lastFailure = error;
      if (isApiError(error, 'Conflict')) await this.#readAgain();
      else if (isApiError(error, 'NotFound')) await this.#createAgain();
      else if (isApiError(error, 'Forbidden')) void this.#goOnWithoutLease(messageOf(error));
      // Anything else passes, or lets the Lease lapse.
      return false;
    }
  }

  /**
   * The role may not renew the Lease, so it will lapse under a run that lives. Before that happens the record must say that
   * it alone locks the release; until then the Lease does.
   */
  async #goOnWithoutLease(why: string): Promise<void> {
    this.#mayRenew = 'no';
    try {
      await this.#onUnleased?.(why);
    } catch {
      // The record could not be written, so the lock is lost when its time is up.
      return;
    }
    if (this.#lost.signal.aborted || !this.#mayWrite()) return;
    this.#mayRenew = 'record-alone';
    this.#stopTimers();
    await this.#remove();
  }

  /** What a request brings; undefined when that takes too long. */
  async #answerInTime<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const ended = new AbortController();
    const answer = request(ended.signal);
    // Nobody waits any more for one that is answered late.
    answer.catch(() => {});
    try {
      return await Promise.race([answer, this.#noAnswer()]);
    } finally {
      ended.abort();
    }
  }

  async #noAnswer(): Promise<undefined> {
    // Where the lock is lost, nobody waits on.
    await this.#clock.sleep(answerMs, this.#lost.signal).catch(() => {});
  }

  /** A heartbeat that was answered too late had arrived all the same; otherwise the Lease is somebody else's. */
  async #readAgain(): Promise<void> {
    const read = (signal: AbortSignal) => this.#cluster.get(this.#id(), { signal }).then((lease) => ({ lease }));
    // The next heartbeat reads it again.
    const found = await this.#answerInTime(read).catch(() => undefined);
    if (found === undefined) return;
    const { lease } = found;
    if (lease === undefined) return this.#createAgain();
    if (this.#isOurs(lease)) this.#lease = lease;
    else this.#lose(readLease(lease).holder);
  }

  /** Somebody deleted it. Nobody takes a Lease over before it has lapsed. */
  async #createAgain(): Promise<void> {
    if (this.#ageMs() >= durationMs) return this.#lose(undefined);
    const { uid: _uid, resourceVersion: _version, ...metadata } = this.#lease.metadata;
    const lease = { ...this.#lease, metadata };
    try {
      const create = (signal: AbortSignal) => this.#cluster.create(lease, { fieldManager: 'tshelm', signal });
      this.#lease = (await this.#answerInTime(create)) ?? this.#lease;
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
    this.#stopTimers();
    const refusal = this.#mayRenew === 'no' ? this.#lastFailure : undefined;
    this.#lost.abort(lockLost(this.#release, { to: to?.identity, agoMs: this.#ageMs(), refusal }));
    this.#lapse.abort();
  }
}

const unconfirmed = (release: string, cause: unknown): TshelmError =>
  clusterUnreachable(
    `the lock on release ${JSON.stringify(release)} could not be renewed for ${unreachableMs / 1000} s` +
      (cause === undefined ? '' : `: ${messageOf(cause)}`),
    cause,
  );

/** Another run has the release now, or may have it. `refusal`: why the Lease could not be renewed. */
function lockLost(
  release: string,
  { to, agoMs, refusal }: { readonly to: string | undefined; readonly agoMs: number; readonly refusal: unknown },
): TshelmError {
  const name = JSON.stringify(release);
  const why = refusal === undefined ? '' : `: ${messageOf(refusal)}`;
  const what =
    to === undefined
      ? `this run lost its lock on release ${name}, and another run may have taken it over`
      : `release ${name} was taken over by ${to}`;
  const ago = `this run last renewed its lock ${Math.round(agoMs / 1000)} s ago${why}`;
  return new TshelmError('lock-lost', {
    message: `${what} (${ago}); this run stops here and leaves the record unchanged`,
    details: { release, holder: to },
    cause: refusal,
  });
}
