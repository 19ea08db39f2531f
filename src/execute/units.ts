import { nodeName } from '../plan/names.ts';
import type { BatchNode, Unit } from '../plan/types.ts';
import { firstSignal } from '../support/abort.ts';
import { settleAll } from '../support/concurrency.ts';
import { isAbort, messageOf, TshelmError } from '../support/errors.ts';
import { formatTime } from '../support/time.ts';
import { systemTimers } from '../support/timers.ts';
import { batchTitle, type FailedBatch } from './batch-title.ts';
import type { Run } from './context.ts';
import { nodeKey, type Progress } from './done.ts';
import type { UnitState } from './events.ts';
import { joinFailures } from './failures.ts';
import { stopped } from './stopped.ts';

export type ResourcesNode = Extract<BatchNode, { kind: 'resources' }>;

/** What is done with the resources of one node; the node is done when this is. `waitRun` ends when a sibling fails. */
export type CarryOut = (node: ResourcesNode, isWaitedFor: boolean, waitRun: Run) => Promise<void>;

export interface WalkOptions {
  /** Whether the states of units and groups are reported. */
  readonly reportsStates: boolean;
  /** What is finished already is passed over. */
  readonly progress?: Progress | undefined;
  /** As of {@link Unit}; of the outermost one. */
  readonly isFree?: boolean | undefined;
}

/**
 * Goes through a unit and the units inside it: batch by batch, what is in one together; or, with the context's `eager`,
 * each node as soon as those it waits for are done. The first failure ends all waits; nothing later begins.
 * The error names the batch (`details.batch`) where the plan is an ordered one.
 */
export async function walkUnit(unit: Unit, run: Run, carryOut: CarryOut, options: WalkOptions): Promise<void> {
  const stop = new AbortController();
  const signal = firstSignal(stop.signal, run.signal);
  await new Walk({ run, waitRun: { ...run, signal }, stop }, carryOut, options).unit(unit, unit.name);
}

/** `stop` ends the waits of `waitRun`. */
interface Walked {
  readonly run: Run;
  readonly waitRun: Run;
  readonly stop: AbortController;
}

class Walk {
  readonly #run: Run;
  readonly #waitRun: Run;
  readonly #stop: AbortController;
  readonly #carryOut: CarryOut;
  readonly #options: WalkOptions;

  constructor({ run, waitRun, stop }: Walked, carryOut: CarryOut, options: WalkOptions) {
    this.#run = run;
    this.#waitRun = waitRun;
    this.#stop = stop;
    this.#carryOut = carryOut;
    this.#options = options;
  }

  async unit(unit: Unit, path: string): Promise<void> {
    await this.#reporting({ unit: path }, () =>
      (unit.isFree || this.#run.context.eager) && hasIds(unit)
        ? this.#runEagerly(unit, path)
        : this.#byBatches(unit, path),
    );
  }

  async #byBatches(unit: Unit, path: string): Promise<void> {
    const of = unit.batches.length;
    for (const [index, batch] of unit.batches.entries()) {
      this.#throwIfOver();
      const position = { unit: path, number: index + 1, of, names: batch.nodes.map(nodeName) };
      const timers = this.#run.cluster.timers ?? systemTimers;
      const startedAt = timers.now();
      this.#run.onEvent({ kind: 'batch-started', ...position });
      const tasks = batch.nodes.map((node) => () => this.#node(node, path, batch.wait));
      const runBatch = (): Promise<void> => this.#runAll(tasks);
      // A subchart's only batch is part of the batch around it, which says more.
      await (of === 1 && isInside(path) ? runBatch() : this.#naming(position, runBatch));
      const { names: _names, ...finished } = position;
      this.#run.onEvent({ kind: 'batch-finished', ...finished, elapsedMs: timers.now() - startedAt });
    }
  }

  async #runEagerly(unit: Unit, path: string): Promise<void> {
    const started = new Map<string | undefined, Promise<void>>();
    const isNamed = !isInside(path) || unit.batches.flatMap(({ nodes }) => nodes).length > 1;
    for (const { nodes, wait } of unit.batches) {
      for (const node of nodes) {
        const before = (node.after ?? []).flatMap((id) => started.get(id) ?? []);
        const place = { unit: path, number: 0, of: 0, names: [nodeName(node)] };
        const task = (): Promise<void> => this.#node(node, path, wait);
        started.set(node.id, this.#afterAll(before, isNamed ? () => this.#naming(place, task) : task));
      }
    }
    await this.#runAll([...started.values()].map((task) => () => task));
  }

  async #afterAll(before: readonly Promise<void>[], task: () => Promise<void>): Promise<void> {
    const outcomes = await Promise.allSettled(before);
    if (outcomes.some(({ status }) => status === 'rejected')) throw stopped;
    this.#throwIfOver();
    try {
      await task();
    } catch (error) {
      this.#fail();
      throw error;
    }
  }

