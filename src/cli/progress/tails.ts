import { printableLine } from '../../support/printable.ts';
import { trimPrefix } from '../../support/text.ts';
import { clipped, shortened } from '../terminal/fit.ts';
import type { RunModel } from './model.ts';
import type { Style } from './style.ts';
import type { Size } from './tree.ts';

const maxLines = 6;
const leastName = 10;

/** The last words of pods that are waited for, below the tree: a quarter of the terminal at most, and of a line for the pod's name. */
export function tailLines(model: RunModel, { columns, rows }: Size, { paint, marks }: Style): string[] {
  const room = Math.min(maxLines, Math.trunc(rows / 4));
  if (room === 0 || model.tails.size === 0) return [];
  const tails = [...model.tails].filter(([, { of }]) => model.isOpen(of));
  const each = Math.max(1, Math.trunc(room / Math.max(1, tails.length)));
  return tails
    .flatMap(([pod, { lines }]) => {
      const name = shortened(trimPrefix(pod, 'Pod/'), Math.max(leastName, Math.trunc(columns / 4)), marks.ellipsis);
      return lines.slice(-each).map((line) => `${name} ${marks.bar} ${printableLine(line)}`);
    })
    .slice(0, room)
    .map((line) => paint.dim(clipped(`  ${line}`, columns, marks.ellipsis)));
}
