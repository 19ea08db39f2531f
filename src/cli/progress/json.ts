import type { ExecutionEvent } from '../../execute/events.ts';
import { isAnnounced } from '../../execute/step-title.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { manifestsOf } from '../../plan/arrange.ts';
import type { Plan, Step } from '../../plan/types.ts';
import { messageOf, problemsOf, TshelmError } from '../../support/errors.ts';
import type { Output } from '../terminal/io.ts';
import type { Display } from './display.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { openRows } from './waiting.ts';

/** Grows when a field changes its meaning or goes; new types and fields may come at any time. */
export const schemaVersion = 1;
const heartbeatMs = 15_000;

/** One JSON object a line, as docs/progress.schema.json describes them. */
export class JsonDisplay implements Display {
  readonly #output: Output;
  readonly #now: () => Date;
  readonly #id: string | undefined;
  #model: RunModel | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  /** `id` is what the graph of a stack calls the release; it is a field of every event then. */
  constructor(output: Output, now: () => Date, id?: string) {
    this.#output = output;
    this.#now = now;
    this.#id = id;
  }

  begin(model: RunModel): void {
    this.#model = model;
    this.#write('run-started', { action: model.action, chart: model.chart });
    this.#heartbeat = setInterval(() => this.#beat(model), heartbeatMs);
    this.#heartbeat.unref();
  }

  show(event: ExecutionEvent): void {
    const { type, ...fields } = fieldsOf(event);
    this.#write(type, fields);
  }

  tell(text: string): void {
    for (const line of text.split('\n')) if (line !== '') this.#write('message', { text: line });
  }

  end(model: RunModel, outcome: Outcome): boolean {
    clearInterval(this.#heartbeat);
    const elapsedMs = (model.endedMs ?? model.startedMs) - model.startedMs;
    const done = outcome.kind === 'succeeded' ? outcome.text : undefined;
    this.#write('run-finished', { outcome: outcome.kind, done, elapsedMs, error: errorOf(outcome) });
    return true;
  }

  close(): void {
    clearInterval(this.#heartbeat);
  }

  #beat(model: RunModel): void {
    const nowMs = this.#now().getTime();
    const waitingFor = openRows(model).map(({ id, kind, event, state, reason, pods, startedMs = nowMs }) => ({
      object: objectOf(id),
      isHook: kind === 'hook',
      event,
      state,
      reason: reason === '' ? undefined : reason,
      pods,
      elapsedMs: nowMs - startedMs,
    }));
    this.#write('heartbeat', { elapsedMs: nowMs - model.startedMs, waitingFor });
  }

  #write(type: string, fields: object): void {
    const { release = '', namespace = '' } = this.#model ?? {};
    writeEvent(this.#output, { type, time: this.#now(), release, namespace, id: this.#id, ...fields });
  }
}

interface EventHead {
  readonly type: string;
  readonly time: Date;
  readonly release: string;
  readonly namespace: string;
}

export function writeEvent(output: Output, event: EventHead & Readonly<Record<string, unknown>>): void {
  const line = JSON.stringify({ version: schemaVersion, ...event });
  // A build service may take "##[" for a command of its own wherever it stands in a line.
  output.write(`${line.replaceAll('##[', '##\\u005b')}\n`, 'data');
}

type Fields = { readonly type: string } & Record<string, unknown>;

function fieldsOf(event: ExecutionEvent): Fields {
  switch (event.kind) {
    case 'plan-started':
      return { type: 'plan', ...planFields(event.plan) };
    case 'step-started':
      return { type: 'step-started', step: event.step.kind, title: event.title };
    case 'batch-started':
      return { type: 'batch-started', unit: event.unit, number: event.number, of: event.of, nodes: event.names };
    case 'batch-finished':
      return {
        type: 'batch-finished',
        unit: event.unit,
        number: event.number,
        of: event.of,
        elapsedMs: Math.round(event.elapsedMs),
      };
    case 'resource':
      return {
        type: 'resource',
        object: objectOf(event.id),
        state: event.state,
        reason: event.reason || undefined,
        isTimeout: event.isTimeout,
        pods: event.pods,
      };
    case 'hook':
      return {
        type: 'hook',
        object: objectOf(event.id),
        event: event.event,
        state: event.state,
        reason: event.reason || undefined,
        pods: event.pods,
      };
    case 'unit': {
      const { kind, ...state } = event;
      return { type: kind, ...state };
    }
    case 'log-tail':
      return {
        type: 'log-tail',
        object: objectOf(event.id),
        of: objectOf(event.of),
        container: event.container,
        lines: event.lines,
      };
    case 'log':
      return { type: 'log', object: objectOf(event.id), text: event.text };
    case 'warning':
      return { type: 'warning', text: event.text };
    case 'note':
      return { type: 'note', text: event.text };
  }
}

const objectOf = ({ apiVersion, kind, namespace, name }: ResourceId) => ({ apiVersion, kind, namespace, name });

const planFields = ({ action, strategy, steps }: Plan) => ({
  action,
  strategy,
  steps: steps.filter(isAnnounced).map((step) => ({ step: step.kind, ...stepFields(step) })),
});

function stepFields(step: Step): object {
  switch (step.kind) {
    case 'install-crds':
      return { resources: step.manifests.length };
    case 'create-namespace':
      return { name: step.name };
    case 'run-hooks':
      return { event: step.event, hooks: step.batches.flat(2).length };
    case 'apply':
    case 'delete':
      return { resources: manifestsOf(step.unit).length, batches: step.unit.batches.length };
    case 'record':
    case 'hook-objects':
      return {};
  }
}

export function errorOf(outcome: Outcome): object | undefined {
  if (outcome.kind === 'succeeded') return undefined;
  const { failure, text } = outcome;
  const code = failure instanceof TshelmError ? failure.code : 'failed';
  return { code, message: messageOf(failure), text, problems: problemsOf(failure) };
}
