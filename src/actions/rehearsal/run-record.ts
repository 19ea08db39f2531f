import type { ExecutionEvent, OnEvent } from '../../execute/events.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import type { Plan, Step } from '../../plan/types.ts';

/** What became of one object in one step; times in milliseconds since the start. */
export interface Span {
  readonly id: ResourceId;
  readonly startMs: number;
  readonly endMs: number;
  /** The last that was told of it: `created`, `ready`, `failed`, `deleted`, `waiting`, … */
  readonly state: string;
  readonly reason?: string | undefined;
}

/** One step of a plan as it went. */
export interface StepRun {
  readonly action: Plan['action'];
  readonly namespace: string;
  readonly step: Step;
  readonly startMs: number;
  readonly endMs: number;
  /** By {@link objectKey}. */
  readonly spans: ReadonlyMap<string, Span>;
}

type MutableStepRun = { -readonly [Key in keyof StepRun]: StepRun[Key] } & { readonly spans: Map<string, Span> };

/** Writes down what an execution reports, with the time by `nowMs`. */
export class RunRecord {
  readonly #nowMs: () => number;
  readonly #startMs: number;
  readonly #steps: MutableStepRun[] = [];
  #plan: Plan | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  get steps(): readonly StepRun[] {
    return this.#steps.map((step) => ({ ...step, spans: withWaitsEnded(step) }));
  }

  /** How long it has taken until now. */
  get elapsedMs(): number {
    return this.#nowMs() - this.#startMs;
  }

  /** The run is over: what its last step waited for, it waited for until now. */
  end(): void {
    const step = this.#steps.at(-1);
    if (step !== undefined) step.endMs = this.elapsedMs;
  }

  readonly onEvent: OnEvent = (event) => {
    if (event.kind === 'plan-started') this.#plan = event.plan;
    else if (event.kind === 'step-started') this.#begin(event.step);
    else if (event.kind === 'resource' || event.kind === 'hook') this.#note(event);
    const step = this.#steps.at(-1);
    if (step !== undefined) step.endMs = this.elapsedMs;
  };

  #begin(step: Step): void {
    if (this.#plan === undefined) return;
    const { action, namespace } = this.#plan;
    this.#steps.push({
      action,
      namespace,
      step,
      startMs: this.elapsedMs,
      endMs: this.elapsedMs,
      spans: new Map<string, Span>(),
    });
  }

  #note(event: Extract<ExecutionEvent, { kind: 'resource' | 'hook' }>): void {
    const spans = this.#steps.at(-1)?.spans;
    if (spans === undefined) return;
    const { id, state, reason } = event;
    const key = objectKey(id);
    const before = spans.get(key);
    // A hook that its policy deletes has been what it has been.
    if (event.kind === 'hook' && state === 'deleted') return;
    spans.set(key, { id, startMs: before?.startMs ?? this.elapsedMs, endMs: this.elapsedMs, state, reason });
  }
}

/** What was still waited for when its step ended, because something failed or the time was over. */
const withWaitsEnded = ({ spans, endMs }: StepRun): ReadonlyMap<string, Span> =>
  new Map([...spans].map(([key, span]) => [key, span.state === 'waiting' ? { ...span, endMs } : span]));

/** The span of an object as a manifest names it: a cluster-scoped one has no namespace of its own. */
export const spanOf = ({ spans }: StepRun, id: ResourceId): Span | undefined =>
  spans.get(objectKey(id)) ?? spans.get(objectKey({ ...id, namespace: '' }));
