import type { Rehearsal } from '../../actions/rehearsal/rehearsal.ts';
import { timelinePage } from '../../show/page/timeline-page.ts';
import type { Timeline, TimelineRow, TimelineSpan } from '../../show/timeline/types.ts';
import { criticalLines, failureParts, timeText } from './rehearsal-text.ts';
import { type Row, timelineRows } from './timeline.ts';

/** Rehearsals, each below its title. */
type Titled = readonly { readonly title: string; readonly rehearsal: Rehearsal }[];

/** Rehearsals as one HTML page: what `-o table` says of them, drawn. */
export const rehearsalPage = (rehearsals: Titled): string => timelinePage(rehearsals.map(timelineOf));

function timelineOf({ title, rehearsal }: Titled[number]): Timeline {
  const [critical = '', ...path] = criticalLines(rehearsal);
  const { failure } = rehearsal;
  const failureSections = failure === undefined ? [] : failureParts(failure);
  return {
    title,
    totalMs: rehearsal.totalMs,
    rows: timelineRows(rehearsal).map(rowOf),
    sections: [
      ...failureSections.map(({ title, lines }) => ({
        heading: title,
        lines,
        isFailure: title === failureSections[0]?.title,
      })),
      { heading: critical.replace('(*)', '(★)'), lines: path.map((line) => line.trim()), isFailure: false },
    ],
  };
}

export const rowOf = (row: Row): TimelineRow => ({
  depth: row.depth,
  text: row.text,
  span: row.span === undefined ? undefined : { ...row.span, state: stateOf(row.span.state) },
  time: timeText(row),
  isCritical: row.isCritical ?? false,
});

const stateOf = (state: string): TimelineSpan['state'] => (state === 'failed' || state === 'waiting' ? state : 'done');
