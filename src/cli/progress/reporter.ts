import type { ExecutionEvent, OnEvent } from '../../execute/events.ts';
import type { Output } from '../io.ts';
import { liveLines, type Paint, seconds } from './live.ts';
import { advance, noProgress, objectLabel, type ProgressState } from './state.ts';

/** Tells a person how a run goes; `finish` leaves the terminal as a plain program would. */
export interface Reporter {
  readonly onEvent: OnEvent;
  finish(): void;
}

/** One line for each change, for pipes and CI. */
export function plainReporter(output: Output, namespace: string, nowMs: () => number): Reporter {
  const startedMs = nowMs();
  const last = new Map<string, string>();
  return {
    onEvent: (event) => {
      const text = plainLine(event, namespace);
      if (text === undefined) return;
      const key = event.kind === 'resource' || event.kind === 'hook' ? objectLabel(event.id, namespace) : '';
      if (key !== '' && last.get(key) === text) return;
      last.set(key, text);
      output.write(`${seconds(nowMs() - startedMs).padStart(7)}  ${text}\n`);
    },
    finish: () => undefined,
  };
}

/** The line for an event; undefined for what a log reader need not know. */
function plainLine(event: ExecutionEvent, namespace: string): string | undefined {
  switch (event.kind) {
    case 'plan-started':
      return undefined;
    case 'step-started':
      return event.title;
    case 'batch-started':
      if (event.of === 1 && event.unit.includes('/')) return undefined;
      return `${event.unit} [${event.number}/${event.of}] ${event.names.join(', ')}`;
    case 'batch-finished':
      return event.of > 1
        ? `${event.unit} [${event.number}/${event.of}] done in ${seconds(event.elapsedMs)}`
        : undefined;
    case 'resource':
      if (event.state === 'applying' || event.state === 'deleting') return undefined;
      return withReason(`${objectLabel(event.id, namespace)} ${event.state}`, event.reason);
    case 'hook':
      return withReason(`${event.event} hook ${objectLabel(event.id, namespace)} ${event.state}`, event.reason);
    case 'unit':
      return unitLine(event);
    case 'log':
      return indented(`log of ${objectLabel(event.id, namespace)}:`, event.text);
    case 'warning':
      return `warning: ${event.text}`;
    case 'note':
      return event.text;
  }
}

/** Subcharts and groups as they get ready; that they begin, and the chart as a whole, is told by other lines. */
function unitLine({ unit, node, state }: Extract<ExecutionEvent, { kind: 'unit' }>): string | undefined {
  const isWhole = node === undefined && !unit.includes('/');
  if (isWhole || state === 'pending' || state === 'installing') return undefined;
  return node === undefined ? `chart ${unit} ${state}` : `${node} of ${unit} ${state}`;
}

const withReason = (text: string, reason: string | undefined): string =>
  reason === undefined || reason === '' ? text : `${text}: ${reason}`;
const indented = (head: string, text: string): string => [head, ...text.trimEnd().split('\n')].join('\n           | ');

const redrawMs = 100;
const scrollingKinds: ReadonlySet<string> = new Set(['log', 'warning', 'note']);

/** A table that stands at the bottom of the terminal and changes in place; warnings and logs scroll by above it. */
export function liveReporter(output: Output, namespace: string, nowMs: () => number, paint: Paint): Reporter {
  const startedMs = nowMs();
  let state: ProgressState = noProgress;
  let drawn = 0;
  const erase = (): string => (drawn === 0 ? '' : `\x1b[${drawn}A\x1b[0J`);
  const draw = (above = ''): void => {
    const size = { columns: output.columns ?? 80, rows: output.rows ?? 24 };
    const lines = state.title === '' ? [] : liveLines(state, size, startedMs, nowMs(), paint);
    output.write(`${erase()}${above}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = lines.length;
  };
  const timer = setInterval(() => draw(), redrawMs);
  timer.unref();
  return {
    onEvent: (event) => {
      state = advance(state, event, namespace, nowMs());
      if (scrollingKinds.has(event.kind)) draw(`${plainLine(event, namespace)}\n`);
    },
    finish: () => {
      clearInterval(timer);
      output.write(erase());
      drawn = 0;
    },
  };
}

/** For `-o json`, where only the result counts, and for dry runs: notes, warnings and the logs of hooks alone. */
export const quietReporter = (output: Output): Reporter => ({
  onEvent: (event) => {
    if (scrollingKinds.has(event.kind)) output.write(`${plainLine(event, '')}\n`);
  },
  finish: () => undefined,
});
