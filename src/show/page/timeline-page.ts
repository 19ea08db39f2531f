import timelineScript from '../browser/timeline.script';
import { ticks, tickText } from '../timeline/ticks.ts';
import type { Timeline, TimelineRow, TimelineSection, TimelineSpan } from '../timeline/types.ts';
import commonStyle from './common.css?raw';
import { htmlPage } from './document.ts';
import { escapeHtml } from './markup.ts';
import timelineStyle from './timeline.css?raw';

/** At most so many rows are seen at first, if closing those that hold others can do it. */
const mostOpen = 60;
/** Of what a section shows at once. */
const mostLines = 12;
/** The drawing's units across its whole time. */
const across = 1000;

/**
 * Runs against time as one HTML page: a table of what happened, each row with its bar; to zoom into, to open and to search.
 * The first one gives the title.
 */
export function timelinePage(timelines: readonly Timeline[]): string {
  const title = timelines[0]?.title ?? '';
  return htmlPage({
    title,
    style: commonStyle + timelineStyle,
    script: timelineScript,
    header: `<h1>${escapeHtml(title)}</h1>
<div class="tools">
<input id="search" type="search" placeholder="Find ( / )" aria-label="Find a chart, group or resource" size="22"> <span id="found" role="status"></span>
<span class="buttons"><button id="out" title="Zoom out (-)" aria-label="Zoom out">−</button><button id="in" title="Zoom in (+)" aria-label="Zoom in">+</button><button id="fit" title="Fit the whole time (0)">Fit</button></span>
<span class="buttons"><button id="open">Open all</button><button id="close">Close all</button></span>
</div>`,
    main: `<main>
${timelines.map((timeline, index) => timelineText(timeline, index)).join('\n')}
<details id="legend" open><summary>Legend and keys</summary><ul>
${entry('bar done', 'runs or is waited for')}${entry('bar done critical', 'on the critical path: the run would finish earlier if this took less time')}${entry('bar failed', 'fails')}${entry('bar waiting', 'not ready when the run ends')}${entry('bar group', 'from the start of its first item to the end of its last')}</ul>
<p><kbd>↑</kbd> <kbd>↓</kbd> from row to row, <kbd>→</kbd> open, <kbd>←</kbd> close, <kbd>Shift</kbd> with <kbd>←</kbd> <kbd>→</kbd> move in time, <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> zoom, <kbd>/</kbd> find, <kbd>Esc</kbd> back</p></details>
</main>`,
  });
}

const entry = (classes: string, meaning: string): string =>
  `<li><svg class="key" width="28" height="14" aria-hidden="true"><rect class="${classes}" width="28" height="14"/></svg> ${meaning}</li>`;

function timelineText({ title, totalMs, rows, sections }: Timeline, index: number): string {
  const total = Math.max(totalMs, 1);
  const deepest = deepestOpen(rows);
  const rowTexts = rows.map((_row, at) => rowText(rows, at, { total, deepest, id: `t${index + 1}_${at + 1}` }));
  const heading = index === 0 ? '' : `<h2>${escapeHtml(title)}</h2>\n`;
  return `<section class="timeline" data-total="${total}">
${heading}<svg class="overview" viewBox="0 0 ${across} ${rows.length}" preserveAspectRatio="none" aria-hidden="true">${overviewBars(rows, total)}<rect class="seen" width="${across}" height="${rows.length}"/></svg>
<div class="axis" aria-hidden="true"><svg>${ticks(0, total, 6)
    .map((ms) => axisTick(ms, total))
    .join('')}</svg></div>
<div class="rows" role="treegrid" aria-label="${escapeHtml(title)}" aria-readonly="true">
${rowTexts.join('\n')}
</div>
${sections.map(sectionText).join('\n')}
</section>`;
}

/** All bars, each high enough to be seen. */
function overviewBars(rows: readonly TimelineRow[], total: number): string {
  const height = Math.max(0.8, rows.length / 30).toFixed(1);
  return rows
    .map(({ span, isCritical }, at) =>
      span === undefined ? '' : rectText({ span, total, isCritical }, `y="${at}" height="${height}"`),
    )
    .join('');
}

