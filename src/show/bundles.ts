import type { Gate, Line } from './layout/types.ts';
import type { PictureColumn } from './picture-types.ts';

/** Columns of fewer boxes show each arrow. */
const fewestBoxes = 7;

/**
 * Arrows that lead from the same boxes to all boxes of a large column, or from all boxes of one, become arrows to and from
 * its side: 20 charts that 380 others wait for would be 7,600 arrows. `path` begins the ids of the gates.
 */
export function bundled(columns: readonly PictureColumn[], arrows: readonly Line[], path: string) {
  const sides = columns.flatMap(({ boxes }, column) => {
    if (boxes.length < fewestBoxes) return [];
    const ids = boxes.map(({ id }) => id);
    const gate = (side: 'in' | 'out'): Gate => ({ id: `${path}_${side}${column + 1}`, column, side });
    return { ids, into: gate('in'), outOf: gate('out') };
  });
  let bundledArrows = arrows;
  const gates: Gate[] = [];
  for (const { ids, into, outOf } of sides) {
    bundledArrows = gathered(bundledArrows, ids, { mine: 'to', other: 'from', gate: into }, gates);
    bundledArrows = gathered(bundledArrows, ids, { mine: 'from', other: 'to', gate: outOf }, gates);
  }
  return { arrows: bundledArrows, gates };
}

interface Side {
  /** The end of an arrow that is in the column. */
  readonly mine: 'from' | 'to';
  readonly other: 'from' | 'to';
  readonly gate: Gate;
}

/** Those other ends that are joined to every box of the column are joined to its gate instead. */
function gathered(
  arrows: readonly Line[],
  ids: readonly string[],
  { mine, other, gate }: Side,
  gates: Gate[],
): readonly Line[] {
  const inColumn = new Set(ids);
  const joined = new Map<string, Set<string>>();
  for (const arrow of arrows) {
    if (!inColumn.has(arrow[mine])) continue;
    const known = joined.get(arrow[other]);
    if (known === undefined) joined.set(arrow[other], new Set([arrow[mine]]));
    else known.add(arrow[mine]);
  }
  const whole = new Set([...joined].filter(([, members]) => members.size === inColumn.size).map(([id]) => id));
  if (whole.size === 0) return arrows;
  gates.push(gate);
  const left = arrows.filter((arrow) => !inColumn.has(arrow[mine]) || !whole.has(arrow[other]));
  const added = [...whole].map((id) => (mine === 'to' ? { from: id, to: gate.id } : { from: gate.id, to: id }));
  return [...left, ...added];
}
