import { randomBytes } from 'node:crypto';
import { isOfObject, isSameObject, type Problem } from '../../../problem/problem.ts';
import { messageOf, problemsOf, TshelmError } from '../../../support/errors.ts';
import type { RunModel } from '../model.ts';
import type { Outcome } from '../reporter.ts';
import { type Branch, isRow, needsAttention, type Row, stateWord } from '../rows.ts';
import type { Attributes, Span, SpanEvent } from './otlp.ts';

/** Where spans belong: a trace, and the span that they are part of. */
export interface Place {
  readonly traceId: string;
  readonly parentSpanId: string | undefined;
  readonly traceState?: string | undefined;
}

export const newTraceId = (): string => randomBytes(16).toString('hex');
export const newSpanId = (): string => randomBytes(8).toString('hex');

/** The release, its steps, batches, subcharts and groups, the objects, and how each of them was waited for. */
export function spansOfRun(model: RunModel, outcome: Outcome, place: Place): readonly Span[] {
  const { action, release, chart, startedMs } = model;
  const endMs = model.endedMs ?? startedMs;
  const spanId = newSpanId();
  const run: Span = {
    ...place,
    spanId,
    name: `${action} ${release}`,
    startMs: startedMs,
    endMs,
    attributes: { ...attributesOfRun(model, outcome), 'tshelm.chart': chart },
    ...ending(outcome, endMs),
  };
  const problems = outcome.kind === 'succeeded' ? [] : problemsOf(outcome.failure);
  const inside = { ...place, parentSpanId: spanId };
  return [run, ...model.steps.flatMap((step) => spansOfBranch(step, inside, { endMs, problems }))];
}

export const attributesOfRun = ({ action, release, namespace }: RunModel, outcome: Outcome): Attributes => ({
  'tshelm.action': action,
  'tshelm.release': release,
  'k8s.namespace.name': namespace,
  'tshelm.outcome': outcome.kind,
});

/** How a run, or a stack, ended. */
export function ending(outcome: Outcome, atMs: number): Pick<Span, 'events' | 'failure'> {
  if (outcome.kind === 'succeeded') return { events: [] };
  const { failure, kind } = outcome;
  const message = messageOf(failure);
  const type = failure instanceof TshelmError ? failure.code : kind;
  const attributes = { 'exception.type': type, 'exception.message': message };
  return { events: [{ name: 'exception', atMs, attributes }], failure: message };
}

interface Run {
  readonly endMs: number;
  readonly problems: readonly Problem[];
}

/** What has not begun is left out. */
function spansOfBranch(branch: Branch, place: Place, run: Run): readonly Span[] {
  const { kind, title, startedMs, endedMs = run.endMs, children, failed } = branch;
  const spanId = newSpanId();
  const below = startedMs === undefined ? place : { ...place, parentSpanId: spanId };
  const spans = children.flatMap((child) =>
    isRow(child) ? spansOfRow(child, below, run) : spansOfBranch(child, below, run),
  );
  if (startedMs === undefined) return spans;
  const failure = failed > 0 ? `${failed} of ${branch.total} failed` : undefined;
  const attributes = { 'tshelm.part': kind, 'tshelm.objects': branch.total };
  const own: Span = {
    ...place,
    spanId,
    name: title,
    startMs: startedMs,
    endMs: endedMs,
    attributes,
    events: [],
    failure,
  };
  return [own, ...spans];
}

function spansOfRow(row: Row, place: Place, run: Run): readonly Span[] {
  const { startedMs, appliedMs, endedMs = run.endMs, isWaitedFor } = row;
  if (startedMs === undefined) return [];
  const spanId = newSpanId();
  const name = row.event === undefined ? row.label : `${row.event} hook ${row.label}`;
  const common = { endMs: endedMs, attributes: attributesOf(row), ...trouble(row, run) };
  const own: Span = { ...place, ...common, spanId, name, startMs: startedMs };
  if (!isWaitedFor || appliedMs === undefined) return [own];
  const wait: Span = {
    ...place,
    ...common,
    parentSpanId: spanId,
    spanId: newSpanId(),
    name: `wait for ${name}`,
    startMs: appliedMs,
  };
  return [{ ...own, events: [] }, wait];
}

const attributesOf = (row: Row): Attributes => ({
  'tshelm.object.kind': row.id.kind,
  'tshelm.object.api_version': row.id.apiVersion,
  'tshelm.object.name': row.id.name,
  'k8s.namespace.name': row.id.namespace || undefined,
  'tshelm.object.state': stateWord(row, true),
  'tshelm.hook': row.event,
  'tshelm.template': row.source || undefined,
});

/** Why an object was not ready, or failed. */
function trouble(row: Row, { endMs, problems }: Run): { events: readonly SpanEvent[]; failure?: string } {
  const isTrouble = row.state === 'failed' || (needsAttention(row) && (row.reason !== '' || row.cause !== ''));
  if (!isTrouble) return { events: [] };
  const own = problems.filter(isOfObject).find(({ subject }) => isSameObject(subject.id, row.id));
  const failure = row.cause || row.reason || row.state;
  const attributes = {
    'tshelm.cause': failure,
    'tshelm.problem': own?.code,
    'tshelm.log': row.lastLogLine || undefined,
  };
  return { events: [{ name: 'cause', atMs: row.endedMs ?? endMs, attributes }], failure };
}