const axisTick = (ms: number, total: number): string =>
  `<text${ms / total > 0.94 ? ' class="last"' : ''} x="${((ms / total) * 100).toFixed(2)}%" y="12">${tickText(ms)}</text>`;

function rowText(
  rows: readonly TimelineRow[],
  at: number,
  { total, deepest, id }: { readonly total: number; readonly deepest: number; readonly id: string },
): string {
  const { depth, text, span, time, isCritical } = rows[at] as TimelineRow;
  const inside = insideOf(rows, at);
  const isClosed = depth >= deepest && inside.length > 0;
  const shown = span ?? wholeOf(inside);
  const state =
    shown === undefined || shown.state === 'done' ? '' : `, ${shown.state === 'failed' ? 'failed' : 'not ready'}`;
  const bar =
    shown === undefined
      ? ''
      : rectText(
          {
            span: shown,
            total,
            isCritical: isCritical || inside.some((row) => row.isCritical),
            isGroup: span === undefined,
          },
          'height="10"',
        );
  const expanded = inside.length === 0 ? '' : ` aria-expanded="${!isClosed}"`;
  const classes = [
    'row',
    `d${Math.min(depth, 9)}`,
    ...(inside.length > 0 ? ['title'] : []),
    ...(shown === undefined ? ['quiet'] : []),
    ...(isCritical ? ['critical'] : []),
  ];
  const critical = isCritical ? '<span class="unseen">, on the critical path</span>' : '';
  return `<div class="${classes.join(' ')}" id="${id}" role="row" tabindex="-1" aria-level="${depth + 1}"${expanded}><div class="name" role="rowheader"><span class="sign" aria-hidden="true"></span><span class="text">${escapeHtml(text)}</span><span class="unseen">${state}</span>${critical}</div><div class="time" role="gridcell">${escapeHtml(time)}</div><div class="track" role="gridcell"><svg viewBox="0 0 ${across} 10" preserveAspectRatio="none" aria-hidden="true">${bar}</svg></div></div>`;
}

/** The depth of the rows that are seen but closed at first. */
function deepestOpen(rows: readonly TimelineRow[]): number {
  let depth = 1;
  while (depth < 99 && rows.filter((row) => row.depth <= depth + 1).length <= mostOpen) depth++;
  return depth;
}

/** The rows in a row: those below it that are deeper. */
function insideOf(rows: readonly TimelineRow[], at: number): readonly TimelineRow[] {
  const { depth } = rows[at] as TimelineRow;
  const end = rows.findIndex((row, index) => index > at && row.depth <= depth);
  return rows.slice(at + 1, end < 0 ? rows.length : end);
}

function wholeOf(rows: readonly TimelineRow[]): TimelineSpan | undefined {
  const spans = rows.flatMap(({ span }) => span ?? []);
  if (spans.length === 0) return undefined;
  const bad = spans.find(({ state }) => state === 'failed') ?? spans.find(({ state }) => state === 'waiting');
  return {
    startMs: Math.min(...spans.map(({ startMs }) => startMs)),
    endMs: Math.max(...spans.map(({ endMs }) => endMs)),
    state: bad?.state ?? 'done',
  };
}

interface Bar {
  readonly span: TimelineSpan;
  readonly total: number;
  readonly isCritical: boolean;
  readonly isGroup?: boolean | undefined;
}

/** A bar is never thinner than can be seen. */
function rectText({ span, total, isCritical, isGroup = false }: Bar, place: string): string {
  const left = (span.startMs / total) * across;
  const width = Math.max(2, ((span.endMs - span.startMs) / total) * across);
  const classes = ['bar', span.state, ...(isCritical ? ['critical'] : []), ...(isGroup ? ['group'] : [])];
  return `<rect class="${classes.join(' ')}" x="${Math.min(left, across - 2).toFixed(2)}" width="${width.toFixed(2)}" ${place}/>`;
}

/** Lines below their heading; many of them are closed at first. */
function sectionText({ heading, lines, isFailure }: TimelineSection): string {
  const list = `<ul class="${isFailure ? 'bad' : 'told'}">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;
  if (lines.length === 0) return '';
  if (lines.length <= mostLines) return `<h3>${escapeHtml(heading)}</h3>${list}`;
  return `<details><summary><h3>${escapeHtml(heading)}: ${lines.length}</h3></summary>${list}</details>`;
}
