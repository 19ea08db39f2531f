import type { ExecutionEvent } from '../execute/events.ts';
import { failureForPrograms, forPrograms } from './wording.ts';

/**
 * A running change: a promise of its result, and an async iterable of its events. It has already started,
 * whether anyone waits for it or not.
 *
 *     const operation = tshelm.upgrade('shop', './chart');
 *     for await (const event of operation) console.log(event.kind);
 *     const { release } = await operation;
 *
 * Each iteration gets every event from the beginning; the loop throws the failure of the operation.
 */
export interface Operation<Result> extends Promise<Result>, AsyncIterable<ExecutionEvent> {}

/** Begins an operation; `run` gets what events are told to. */
export function operation<Result>(run: (tell: (event: ExecutionEvent) => void) => Promise<Result>): Operation<Result> {
  const events = new EventLog();
  const result = run((event) => events.add(toldEvent(event))).then(
    (value) => {
      events.end();
      return value;
    },
    (error: unknown) => {
      events.end();
      throw failureForPrograms(error);
    },
  );
  return Object.assign(result, {
    [Symbol.asyncIterator](): AsyncIterator<ExecutionEvent> {
      return iterate(events, result);
    },
  });
}

async function* iterate(events: EventLog, result: Promise<unknown>): AsyncGenerator<ExecutionEvent> {
  // The loop tells of a failure: nobody else has to listen for it.
  result.catch(() => undefined);
  yield* events.all();
  await result;
}

const toldEvent = (event: ExecutionEvent): ExecutionEvent =>
  event.kind === 'warning' || event.kind === 'note' ? { ...event, text: forPrograms(event.text) } : event;

/** What has happened, for whoever asks, and then for those who wait for more. */
class EventLog {
  readonly #events: ExecutionEvent[] = [];
  #isOver = false;
  #waiting: (() => void)[] = [];

  add(event: ExecutionEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *all(): AsyncGenerator<ExecutionEvent> {
    for (let at = 0; ; at++) {
      while (at >= this.#events.length) {
        if (this.#isOver) return;
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      yield this.#events[at] as ExecutionEvent;
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
