/** The script of a page with timelines. It shows, hides and moves what the page already holds. */
import { all, byId, onPress } from '../dom.ts';
import { listenToKeys } from '../tree-keys.ts';
import { TimeChart } from './chart.ts';
import { aroundRow, type Row, readRows, showRows } from './rows.ts';

const rows = readRows();
const byElement = new Map(rows.map((row) => [row.element, row]));
const charts = all<HTMLElement>('.timeline').map((section) => new TimeChart(section));
const field = byId<HTMLInputElement>('search');

function toggle(row: Row): void {
  if (row.inside.length === 0) return;
  row.isOpen = !row.isOpen;
  showRows(rows);
}

let inTabOrder = rows[0];
function focus(row: Row): void {
  inTabOrder?.element.setAttribute('tabindex', '-1');
  inTabOrder = row;
  row.element.setAttribute('tabindex', '0');
  row.element.focus();
}

function setAll(isOpen: boolean): void {
  for (const row of rows) row.isOpen = isOpen || row.owner === undefined;
  showRows(rows);
}

let hits: readonly Row[] = [];
let next = 0;
function seek(): void {
  const wanted = field.value.trim().toLowerCase();
  hits = wanted === '' ? [] : rows.filter(({ text }) => text.includes(wanted));
  next = -1;
  for (const row of rows) row.element.classList.toggle('found', hits.includes(row));
  for (const row of hits.flatMap(aroundRow)) row.isOpen = true;
  showRows(rows);
  hits[0]?.element.scrollIntoView({ block: 'center' });
  byId('found').textContent = wanted === '' ? '' : hits.length === 0 ? 'nothing found' : `${hits.length} found`;
}

field.addEventListener('input', seek);
field.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || hits.length === 0) return;
  next = (next + (event.shiftKey ? hits.length - 1 : 1)) % hits.length;
  hits[next]?.element.scrollIntoView({ block: 'center' });
  byId('found').textContent = `${next + 1} of ${hits.length}`;
});

const rowOf = (target: EventTarget | null): Row | undefined =>
  target instanceof Element ? byElement.get(target.closest('.row') as HTMLElement) : undefined;
document.addEventListener('click', (event) => {
  const row = rowOf(event.target);
  if (row !== undefined && (event.target as Element).closest('.name') !== null) toggle(row);
});

const everyChart = (act: (chart: TimeChart) => void) => (): void => charts.forEach(act);
const nearer = everyChart((chart) => chart.zoom(1.5));
const farther = everyChart((chart) => chart.zoom(1 / 1.5));
const fit = everyChart((chart) => chart.fit());
const step = 0.2;
listenToKeys({
  tree: {
    seen: () => rows.filter(({ element }) => !element.hidden),
    isOpen: ({ inside, isOpen }) => (inside.length > 0 ? isOpen : undefined),
    firstInside: ({ inside }) => inside[0],
    around: ({ owner }) => owner,
    focus,
    toggle,
    pick: toggle,
  },
  itemOf: rowOf,
  shifted: { ArrowLeft: everyChart((chart) => chart.step(-step)), ArrowRight: everyChart((chart) => chart.step(step)) },
  plain: {
    '+': nearer,
    '=': nearer,
    '-': farther,
    0: fit,
    '/': () => field.focus(),
    Escape: () => {
      field.value = '';
      seek();
    },
  },
});
onPress('in', nearer);
onPress('out', farther);
onPress('fit', fit);
onPress('open', () => setAll(true));
onPress('close', () => setAll(false));

inTabOrder?.element.setAttribute('tabindex', '0');
byId<HTMLDetailsElement>('legend').open = document.documentElement.clientWidth > 700;
showRows(rows);
