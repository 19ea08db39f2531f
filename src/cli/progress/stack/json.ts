import type { ExecutionEvent } from '../../../execute/events.ts';
import type { Output } from '../../terminal/io.ts';
import { errorOf, JsonDisplay, writeEvent } from '../json.ts';
import type { RunModel } from '../model.ts';
import type { Outcome } from '../reporter.ts';
import type { StackDisplay } from './display.ts';
import { type ReleaseState, type StackModel, stackCounts } from './model.ts';
import { slowReleases } from './path.ts';

/** The events of each release, with its id, between two that tell of the whole. */
export class StackJson implements StackDisplay {
  readonly #output: Output;
  readonly #now: () => Date;
  readonly #open = new Map<string, JsonDisplay>();

  constructor(output: Output, now: () => Date) {
    this.#output = output;
    this.#now = now;
  }

  begin({ command, releases }: StackModel): void {
    const nodes = releases.map(({ id, needs, name, namespace }) => ({ id, needs, release: name, namespace }));
    this.#write('stack-started', { command, releases: nodes });
  }

  open({ id, run }: ReleaseState): void {
    if (run === undefined) return;
    const display = new JsonDisplay(this.#output, this.#now, id);
    this.#open.set(id, display);
    display.begin(run);
  }

  show(event: ExecutionEvent, { id }: ReleaseState): void {
    this.#open.get(id)?.show(event);
  }

  endRelease({ id }: ReleaseState, run: RunModel, outcome: Outcome): void {
    this.#open.get(id)?.end(run, outcome);
    this.#open.delete(id);
  }

  leaveOut({ id, name, namespace, text }: ReleaseState): void {
    this.#write('release-left-out', { release: name, namespace, id, reason: text });
  }

  tell(text: string): void {
    for (const line of text.split('\n')) if (line !== '') this.#write('message', { text: line });
  }

  end(model: StackModel, outcome: Outcome): boolean {
    const { releases, startedMs, endedMs = startedMs } = model;
    const { done, failed, putBack } = stackCounts(releases);
    this.#write('stack-finished', {
      outcome: outcome.kind,
      elapsedMs: endedMs - startedMs,
      counts: {
        done,
        failed,
        leftOut: releases.length - done - failed - putBack,
        putBack,
      },
      criticalPath: slowReleases(model),
      error: errorOf(outcome),
    });
    return true;
  }

  close(): void {
    for (const display of this.#open.values()) display.close();
  }

  #write(type: string, fields: object): void {
    writeEvent(this.#output, { type, time: this.#now(), release: '', namespace: '', ...fields });
  }
}
