import type { ExecutionEvent } from '../../execute/events.ts';
import type { Plan } from '../../plan/types.ts';
import { printable, printableLine } from '../../support/printable.ts';
import { linesOf } from '../../support/text.ts';
import { objectLabel } from './rows.ts';

/** The lines for an event; undefined for what a log reader need not know. */
export function plainLine(event: ExecutionEvent, namespace: string): string | undefined {
  const line = lineOf(event, namespace);
  return line === undefined ? undefined : printable(line);
}

function lineOf(event: ExecutionEvent, namespace: string): string | undefined {
  switch (event.kind) {
    case 'plan-started':
    case 'log-tail':
      return undefined;
    case 'step-started':
      return event.title;
    case 'batch-started':
      if (event.of === 1 && (event.unit.includes('/') || event.names.every((name) => name === event.unit)))
        return undefined;
      return `${event.unit} [${event.number}/${event.of}] ${event.names.join(', ')}`;
    case 'batch-finished':
      return event.of > 1
        ? `${event.unit} [${event.number}/${event.of}] done in ${seconds(event.elapsedMs)}`
        : undefined;
    case 'resource':
      if (event.isTimeout) return undefined;
      if (event.state === 'applying' || (event.state === 'deleting' && !event.reason)) return undefined;
      return withReason(`${objectLabel(event.id, namespace)} ${event.state}`, event.reason);
    case 'hook':
      if (event.state === 'waiting' && !event.reason) return undefined;
      return withReason(`${event.event} hook ${objectLabel(event.id, namespace)} ${event.state}`, event.reason);
    case 'unit':
      return unitLine(event);
    case 'log':
      return logLines(event, namespace);
    case 'log-line':
      return `${podPrefix(event)}${logText(event.line)}`;
    case 'log-gap':
      return `${podPrefix(event)}${gapText(event.omitted)}`;
    case 'warning':
      return `warning: ${event.text}`;
    case 'note':
      return event.text;
  }
}

export type PodLogEvent = Extract<ExecutionEvent, { kind: 'log-line' | 'log-gap' }>;

export const isOfPodLog = (event: ExecutionEvent): event is PodLogEvent =>
  event.kind === 'log-line' || event.kind === 'log-gap';

/** `web-7d9f/main | ` */
export const podPrefix = ({ id, container }: Pick<PodLogEvent, 'id' | 'container'>): string =>
  `${printableLine(`${id.name}/${container}`)} | `;

/** Its indentation stays. */
const logText = (line: string): string => printable(line).replaceAll('\n', ' ').trimEnd();

const gapText = (omitted: number): string => `… ${omitted} ${omitted === 1 ? 'line' : 'lines'} left out`;

/**
 * The lines of events in one run. The same log is reported once, as pods of a Job that fail for the same reason write the same;
 * a plan that undoes the one before it is announced, as its steps look like those of the first.
 */
export class PlainLines {
  readonly #logs = new Map<string, string>();
  #plan: Plan | undefined;

  of(event: ExecutionEvent, namespace: string): string | undefined {
    if (event.kind === 'plan-started') return this.#undoLine(event.plan);
    if (event.kind !== 'log') return plainLine(event, namespace);
    const label = objectLabel(event.id, namespace);
    const first = this.#logs.get(event.text);
    if (first !== undefined && first !== label) return `log of ${label}: the same as the log of ${first}`;
    this.#logs.set(event.text, label);
    return plainLine(event, namespace);
  }

  #undoLine(plan: Plan): string | undefined {
    const before = this.#plan;
    this.#plan = plan;
    for (const remedy of before?.ifStopped ?? []) {
      if (remedy.kind === 'roll-back' && plan.action === 'rollback')
        return `${before?.action} failed: rolling ${plan.release} back to revision ${remedy.revision}`;
      if (remedy.kind === 'uninstall' && plan.action === 'uninstall')
        return `${before?.action} failed: uninstalling ${plan.release}`;
    }
    return undefined;
  }
}

/** Subcharts and groups as they get ready; that they begin, and the chart as a whole, is told by other lines. */
function unitLine({ unit, node, state }: Extract<ExecutionEvent, { kind: 'unit' }>): string | undefined {
  const isWhole = node === undefined && !unit.includes('/');
  if (isWhole || state === 'pending' || state === 'installing') return undefined;
  return node === undefined ? `chart ${unit} ${state}` : `${node} of ${unit} ${state}`;
}

function logLines({ id, text }: Extract<ExecutionEvent, { kind: 'log' }>, namespace: string): string {
  const lines = linesOf(printable(text).trimEnd());
  return [`log of ${objectLabel(id, namespace)}:`, ...lines].join('\n           | ');
}

const withReason = (text: string, reason: string | undefined): string =>
  reason === undefined || reason === '' ? text : `${text}: ${printableLine(reason)}`;

/** `4.9s`, `2m05s`, `1h02m` */
export function seconds(ms: number): string {
  const whole = Math.trunc(ms / 1000);
  if (ms < 60_000) return `${(Math.trunc(ms / 100) / 10).toFixed(1)}s`;
  if (whole < 3600) return `${Math.trunc(whole / 60)}m${twoDigits(whole % 60)}s`;
  return `${Math.trunc(whole / 3600)}h${twoDigits(Math.trunc(whole / 60) % 60)}m`;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
