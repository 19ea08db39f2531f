import type { ObjectTable } from '../../cluster/types.ts';
import { textWidth } from '../../show/table.ts';
import { compareText } from '../../support/order.ts';

/** The live objects of a release, a table for each kind, with the columns that `kubectl get` shows. */
export const resourceTableText = (tables: ReadonlyMap<string, ObjectTable>): string =>
  [...tables]
    .sort(([a], [b]) => compareText(a, b))
    .filter(([, table]) => table.rows.length > 0)
    .map(([group, { columns, rows }]) => `==> ${group}\n${alignedText([columns, ...rows])}\n`)
    .join('');

/** Columns three spaces apart, as kubectl prints them. */
function alignedText(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, textWidth(cell))));
  const lines = rows.map((row) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - textWidth(cell))),
  );
  return lines.map((cells) => `${cells.join('   ').trimEnd()}\n`).join('');
}
