import type { ComparedOrder } from '../../actions/compare-orders.ts';
import type { TimeSource } from '../../actions/rehearsal/assumptions.ts';
import { criticalPath } from '../../actions/rehearsal/critical-path.ts';
import type { Failure, Rehearsal } from '../../actions/rehearsal/rehearsal.ts';
import { formatDuration } from '../../go/time/duration.ts';
import { textWidth } from '../../show/table.ts';
import { waitText } from '../../show/words.ts';
import { hangingIndent, trimPrefix } from '../../support/text.ts';
import { errorText } from '../errors/error-text.ts';
import type { Output } from '../terminal/io.ts';
import { type Row, type RowSpan, segmentTitle, timelineRows } from './timeline.ts';

const fewestBarColumns = 20;
/** Before a bar that is below its text. */
const belowIndent = ' '.repeat(4);

/** How wide a rehearsal is drawn; a terminal folds what takes its last column. */
export const rehearsalColumns = ({ columns }: Pick<Output, 'columns'>): number =>
  columns === undefined ? 120 : columns - 1;

/** A rehearsal for people: the timeline, the critical path, and what a failure leaves. Lines of at most `columns`. */
export function rehearsalText(rehearsal: Rehearsal, columns: number): string {
  const { failure } = rehearsal;
  const parts = [[headline(rehearsal), ...gantt(rehearsal, columns)], criticalLines(rehearsal), noteLines(rehearsal)];
  return `${[...parts.filter(({ length }) => length > 0), ...(failure === undefined ? [] : [failureLines(failure)])].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** What counts as ready although something is missing, such as a status. */
function noteLines({ steps }: Rehearsal): readonly string[] {
  const notes = steps
    .flatMap(({ spans }) => [...spans.values()])
    .flatMap(({ id, state, reason }) => (state === 'ready' && reason ? [`  ${id.kind}/${id.name}: ${reason}`] : []));
  return notes.length === 0 ? [] : ['counts as ready:', ...notes];
}

export function headline(rehearsal: Rehearsal): string {
  const { plan, totalMs, isEager, failure, sources } = rehearsal;
  const how = `${waitText(plan)}${isEager ? ', eager' : ''}`;
  const end = failure === undefined ? 'take' : 'fail after';
  return `${plan.action} ${plan.release} in namespace ${plan.namespace} (${how}) would ${end} ${duration(totalMs)}${basisText([...sources.values()])}`;
}

/** What was not measured is assumed, whoever says so. */
const sourceWords = {
  default: 'assumed by default',
  annotation: 'assumed by annotation',
  assumed: 'assumed',
  history: 'measured',
} as const;

/** What the times of a rehearsal rest on: ` if these durations are right (2 assumed by default, 1 measured)`; nothing where all were measured. */
export function basisText(sources: readonly TimeSource[]): string {
  if (sources.every((source) => source === 'history')) return '';
  const counts = (Object.keys(sourceWords) as TimeSource[])
    .map((source) => [sources.filter((one) => one === source).length, sourceWords[source]] as const)
    .filter(([count]) => count > 0);
  return ` if these durations are right (${counts.map(([count, words]) => `${count} ${words}`).join(', ')})`;
}

const gantt = (rehearsal: Rehearsal, columns: number): readonly string[] =>
  ganttLines(timelineRows(rehearsal), rehearsal.totalMs, columns);

/**
 * A line for each row: its text, a bar against the whole time where it took some, and its times; where these do not fit
 * beside each other, below each other.
 */
export function ganttLines(rows: readonly Row[], totalMs: number, columns: number): readonly string[] {
  const labels = rows.map(({ depth, text, isCritical }) => `${isCritical ? '*' : ' '} ${'  '.repeat(depth)}${text}`);
  const times = rows.map(timeText);
  const labelWidth = Math.max(0, ...labels.filter((_label, index) => rows[index]?.span).map(textWidth));
  const timeWidth = Math.max(0, ...times.map(textWidth));
  const barWidth = columns - labelWidth - timeWidth - 4;
  const isNarrow = barWidth < fewestBarColumns;
  const below = columns - belowIndent.length - timeWidth - 3;
  const isBeside = below >= fewestBarColumns;
  const width = isNarrow ? (isBeside ? below : Math.max(1, columns - belowIndent.length - 2)) : barWidth;
  return rows.flatMap((row, index) => {
    const label = labels[index] ?? '';
    const time = times[index] ?? '';
    if (row.span === undefined) return [label];
    const bar = `|${barOf(row.span, totalMs, width)}|`;
    if (!isNarrow) return [`${padded(label, labelWidth)} ${bar} ${time}`.trimEnd()];
    return isBeside
      ? [label, `${belowIndent}${bar} ${time}`.trimEnd()]
      : [label, belowIndent + bar, belowIndent + time];
  });
}

export function timeText({ span, source }: Row): string {
  if (span === undefined) return '';
  const { startMs, endMs, state } = span;
  const from = source === undefined ? '' : `, ${sourceWords[source]}`;
  const mark = state === 'failed' ? ' FAILED' : state === 'waiting' ? ' not ready' : '';
  return `${duration(startMs)}–${duration(endMs)} (${duration(endMs - startMs)}${from})${mark}`;
}

function barOf({ startMs, endMs, state }: RowSpan, totalMs: number, width: number): string {
  const scale = totalMs === 0 ? 0 : width / totalMs;
  const from = Math.min(width - 1, Math.floor(startMs * scale));
  const to = Math.max(from + 1, Math.round(endMs * scale));
  const fill = state === 'failed' || state === 'waiting' ? '×' : '█';
  return `${' '.repeat(from)}${fill.repeat(to - from)}${' '.repeat(width - to)}`;
}

/** Orders of one change for people: their times beside each other, then what each of them consists of. */
export function comparisonText(orders: readonly ComparedOrder[], fail: string, columns: number): string {
  const rows = orders.map(({ order, rehearsal }): Row => {
    const state = rehearsal.failure === undefined ? 'ready' : 'failed';
    const text = `${orderWords[order]}: ${restartsText(rehearsal, orders)}`;
    return { depth: 0, text, span: { startMs: 0, endMs: rehearsal.totalMs, state } };
  });
  const [{ plan, sources }] = orders.map(({ rehearsal }) => rehearsal) as [Rehearsal];
  const title = `${plan.action} ${plan.release} in namespace ${plan.namespace} with --fail '${fail}'${basisText([...sources.values()])}`;
  const longest = Math.max(...orders.map(({ rehearsal }) => rehearsal.totalMs));
  const paths = orders.map(({ order, rehearsal }) => [
    `${orderWords[order]}, ${criticalLines(rehearsal).join('\n').replace(' (*)', '')}`,
    ...(rehearsal.failure === undefined ? [] : failureLines(rehearsal.failure).slice(0, 1)),
  ]);
  return `${[[title, ...ganttLines(rows, longest, columns)], ...paths].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const orderWords = {
  none: 'no order',
  declared: 'the declared order',
  suggested: 'the suggested order',
} as const;

/** `1 restart, 3 avoided`, against no order. */
function restartsText({ restarts }: Rehearsal, [none]: readonly ComparedOrder[]): string {
  const avoided = (none?.rehearsal.restarts ?? 0) - restarts;
  return `${restarts} ${restarts === 1 ? 'restart' : 'restarts'}${avoided > 0 ? `, ${avoided} avoided` : ''}`;
}

/** How one of several orders would go, for a heading. */
export const comparedHeadline = ({ order, rehearsal }: ComparedOrder, orders: readonly ComparedOrder[]): string =>
  `${orderWords[order]}: ${headline(rehearsal)}; ${restartsText(rehearsal, orders)}`;

export function criticalLines(rehearsal: Rehearsal): readonly string[] {
  const path = criticalPath(rehearsal.steps, rehearsal.isEager);
  if (path.length === 0) return ['critical path: none (no step takes time)'];
  const times = path.map(({ span }) => duration(span.endMs - span.startMs));
  const width = Math.max(...times.map(textWidth));
  const sum = path.reduce((total, { span }) => total + span.endMs - span.startMs, 0);
  return [
    `critical path (*): ${duration(sum)}`,
    ...path.map((segment, index) => `  ${padded(times[index] ?? '', width)}  ${segmentTitle(segment)}`),
  ];
}

/** What a failure leaves: headings, and what is below each; the error comes first. */
export function failureParts(failure: Failure) {
  const { neverStarted, left, revisions } = failure;
  return [
    { title: 'the error', lines: [failureText(failure)] },
    { title: 'never started', lines: neverStarted },
    { title: 'left in the cluster', lines: left.map(({ name, state }) => `${name}: ${state}`) },
    {
      title: 'revisions',
      lines: revisions.map(
        ({ revision, status, description }) => `${revision} ${status}: ${description?.split('\n')[0] ?? ''}`,
      ),
    },
  ];
}

/** The error as a real run prints it. */
export const failureText = ({ error }: Failure): string => trimPrefix(errorText(error), 'Error: ').trimEnd();

function failureLines(failure: Failure): readonly string[] {
  const [error, ...others] = failureParts(failure);
  const message = error?.lines[0] ?? '';
  return [`the error: ${hangingIndent(message, 2)}`, ...others.flatMap(({ title, lines }) => listLines(title, lines))];
}

const listLines = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [`${title}: nothing`] : [`${title}:`, ...items.map((item) => `  ${item}`)];

export const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)));

/** `1m30s`, to the millisecond. */
export const duration = (ms: number): string => formatDuration(BigInt(Math.round(ms)) * 1_000_000n);
