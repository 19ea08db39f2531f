import { timelinePage } from '../../show/page/timeline-page.ts';
import { textWidth } from '../../show/table.ts';
import { type CriticalNode, criticalNodes } from '../../stack/critical-path.ts';
import {
  type ExecutedRelease,
  executedReleases,
  isFailed,
  type RehearsedRelease,
  type StackRehearsal,
  segmentsOf,
  slowNodes,
  totalOf,
} from '../../stack/rehearsed.ts';
import { whyLeftOut } from '../../stack/run-graph.ts';
import { stoppedBy } from '../../stack/schedule.ts';
import { rowOf } from './rehearsal-page.ts';
import { basisText, duration, failureText, ganttLines, padded } from './rehearsal-text.ts';
import { type Row, segmentTitle, timelineRows } from './timeline.ts';

/** A rehearsal of a stack for people. Lines of at most `columns` where they can be. */
export function stackRehearsalText(whole: StackRehearsal, columns: number): string {
  const ran = executedReleases(whole);
  const critical = new Set(criticalNodes(ran).map(({ node }) => node.release));
  const shown = (release: RehearsedRelease): boolean =>
    critical.has(release) || release.rehearsal.failure !== undefined;
  const rows = whole.releases.flatMap((release) => rowsOf(release, critical.has(release), shown(release)));
  const parts = [
    [headline(whole, ran), ...ganttLines(rows, totalOf(ran), columns)],
    ...sections(whole, ran).map(({ heading, lines }) => [heading, ...shortened(lines).map((line) => `  ${line}`)]),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const mostLines = 20;

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), `and ${lines.length - mostLines + 1} more; use -o json to see all`];
}

/** The same as one HTML page. */
export function stackRehearsalPage(whole: StackRehearsal): string {
  const ran = executedReleases(whole);
  const critical = new Set(criticalNodes(ran).map(({ node }) => node.release));
  const rows = whole.releases.flatMap((release) => {
    const [head, ...inside] = rowsOf(release, critical.has(release), true);
    return head === undefined ? [] : [inside.some(({ span }) => span) ? { ...head, span: undefined } : head, ...inside];
  });
  return timelinePage([
    {
      title: headline(whole, ran),
      totalMs: totalOf(ran),
      rows: rows.map(rowOf),
      sections: sections(whole, ran).map((section) => ({ ...section, heading: section.heading.replace('(*)', '(★)') })),
    },
  ]);
}

function headline({ releases, concurrency }: StackRehearsal, ran: readonly ExecutedRelease[]): string {
  const failed = releases.filter(isFailed).length;
  const end = failed === 0 ? 'would take' : `would fail in ${failed} of them and end after`;
  const basis = basisText(releases.flatMap(({ rehearsal }) => [...rehearsal.sources.values()]));
  const count = `${releases.length} ${releases.length === 1 ? 'release' : 'releases'}`;
  return `a run over ${count}, ${concurrency} at a time, ${end} ${duration(totalOf(ran))}${basis}`;
}

/** A line for the release, and below it what takes time of it. */
function rowsOf({ node, rehearsal, when }: RehearsedRelease, isCritical: boolean, isOpen: boolean): readonly Row[] {
  if (when.kind === 'left out') return [{ depth: 0, text: `${node.id}: left out (${whyLeftOut(when.because)})` }];
  const state = rehearsal.failure === undefined ? 'ready' : 'failed';
  const head: Row = { depth: 0, text: node.id, span: { ...when, state }, isCritical };
  if (!isOpen) return [head];
  const inside = timelineRows(rehearsal).map(
    (row): Row => ({
      ...row,
      depth: row.depth + 1,
      span: row.span && {
        ...row.span,
        startMs: row.span.startMs + when.startMs,
        endMs: row.span.endMs + when.startMs,
      },
      isCritical: isCritical && row.isCritical,
    }),
  );
  return [head, ...inside];
}

const mostNamed = 5;

/** What is told below the times: failures, the critical path, and what each release would stop. */
function sections(whole: StackRehearsal, ran: readonly ExecutedRelease[]) {
  const path = slowNodes(ran);
  const failures = whole.releases.filter(isFailed);
  return [
    ...failures.map(({ node, rehearsal }) => ({
      heading: `${node.id} fails:`,
      lines: rehearsal.failure === undefined ? [] : failureText(rehearsal.failure).split('\n'),
      isFailure: true,
    })),
    {
      heading:
        path.length === 0 ? 'critical path: none (no step takes time)' : `critical path (*): ${duration(totalOf(ran))}`,
      lines: aligned(path.map((hop) => [duration(hop.node.endMs - hop.node.startMs), hopText(hop)] as const)),
      isFailure: false,
    },
    { heading: 'releases skipped if one fails:', lines: stopLines(whole), isFailure: false },
  ];
}

function hopText({ node, waitedMs }: CriticalNode<ExecutedRelease>): string {
  const parts = segmentsOf(node.release).map(
    (segment) => `${segmentTitle(segment)} ${duration(segment.span.endMs - segment.span.startMs)}`,
  );
  const waited = waitedMs === 0 ? [] : [`waited ${duration(waitedMs)} for a free slot (--concurrency)`];
  const why = [parts.join(', '), ...waited].filter((text) => text !== '').join('; ');
  return why === '' ? node.id : `${node.id}: ${why}`;
}

/** Those that stop most come first. */
function stopLines({ releases }: StackRehearsal): readonly string[] {
  const nodes = releases.map(({ node }) => node);
  const stops = nodes
    .map(({ id }) => ({ id, stopped: stoppedBy(id, nodes) }))
    .filter(({ stopped }) => stopped.length > 0)
    .sort((a, b) => b.stopped.length - a.stopped.length);
  if (stops.length === 0) return ['nothing: no release needs another one'];
  return aligned(stops.map(({ id, stopped }) => [id, namesText(stopped)] as const));
}

function namesText(names: readonly string[]): string {
  const more = names.length > mostNamed ? [`and ${names.length - mostNamed} more`] : [];
  return `${names.length}: ${[...names.slice(0, mostNamed), ...more].join(', ')}`;
}

function aligned(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([first]) => textWidth(first)));
  return rows.map(([first, second]) => `${padded(first, width)}  ${second}`);
}
