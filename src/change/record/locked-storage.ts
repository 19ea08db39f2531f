import { isRefusedFor } from '../../cluster/api-error.ts';
import type { HeldLock } from '../../release/lock/types.ts';
import type { Release, ReleaseStorage, TrialOption } from '../../release/types.ts';
import { TshelmError } from '../../support/errors.ts';

/**
 * The records that a run writes under its lock (`storage` is one for such a run). One write after another, so that each
 * knows what the last one left; when somebody else has written a record of this run, the lock is lost.
 */
export class LockedStorage implements ReleaseStorage {
  readonly checkSize: ReleaseStorage['checkSize'];
  readonly recordId: ReleaseStorage['recordId'];
  readonly get: ReleaseStorage['get'];
  readonly revisions: ReleaseStorage['revisions'];
  readonly newest: ReleaseStorage['newest'];
  readonly list: ReleaseStorage['list'];
  readonly #storage: ReleaseStorage;
  readonly #lock: HeldLock;
  /** What this run has written last, by revision. */
  readonly #written = new Map<number, Release>();
  #writing: Promise<unknown> = Promise.resolve();
  #isUnleased = false;

  constructor(storage: ReleaseStorage, lock: HeldLock) {
    this.#storage = storage;
    this.#lock = lock;
    this.checkSize = (release) => storage.checkSize(release);
    this.recordId = (name, version) => storage.recordId(name, version);
    this.get = (name, version) => storage.get(name, version);
    this.revisions = (name, options) => storage.revisions(name, options);
    this.newest = (name) => storage.newest(name);
    this.list = (options) => storage.list(options);
  }

  create(release: Release, options: TrialOption = {}): Promise<void> {
    if (options.dryRun) return this.#storage.create(release, options);
    return this.#write(release, (current) => this.#storage.create(current));
  }

  update(release: Release): Promise<void> {
    return this.#write(release, (current) => this.#storage.update(current));
  }

  async delete(name: string, version: number, options: TrialOption = {}): Promise<void> {
    if (options.dryRun) return this.#storage.delete(name, version, options);
    await this.#watched(version, () => this.#storage.delete(name, version));
    this.#written.delete(version);
  }

  underLock: ReleaseStorage['underLock'] = () => this;

  /** Writes into the record of the run that no Lease stands for it any more. */
  async unlease(): Promise<void> {
    this.#isUnleased = true;
    // Whoever began that write is told of its failure.
    await this.#writing.catch(() => {});
    const leased = [...this.#written.values()].filter(({ operation }) => operation?.isLeased);
    for (const release of leased) await this.update(release);
  }

  #write(release: Release, send: (release: Release) => Promise<void>): Promise<void> {
    // Whoever began the write before is told of its failure.
    const writing = this.#writing
      .catch(() => {})
      .then(async () => {
        const { operation } = release;
        const isOutdated = this.#isUnleased && operation?.holder === this.#lock.holder.identity;
        const current = isOutdated ? { ...release, operation: { ...operation, isLeased: false } } : release;
        await this.#watched(release.version, () => send(current));
        this.#written.set(release.version, current);
      });
    this.#writing = writing;
    return writing;
  }

  async #watched(version: number, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const own = this.#written.get(version);
      if (own === undefined || !isRefusedFor(error, 'Conflict')) throw error;
      this.#lock.lose(recordTakenError(own, error));
      throw this.#lock.lost.reason;
    }
  }
}

const recordTakenError = ({ name, version }: Release, cause: unknown): TshelmError<'lock-lost'> =>
  new TshelmError('lock-lost', {
    message: `revision ${version} of release ${JSON.stringify(name)} was changed by another run; this run stops here and leaves the record unchanged`,
    details: { release: name, holder: undefined },
    cause,
  });
