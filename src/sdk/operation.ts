import type { ExecutionEvent } from '../execute/events.ts';
import { failureForPrograms } from './failures.ts';
import { titledPlan } from './plans.ts';

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
export interface Operation<Result, Event = ExecutionEvent> extends Promise<Result>, AsyncIterable<Event> {}

/** Begins an operation; `run` gets what events are told to. */
export function operation<Result, Event>(
  run: (tell: (event: Event) => void) => Promise<Result>,
): Operation<Result, Event> {
  const events = new EventLog<Event>();
  const result = run((event) => events.add(event)).then(
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
    [Symbol.asyncIterator](): AsyncIterator<Event> {
      return iterate(events, result);
    },
  });
}

async function* iterate<Event>(events: EventLog<Event>, result: Promise<unknown>): AsyncGenerator<Event> {
  // The loop tells of a failure: nobody else has to listen for it.
  result.catch(() => undefined);
  yield* events.all();
  await result;
}

/** An event, with the titles of steps. */
export function eventForPrograms(event: ExecutionEvent): ExecutionEvent {
  switch (event.kind) {
    case 'plan-started':
      return { ...event, plan: titledPlan(event.plan) };
    case 'step-started':
      return { ...event, step: { ...event.step, title: event.title } };
    default:
      return event;
  }
}

/** What has happened, for whoever asks, and then for those who wait for more. */
class EventLog<Event> {
  readonly #events: Event[] = [];
  #isOver = false;
  #waiting: (() => void)[] = [];

  add(event: Event): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *all(): AsyncGenerator<Event> {
    for (let at = 0; ; at++) {
      while (at >= this.#events.length) {
        if (this.#isOver) return;
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      yield this.#events[at] as Event;
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
