import type { UnitState } from '../../execute/events.ts';
import { isSequencing } from '../../plan/sequencing.ts';
import type { Release } from '../../release/types.ts';
import { tableText } from '../../show/table.ts';
import { ansicTime } from './time.ts';

/** How far each unit and group of a release came that was deployed in an order; '' for any other. */
export function unitTableText({ sequencing }: Release): string {
  const states = isSequencing(sequencing) ? ((sequencing.states ?? []) as readonly UnitState[]) : [];
  if (states.length === 0) return '';
  return `UNITS:\n${tableText([['NAME', 'STATE', 'STARTED', 'ENDED', 'REASON'], ...states.map(rowOf)])}`;
}

const rowOf = ({ unit, node, state, startedAt, endedAt, reason = '' }: UnitState): readonly string[] => [
  node === undefined ? unit : `${unit} ${node}`,
  state,
  timeText(startedAt),
  timeText(endedAt),
  reason.split('\n')[0] as string,
];

const timeText = (time: string | undefined): string => (time === undefined ? '' : ansicTime(time));
