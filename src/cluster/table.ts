import type { KubernetesObject } from '../manifest/types.ts';
import { listOf, struct } from './shape.ts';
import type { ObjectTable } from './types.ts';

interface ServerTable {
  readonly kind?: string;
  readonly columnDefinitions?: readonly { readonly name?: string; readonly priority?: number }[] | null;
  readonly rows?: readonly { readonly cells?: unknown }[] | null;
}

/** What an answer in place of an object may be. */
export const tableShape = struct('Table', {
  kind: 'string',
  metadata: struct('ObjectMeta', { name: 'string' }),
  columnDefinitions: listOf(struct('TableColumnDefinition', { name: 'string' })),
  rows: listOf(struct('TableRow', {})),
});

/**
 * The columns of a meta.k8s.io/v1 Table that are shown without `-o wide` (priority 0). A server that cannot print
 * tables answers with the object itself: then it is its name.
 */
export function readTable(answer: unknown): ObjectTable {
  const table = answer as ServerTable;
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