  async #node(node: BatchNode, path: string, wait: boolean): Promise<void> {
    if (node.kind === 'unit') return this.unit(node.unit, `${path}/${node.unit.name}`);
    const { progress, isFree } = this.#options;
    const key = nodeKey(path, node);
    if (progress?.before.has(key)) return;
    const carryOut = async (): Promise<void> => {
      // What was finished before is in the record when more is begun: a run that is killed can go on from there. Where
      // every object begins for itself, that would be a write for each; there it is kept every few seconds.
      if (this.#run.plan.strategy === 'ordered' && !isFree) await progress?.stored();
      await this.#carryOut(node, wait, this.#waitRun);
      progress?.onDone(key);
    };
    const isGroup = node.id !== undefined && node.id !== 'rest';
    await (isGroup ? this.#reporting({ unit: path, node: node.name }, carryOut) : carryOut());
  }

  /** Every task to its end; the first failure ends the waits of all. */
  async #runAll(tasks: readonly (() => Promise<void>)[]): Promise<void> {
    const { errors } = await settleAll(
      tasks.map((task) => async () => {
        try {
          await task();
        } catch (error) {
          this.#fail();
          throw error;
        }
      }),
    );
    if (errors.length === 0) return;
    const causes = [...new Set(errors)].filter((error) => error !== stopped);
    throw causes.length === 0 ? stopped : joinFailures(causes);
  }

  #fail(): void {
    if (!this.#stop.signal.aborted) this.#stop.abort(stopped);
  }

  #throwIfOver(): void {
    this.#run.signal?.throwIfAborted();
    if (this.#stop.signal.aborted) throw stopped;
  }

  async #reporting(which: Pick<UnitState, 'unit' | 'node'>, task: () => Promise<void>): Promise<void> {
    if (!this.#options.reportsStates) return task();
    const startedAt = formatTime(this.#run.now());
    this.#run.onEvent({ kind: 'unit', ...which, state: 'installing', startedAt });
    try {
      await task();
    } catch (error) {
      const endedAt = formatTime(this.#run.now());
      const state = error === stopped ? 'stopped' : 'failed';
      this.#run.onEvent({ kind: 'unit', ...which, state, startedAt, endedAt, reason: messageOf(error) });
      throw error;
    }
    this.#run.onEvent({ kind: 'unit', ...which, state: 'ready', startedAt, endedAt: formatTime(this.#run.now()) });
  }

  /** Runs a batch; its failure gets the batch's name, once, in an ordered run. */
  async #naming(batch: FailedBatch, task: () => Promise<void>): Promise<void> {
    if (this.#run.plan.strategy !== 'ordered') return task();
    try {
      await task();
    } catch (error) {
      throw error === stopped ? error : withBatch(error, batch);
    }
  }
}

const isInside = (path: string): boolean => path.includes('/');

const hasIds = (unit: Unit): boolean => unit.batches.every(({ nodes }) => nodes.every(({ id }) => id !== undefined));

function withBatch(error: unknown, batch: FailedBatch): unknown {
  const title = batchTitle(batch);
  if (isAbort(error)) return interruption(error, title);
  if (!(error instanceof TshelmError))
    return new TshelmError('failed', { message: `${title}: ${messageOf(error)}`, details: { batch }, cause: error });
  if (error.details.batch !== undefined) return error;
  return error.wrapped({ message: `${title}: ${error.message}`, details: { batch } });
}

/** Stays recognizable as an interruption, and says in which batch it came. */
function interruption(error: Error, title: string): Error {
  return error instanceof InterruptedBatch ? error : new InterruptedBatch(title, error);
}

/** What the user, or a signal, ended within a batch. */
export class InterruptedBatch extends Error {
  constructor(title: string, cause: Error) {
    super(`${interruptedText} in ${title}`, { cause });
    this.name = cause.name;
  }
}

/** Helm's words for what the user interrupted stay in it: people search for them. */
export const interruptedText = 'interrupted (context canceled)';
