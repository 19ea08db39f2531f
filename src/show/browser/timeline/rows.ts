import { all } from '../dom.ts';

/** A row of a timeline's table, in its place in the tree. */
export interface Row {
  readonly element: HTMLElement;
  readonly owner: Row | undefined;
  readonly inside: Row[];
  readonly text: string;
  isOpen: boolean;
}

/** Reads the rows, once; each is in the last one before it that is less deep. */
export function readRows(): readonly Row[] {
  const rows: Row[] = [];
  const path: Row[] = [];
  let table: Element | null = null;
  for (const element of all<HTMLElement>('.row')) {
    const depth = Number(element.ariaLevel) - 1;
    path.length = element.parentElement === table ? Math.min(path.length, depth) : 0;
    table = element.parentElement;
    const owner = path.at(-1);
    const isOpen = element.ariaExpanded !== 'false';
    const text = element.querySelector('.text')?.textContent ?? '';
    const row: Row = { element, owner, inside: [], text: text.toLowerCase(), isOpen };
    owner?.inside.push(row);
    path.push(row);
    rows.push(row);
  }
  return rows;
}

/** Those that a row is in, the innermost first. */
export const aroundRow = ({ owner }: Row): readonly Row[] => (owner === undefined ? [] : [owner, ...aroundRow(owner)]);

/** Shows which rows are open, and hides what is in closed ones. */
export function showRows(rows: readonly Row[]): void {
  for (const row of rows) {
    row.element.hidden = aroundRow(row).some(({ isOpen }) => !isOpen);
    if (row.inside.length > 0) row.element.ariaExpanded = String(row.isOpen);
  }
}
