import type { Display } from '../display.ts';
import type { RunModel } from '../model.ts';
import type { Outcome } from '../reporter.ts';
import type { StackModel } from '../stack/model.ts';
import type { Attributes, Durations, Span } from './otlp.ts';
import type { OtelSettings } from './settings.ts';
import { attributesOfRun, ending, newSpanId, newTraceId, type Place, spansOfRun } from './spans.ts';

/** What is known at the end, to be sent. */
export interface Telemetry {
  readonly spans: readonly Span[];
  readonly metrics: readonly Durations[];
}

/** Traces and metrics of the runs of a command, which `deliver` sends at its end. */
export function otelDisplay(
  { parent }: Pick<OtelSettings, 'parent'>,
  deliver: (telemetry: Telemetry) => Promise<void>,
): Display {
  const outside: Place = {
    traceId: parent?.traceId ?? newTraceId(),
    parentSpanId: parent?.spanId,
    traceState: parent?.traceState,
  };
  const spans: Span[] = [];
  const measured = new Measured();
  let inside = outside;
  return {
    beginStack: () => {
      inside = { ...outside, parentSpanId: newSpanId() };
    },
    end: (model, outcome) => {
      spans.push(...spansOfRun(model, outcome, inside));
      measured.addRun(model, outcome);
      return false;
    },
    endStack: (stack, outcome) => {
      spans.push(stackSpan(stack, outcome, { ...outside, spanId: inside.parentSpanId ?? newSpanId() }));
      return false;
    },
    deliver: async () => {
      if (spans.length > 0) await deliver({ spans, metrics: measured.durations });
    },
  };
}

function stackSpan(stack: StackModel, outcome: Outcome, place: Place & { readonly spanId: string }): Span {
  const { command, releases, startedMs } = stack;
  const endMs = stack.endedMs ?? startedMs;
  const leftOut = releases.filter(({ state }) => state === 'left out').length;
  return {
    ...place,
    name: `stack ${command}`,
    startMs: startedMs,
    endMs,
    attributes: { 'tshelm.releases': releases.length, 'tshelm.left_out': leftOut, 'tshelm.outcome': outcome.kind },
    ...ending(outcome, endMs),
  };
}

/** How long runs took, and how long objects were waited for, by kind. */
class Measured {
  readonly #runs = new Points();
  readonly #waits = new Points();
  #startMs = Number.POSITIVE_INFINITY;
  #endMs = 0;

  addRun(model: RunModel, outcome: Outcome): void {
    const { startedMs, endedMs = startedMs } = model;
    this.#startMs = Math.min(this.#startMs, startedMs);
    this.#endMs = Math.max(this.#endMs, endedMs);
    this.#runs.add(attributesOfRun(model, outcome), endedMs - startedMs);
    for (const { isWaitedFor, appliedMs, endedMs: readyMs, id, state } of model.rows)
      if (isWaitedFor && appliedMs !== undefined && readyMs !== undefined)
        this.#waits.add({ 'tshelm.object.kind': id.kind, 'tshelm.object.state': state }, readyMs - appliedMs);
  }

  get durations(): readonly Durations[] {
    const time = { startMs: this.#startMs, endMs: this.#endMs };
    const runs = { name: 'tshelm.run.duration', description: 'How long a change of a release took', ...time };
    const waits = {
      name: 'tshelm.object.wait.duration',
      description: 'How long an object was waited for after it was applied',
      ...time,
    };
    return [
      { ...runs, points: this.#runs.all },
      { ...waits, points: this.#waits.all },
    ].filter(({ points }) => points.length > 0);
  }
}

/** Durations by their attributes. */
class Points {
  readonly #byKey = new Map<string, { readonly attributes: Attributes; readonly seconds: number[] }>();

  add(attributes: Attributes, ms: number): void {
    const key = JSON.stringify(attributes);
    const point = this.#byKey.get(key) ?? { attributes, seconds: [] };
    point.seconds.push(ms / 1000);
    this.#byKey.set(key, point);
  }

  get all(): readonly { readonly attributes: Attributes; readonly seconds: readonly number[] }[] {
    return [...this.#byKey.values()];
  }
}
