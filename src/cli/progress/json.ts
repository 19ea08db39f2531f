import type { ExecutionEvent } from '../../execute/events.ts';
import { isAnnounced } from '../../execute/step-title.ts';
import { idAlone } from '../../manifest/resource-id.ts';
import { manifestsOf } from '../../plan/arrange.ts';
import type { Plan, Step } from '../../plan/types.ts';
import { messageOf, problemsOf, TshelmError } from '../../support/errors.ts';
import type { Output } from '../terminal/io.ts';
import type { Display } from './display.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { type ReleaseState, type StackModel, stackCounts } from './stack/model.ts';
import { slowReleases } from './stack/path.ts';
import { openRows } from './waiting.ts';

/** Grows when a field changes its meaning or goes; new types and fields may come at any time. */
export const schemaVersion = 1;
const heartbeatMs = 15_000;

type Named = Pick<RunModel, 'release' | 'namespace' | 'id'>;

/** One JSON object a line, as docs/progress.schema.json describes them. */
export class JsonDisplay implements Display {
  readonly #output: Output;
  readonly #now: () => Date;
  /** The run that was begun last, outside of a stack. */
  #model: RunModel | undefined;
  readonly #heartbeats = new Map<RunModel, NodeJS.Timeout>();

  constructor(output: Output, now: () => Date) {
    this.#output = output;
    this.#now = now;
  }

  beginStack({ command, releases }: StackModel): void {
    const nodes = releases.map(({ id, needs, name, namespace }) => ({ id, needs, release: name, namespace }));
    this.#write('stack-started', { command, releases: nodes });
  }

  begin(model: RunModel): void {
    if (model.id === undefined) this.#model = model;
    this.#write('run-started', { action: model.action, chart: model.chart }, model);
    this.#heartbeats.set(model, setInterval(() => this.#beat(model), heartbeatMs).unref());
  }

  show(event: ExecutionEvent, model: RunModel | undefined): void {
    const { type, ...fields } = fieldsOf(event);
    this.#write(type, fields, model);
  }

  leaveOut({ id, name, namespace, text }: ReleaseState): void {
    this.#write('release-left-out', { reason: text }, { release: name, namespace, id });
  }

  tell(text: string): void {
    for (const line of text.split('\n')) if (line !== '') this.#write('message', { text: line });
  }

  end(model: RunModel, outcome: Outcome): boolean {
    clearInterval(this.#heartbeats.get(model));
    const elapsedMs = (model.endedMs ?? model.startedMs) - model.startedMs;
    const done = outcome.kind === 'succeeded' ? outcome.text : undefined;
    this.#write('run-finished', { outcome: outcome.kind, done, elapsedMs, error: errorOf(outcome) }, model);
    return true;
  }

  endStack(stack: StackModel, outcome: Outcome): boolean {
    const { releases, startedMs, endedMs = startedMs } = stack;
    const { done, failed, putBack } = stackCounts(releases);
    this.#write('stack-finished', {
      outcome: outcome.kind,
      elapsedMs: endedMs - startedMs,
      counts: { done, failed, leftOut: releases.length - done - failed - putBack, putBack },
      criticalPath: slowReleases(stack),
      error: errorOf(outcome),
    });
    return true;
  }

  close(): void {
    for (const heartbeat of this.#heartbeats.values()) clearInterval(heartbeat);
  }

  #beat(model: RunModel): void {
    const nowMs = this.#now().getTime();
    const waitingFor = openRows(model).map(({ id, kind, event, state, reason, pods, startedMs = nowMs }) => ({
      object: idAlone(id),
      isHook: kind === 'hook',
      event,
      state,
      reason: reason === '' ? undefined : reason,
      pods,
      elapsedMs: nowMs - startedMs,
    }));
    this.#write('heartbeat', { elapsedMs: nowMs - model.startedMs, waitingFor }, model);
  }

  #write(type: string, fields: object, { release = '', namespace = '', id }: Partial<Named> = this.#model ?? {}): void {
    const event = { version: schemaVersion, type, time: this.#now(), release, namespace, id, ...fields };
    // A build service may take "##[" for a command of its own wherever it is in a line.
    this.#output.write(`${JSON.stringify(event).replaceAll('##[', '##\\u005b')}\n`, 'data');
  }
}

type Fields = { readonly type: string } & Record<string, unknown>;

function fieldsOf(event: ExecutionEvent): Fields {
  switch (event.kind) {
    case 'plan-started':
      return { type: 'plan', ...planFields(event.plan) };
    case 'step-started':
      return { type: 'step-started', step: event.step.kind, title: event.title };
    case 'batch-started': {
      const { kind, names, ...batch } = event;
      return { type: kind, ...batch, nodes: names };
    }
    case 'batch-finished': {
      const { kind, elapsedMs, ...batch } = event;
      return { type: kind, ...batch, elapsedMs: Math.round(elapsedMs) };
    }
    case 'resource':
    case 'hook':
      return {
        type: event.kind,
        object: idAlone(event.id),
        event: event.kind === 'hook' ? event.event : undefined,
        state: event.state,
        reason: event.reason || undefined,
        isTimeout: event.kind === 'resource' ? event.isTimeout : undefined,
        isOutside: event.kind === 'resource' ? event.isOutside : undefined,
        pods: event.pods,
      };
    case 'unit': {
      const { kind, ...state } = event;
      return { type: kind, ...state };
    }
    case 'log-tail':
      return {
        type: 'log-tail',
        object: idAlone(event.id),
        of: idAlone(event.of),
        container: event.container,
        lines: event.lines,
      };
    case 'log':
      return { type: 'log', object: idAlone(event.id), text: event.text };
    case 'log-line':
    case 'log-gap': {
      const { kind, id, of, ...told } = event;
      return { type: kind, object: idAlone(id), of: idAlone(of), ...told };
    }
    case 'warning':
    case 'note':
      return { type: event.kind, text: event.text };
  }
}

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
    case 'await-needs':
      return { needs: step.needs.map(({ text, why }) => ({ text, why })) };
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

function errorOf(outcome: Outcome): object | undefined {
  if (outcome.kind === 'succeeded') return undefined;
  const { failure, text } = outcome;
  const code = failure instanceof TshelmError ? failure.code : 'failed';
  return { code, message: messageOf(failure), text, problems: problemsOf(failure) };
}
