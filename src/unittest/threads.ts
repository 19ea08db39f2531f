import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { messageOf } from '../support/errors.ts';
import type { ChartCoverage } from './coverage.ts';
import type { SuiteResult } from './results.ts';
import {
  type FromThread,
  runUnit,
  type ThreadData,
  type ThreadTools,
  type ToThread,
  takeUnit,
  type UnitResult,
} from './shared-work.ts';

/** Starts a thread of this program that gets this data. */
export type StartThread = (data: unknown) => Worker;

interface MainTools {
  readonly tools: ThreadTools;
  readonly downloadSchema: ((url: string) => Promise<Uint8Array>) | undefined;
  readonly startThread: StartThread;
  /** How many threads there are, with this one. */
  readonly size: number;
}

/** Threads that run units of a run, this one among them: each takes the next unit when it has finished one. */
export class Threads {
  private readonly data: ThreadData;
  private readonly main: MainTools;
  private readonly done = new Map<number, UnitResult>();
  private readonly unitOf = new Map<string, { readonly unit: number; readonly at: number }>();
  /** Of each thread the last coverage of each chart. */
  private readonly coverages: Map<number, ChartCoverage>[] = [];
  private readonly events = new EventEmitter();
  private running = 0;

  constructor(data: ThreadData, main: MainTools) {
    this.data = data;
    this.main = main;
    for (const [unit, { chart, suites }] of data.units.entries())
      for (const [at, suite] of suites.entries()) this.unitOf.set(`${chart} ${suite}`, { unit, at });
    for (let thread = 1; thread < main.size; thread++) this.begin();
  }

  async results({ chart, suite }: { readonly chart: number; readonly suite: number }): Promise<readonly SuiteResult[]> {
    const place = this.unitOf.get(`${chart} ${suite}`);
    if (place === undefined) throw new Error(`internal: no unit has suite ${suite} of chart ${chart}`);
    for (;;) {
      const result = this.done.get(place.unit)?.results[place.at];
      if (result !== undefined) return result;
      const next = takeUnit(this.data);
      if (next !== undefined) await this.run(next);
      else if (this.running > 0) await once(this.events, 'news');
      // A thread that came to its end has taken it along.
      else await this.run(place.unit);
      await setImmediate();
    }
  }

  coverageOf(chart: number): ChartCoverage[] {
    return this.coverages.flatMap((byChart) => byChart.get(chart) ?? []);
  }

  private async run(number: number): Promise<void> {
    const unit = this.data.units[number];
    if (unit !== undefined) this.done.set(number, await runUnit(number, unit, this.main.tools));
  }

  private begin(): void {
    const coverages = new Map<number, ChartCoverage>();
    this.coverages.push(coverages);
    const worker = this.main.startThread(this.data);
    this.running += 1;
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'schema') void this.answer(worker, message);
      else {
        this.done.set(message.unit, message);
        const chart = this.data.units[message.unit]?.chart;
        if (chart !== undefined && message.coverage !== undefined) coverages.set(chart, message.coverage);
      }
      this.events.emit('news');
    });
    // What it has not finished runs here, and fails here if it must.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.running -= 1;
      this.events.emit('news');
    });
  }

  private async answer(worker: Worker, { id, url }: { readonly id: number; readonly url: string }): Promise<void> {
    const { downloadSchema } = this.main;
    let answer: ToThread;
    try {
      if (downloadSchema === undefined) throw new Error('internal: no schemas are downloaded');
      answer = { id, schema: await downloadSchema(url) };
    } catch (error) {
      answer = { id, error: messageOf(error) };
    }
    worker.postMessage(answer);
  }
}
