import type { Progress } from '../../execute/done.ts';
import type { ExecutionEvent, OnEvent } from '../../execute/events.ts';
import { isWaitedFor } from '../../manifest/hook.ts';
import { idOf, objectKey } from '../../manifest/resource-id.ts';
import type { Hook, KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { isTemporary } from '../../plan/hooks.ts';
import { isSequencing } from '../../plan/sequencing.ts';
import type { Release, ReleaseStorage } from '../../release/types.ts';
import { messageOf } from '../../support/errors.ts';
import { pause, systemTimers, type Timers } from '../../support/timers.ts';
import { objectOfHook } from './dead-runs.ts';
import { withState } from './release-order.ts';
import { RunPosition } from './run-position.ts';

/** What is done as soon as it is loaded is followed by more at once: its end is written with that, or after this time. */
const quickHookDelayMs = 200;

/** Where every object begins for itself, the states of all are written now and then. */
const freeDelayMs = 5_000;

/**
 * The record of a release while it changes. Writes follow one another; changes that come while one is under way go into
 * the next. What a write on the way fails with is a warning, as in Helm; the last one, {@link finish}, must succeed.
 */
export class ReleaseRecord {
  readonly #storage: ReleaseStorage;
  readonly #onEvent: OnEvent | undefined;
  readonly #timers: Timers;
  #release: Release;
  #writing: Promise<void> | undefined;
  /** Ends the delay of the next write. */
  #hurry = new AbortController();
  /** Hooks that have not begun yet, as they are written until then; an end of the run leaves them out. */
  #beginning: readonly Hook[] = [];
  #isStale = false;
  #hasBatches = false;
  readonly #whereabouts = new RunPosition();

  constructor(release: Release, storage: ReleaseStorage, onEvent?: OnEvent, timers: Timers = systemTimers) {
    this.#release = release;
    this.#storage = storage;
    this.#onEvent = onEvent;
    this.#timers = timers;
  }

  /** How far the run has come. */
  get whereabouts(): string {
    return this.#whereabouts.text();
  }

  get release(): Release {
    return this.#release;
  }

  /**
   * These begin next, and are written as running until they do. Where their objects are to go again, it is written before
   * anything of them is sent: should this run die, the next one knows what to take away.
   */
  async hooksBegin(hooks: readonly Hook[]): Promise<void> {
    this.#beginning = [...this.#beginning, ...hooks];
    this.#write(0);
    if (hooks.some(isTemporary)) await this.#writing;
  }

  /** An object is deleted next, to be created anew: it is written how it was, should this run die between. */
  async objectReplaced(object: KubernetesObject): Promise<void> {
    const { operation, namespace } = this.#release;
    if (operation === undefined) return;
    const others = othersThan(idOf(object, namespace), this.#release);
    this.#release = { ...this.#release, operation: { ...operation, replaced: [...others, object] } };
    this.#write(0);
    await this.#writing;
  }

  #created(id: ResourceId): void {
    const { operation } = this.#release;
    if (operation?.replaced === undefined) return;
    this.#release = { ...this.#release, operation: { ...operation, replaced: othersThan(id, this.#release) } };
  }

  /** Takes the new state of a hook, and writes it soon; that it runs has been written before it began. */
  hookChanged(hook: Hook, isRefused = false): void {
    this.#beginning = this.#beginning.filter((other) => !isSame(other, hook));
    this.#release = withRefused(withHook(this.#release, hook), hook, isRefused);
    if (hook.lastRun.phase === 'Running') return;
    this.#write(hook.lastRun.phase === 'Succeeded' && !isWaitedFor(hook) ? quickHookDelayMs : 0);
  }

  /** What is finished, an earlier run's and this one's: kept in the record, and written with the next change of it. */
  progress(before: ReadonlySet<string> = new Set()): Progress {
    return { before, onDone: (key) => this.#done(key), stored: () => this.settle() };
  }

  #done(key: string): void {
    const { operation } = this.#release;
    if (operation === undefined) return;
    this.#release = { ...this.#release, operation: { ...operation, done: [...(operation.done ?? []), key] } };
  }

  /**
   * Takes the events of the run: states of units are kept for the record, which is written between two batches; with
   * --eager, where there are none, whenever a unit or a group is done. Everything is passed on.
   */
  readonly onEvent: OnEvent = (event) => {
    this.#whereabouts.onEvent(event);
    if (event.kind === 'unit') {
      const { kind: _kind, ...state } = event;
      this.#release = { ...this.#release, sequencing: withState(this.#release.sequencing, state) };
    }
    if (event.kind === 'resource' && event.state === 'created') this.#created(event.id);
    if (event.kind === 'batch-started') this.#hasBatches = true;
    if (this.#isBoundary(event)) this.#write(this.#isFree ? freeDelayMs : 0);
    this.#onEvent?.(event);
  };

  get #isFree(): boolean {
    const { sequencing } = this.#release;
    return isSequencing(sequencing) && sequencing.isFree === true;
  }

  /** After the last batch of the whole comes another write anyway. */
  #isBoundary(event: ExecutionEvent): boolean {
    if (!isSequencing(this.#release.sequencing)) return false;
    if (event.kind === 'batch-finished') return event.number < event.of;
    return event.kind === 'unit' && event.state === 'ready' && !this.#hasBatches;
  }

  /** Without delay, what happens at the same moment, as the next batch that begins, still goes into the same write. */
  #write(delayMs: number): void {
    this.#isStale = true;
    if (delayMs === 0) this.#hurry.abort();
    this.#writing ??= this.#writeUntilFresh(delayMs);
  }

  async #writeUntilFresh(delayMs: number): Promise<void> {
    if (delayMs > 0) await this.#delay(delayMs);
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#isStale) {
      this.#isStale = false;
      await updateOrWarn(this.#beginning.reduce(withHook, this.#release), this.#storage, this.#onEvent);
    }
    this.#writing = undefined;
  }

  async #delay(delayMs: number): Promise<void> {
    this.#hurry = new AbortController();
    // A hurry ends the pause.
    await pause(this.#timers, delayMs, this.#hurry.signal).catch(() => {});
  }

  /** Writes the last state, after everything that was under way. */
  async finish(change: (release: Release) => Release): Promise<Release> {
    this.#isStale = false;
    await this.settle();
    this.#release = change(this.#release);
    await this.#storage.update(this.#release);
    return this.#release;
  }

  /** The same after a failure, which is what has to be reported: that it could not be recorded is a warning beside it. */
  async fail(change: (release: Release) => Release): Promise<void> {
    this.#isStale = false;
    await this.settle();
    this.#release = change(this.#release);
    await updateOrWarn(this.#release, this.#storage, this.#onEvent);
  }

  /** Waits until nothing is being written. */
  async settle(): Promise<void> {
    this.#hurry.abort();
    await this.#writing;
  }
}

/** What else is being replaced. */
const othersThan = (id: ResourceId, { operation, namespace }: Release): readonly KubernetesObject[] =>
  (operation?.replaced ?? []).filter((object) => objectKey(idOf(object, namespace)) !== objectKey(id));

/** A template may have an object twice, as a hook of different events. */
const isSame = (one: Hook, other: Hook): boolean => one.path === other.path && one.manifest === other.manifest;

const withHook = (release: Release, hook: Hook): Release => ({
  ...release,
  hooks: release.hooks.map((other) => (isSame(other, hook) ? hook : other)),
});

/** Of an object that was refused nothing is this run's to delete, nor the next one's in its place (dead-runs.ts). */
function withRefused(release: Release, hook: Hook, isRefused: boolean): Release {
  const { operation } = release;
  if (operation === undefined || (!isRefused && operation.refusedHooks === undefined)) return release;
  const others = (operation.refusedHooks ?? []).filter((key) => key !== objectOfHook(hook));
  return {
    ...release,
    operation: { ...operation, refusedHooks: [...others, ...(isRefused ? [objectOfHook(hook)] : [])] },
  };
}

/** Writes a record whose loss must not end or hide what is being done. */
export async function updateOrWarn(release: Release, storage: ReleaseStorage, onEvent?: OnEvent): Promise<void> {
  try {
    await storage.update(release);
  } catch (error) {
    const text = `failed to update release ${release.name} (revision ${release.version}): ${messageOf(error)}`;
    onEvent?.({ kind: 'warning', text });
  }
}
