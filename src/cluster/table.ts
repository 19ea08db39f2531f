import type { KubernetesObject } from '../manifest/types.ts';
import type { ObjectTable } from './types.ts';

interface ServerTable {
  readonly kind?: string;
  readonly columnDefinitions: readonly { readonly name: string; readonly priority?: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[] | null;
}

/**
 * The columns of a meta.k8s.io/v1 Table that are shown without `-o wide` (priority 0). A server that cannot print
 * tables answers with the object itself: then it is its name.
 */
export function readTable(answer: unknown): ObjectTable {
  const table = answer as ServerTable;
  if (table.kind !== 'Table') return { columns: ['NAME'], rows: [[(answer as KubernetesObject).metadata.name]] };
  const shown = table.columnDefinitions.flatMap(({ priority = 0 }, column) => (priority === 0 ? [column] : []));
  return {
    columns: shown.map((column) => table.columnDefinitions[column]?.name.toUpperCase() ?? ''),
    rows: (table.rows ?? []).map(({ cells }) => shown.map((column) => cellText(cells[column]))),
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
