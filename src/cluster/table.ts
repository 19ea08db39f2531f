import type { KubernetesObject } from '../manifest/types.ts';
import { listOf, type Shaped, struct } from './shape.ts';
import type { ObjectTable } from './types.ts';

/** What an answer in place of an object may be. */
export const tableShape = struct('Table', {
  kind: 'string',
  metadata: struct('ObjectMeta', { name: 'string' }),
  columnDefinitions: listOf(struct('TableColumnDefinition', { name: 'string', priority: 'any' })),
  rows: listOf(struct('TableRow', { cells: 'any' })),
});

/**
 * The columns of a meta.k8s.io/v1 Table that are shown without `-o wide` (priority 0). A server that cannot print
 * tables answers with the object itself: then it is its name.
 */
export function readTable(answer: unknown): ObjectTable {
  const table = answer as Shaped<typeof tableShape>;
  if (table.kind !== 'Table')
    return { columns: ['NAME'], rows: [[(answer as Partial<KubernetesObject>).metadata?.name ?? '']] };
  const columns = table.columnDefinitions ?? [];
  const shown = columns.flatMap(({ priority = 0 }, column) => (priority === 0 ? [column] : []));
  return {
    columns: shown.map((column) => columns[column]?.name?.toUpperCase() ?? ''),
    rows: (table.rows ?? []).map(({ cells }) =>
      shown.map((column) => cellText(Array.isArray(cells) ? (cells as unknown[])[column] : undefined)),
    ),
  };
}

const cellText = (cell: unknown): string =>
  typeof cell === 'string' || typeof cell === 'number'
    ? String(cell)
    : cell === true
      ? 'true'
      : cell === false
        ? 'false'
        : '<none>';
