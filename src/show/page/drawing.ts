import { placeDrawing } from '../layout/layout.ts';
import { curveText, gateText, placeText, round } from '../layout/path.ts';
import type { Drawing, DrawingBox, Placed, PlacedBox } from '../layout/types.ts';
import type { Picture, PictureBox } from '../picture-types.ts';
import { countOf, countText, holdsBoxes, kindWord } from './boxes.ts';
import { escapeHtml, firstOf, shortened } from './markup.ts';

/**
 * A picture as an SVG element, in place as far as its boxes are open. Everything that the page's script needs to place it
 * anew is in attributes: it reads no text.
 */
export function drawingText(picture: Picture, open: ReadonlySet<string>, label: string): string {
  const placed = placeDrawing(drawingOf(picture, open));
  const [width, height] = [Math.ceil(placed.width), Math.ceil(placed.height)];
  return `<svg id="plan" viewBox="0 0 ${width} ${height}" role="tree" aria-label="${escapeHtml(label)}">
<defs><marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${levelText({ picture, placed, open, depth: 1 })}</svg>`;
}

const text = {
  title: 8.3,
  line: 6.7,
  lineHeight: 15,
  head: 30,
  padding: 12,
  toggle: 24,
  longest: 38,
  lines: 5,
  caption: 22,
} as const;

/** A picture as the layout takes it; what is inside a closed box is not part of it. */
const drawingOf = ({ columns, arrows, gates }: Picture, open: ReadonlySet<string>): Drawing => ({
  columns: columns.map(({ boxes }) => boxes.map((box) => drawingBox(box, open))),
  lines: arrows,
  gates,
  captionHeight: captionHeight(columns),
});

const captionHeight = (columns: Picture['columns']): number =>
  columns.some(({ caption }) => caption !== '') ? text.caption : 0;

function drawingBox(box: PictureBox, open: ReadonlySet<string>): DrawingBox {
  const { id } = box;
  if (!open.has(id)) return { id, ...closedSize(box) };
  return holdsBoxes(box) ? { id, ...closedSize(box), inside: drawingOf(box.inside, open) } : { id, ...openSize(box) };
}

/** Of its head alone: the title, how much it holds, and the sign that opens it. */
function closedSize(box: PictureBox) {
  const count = countOf(box);
  const sign = count === 0 ? 0 : String(count).length * text.line + text.toggle + 8;
  const width =
    Math.ceil(textLength(titleOf(box)) * text.title + sign) + text.padding + (count === 0 ? text.padding : 0);
  return { width: Math.max(96, width), height: text.head };
}

function openSize(box: PictureBox) {
  const lines = linesOf(box);
  if (lines.length === 0) return closedSize(box);
  const widest = Math.max(...lines.map((line) => textLength(line) * text.line));
  const width = Math.max(closedSize(box).width, Math.ceil(widest) + 2 * text.padding);
  return { width, height: text.head + lines.length * text.lineHeight + 6 };
}

const titleOf = ({ title }: PictureBox): string => shortened(title, text.longest);

/** What an open box shows of its contents. */
function linesOf(box: PictureBox): readonly string[] {
  if (holdsBoxes(box)) return [];
  const { contents } = box;
  const isAll = contents.length <= text.lines;
  const shown = isAll ? contents : contents.slice(0, text.lines - 1);
  return [
    ...shown.map((line) => shortened(line, text.longest)),
    ...(isAll ? [] : [`and ${contents.length - shown.length} more`]),
  ];
}

/** The width of a text in letters; those of wide scripts count twice. */
const textLength = (value: string): number =>
  [...value].reduce((sum, character) => sum + ((character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1), 0);

interface Level {
  readonly picture: Picture;
  /** Undefined inside a closed box. */
  readonly placed: Placed | undefined;
  readonly open: ReadonlySet<string>;
  readonly depth: number;
}

/** Bands, then arrows, then boxes with what is in them: later elements lie on top. */
function levelText({ picture, placed, open, depth }: Level): string {
  const { columns, arrows, gates } = picture;
  const boxes = new Map(placed?.boxes.map((box) => [box.id, box]));
  return `<g class="level" role="none" data-caption="${captionHeight(columns)}">${[
    ...columns.map(({ caption }, index) => bandText(caption, placed?.bands[index])),
    ...gates.map((gate) => {
      const band = placed?.bands[gate.column];
      const path = band === undefined ? '' : ` d="${gateText(band, gate.side)}"`;
      return `<path class="gate" data-id="${gate.id}" data-column="${gate.column}" data-side="${gate.side}"${path}/>`;
    }),
    ...arrows.map(({ from, to }, index) => {
      const points = placed?.lines[index]?.points;
      const path = points === undefined ? '' : ` d="${curveText(points)}"`;
      return `<path class="arrow" data-from="${from}" data-to="${to}"${path} marker-end="url(#tip)"/>`;
    }),
    ...columns.flatMap(({ boxes: inColumn }, column) =>
      inColumn.map((box) => boxText(box, { column, at: boxes.get(box.id), open, depth })),
    ),
  ].join('\n')}</g>`;
}

function bandText(caption: string, band: Placed['bands'][number] | undefined): string {
  if (caption === '') return '<g class="band" aria-hidden="true"/>';
  const { x, y, width, height } = band ?? { x: 0, y: 0, width: 0, height: 0 };
  return `<g class="band" aria-hidden="true" transform="${placeText({ x, y })}"><rect width="${round(width)}" height="${round(height)}" rx="6"/><text class="caption" x="${round(width / 2)}" y="16">${escapeHtml(caption)}</text></g>`;
}

interface Place {
  readonly column: number;
  readonly at: PlacedBox | undefined;
  readonly open: ReadonlySet<string>;
  readonly depth: number;
}

const corners: Readonly<Partial<Record<PictureBox['kind'], number>>> = { step: 3, group: 14 };

function boxText(box: PictureBox, { column, at, open, depth }: Place): string {
  const { id, kind } = box;
  const isOpen = open.has(id);
  const [closed, whole] = [closedSize(box), openSize(box)];
  const { width, height } = at ?? closed;
  const count = countOf(box);
  const sign = count === 0 ? '' : signText(count, closed.width);
  const classes = ['box', kind, ...(holdsBoxes(box) ? ['cluster'] : []), ...(isOpen || count === 0 ? [] : ['closed'])];
  const expanded = count === 0 ? '' : ` aria-expanded="${isOpen}"`;
  const inner = holdsBoxes(box)
    ? `<g class="inside" role="group"${at?.inside === undefined ? '' : ` transform="${placeText(at.inside)}"`}>${levelText({ picture: box.inside, placed: at?.inside, open, depth: depth + 1 })}</g>`
    : contentText(box);
  return `<g class="${classes.join(' ')}" id="${id}" data-column="${column}" data-closed="${closed.width} ${closed.height}" data-open="${whole.width} ${whole.height}"${at === undefined ? '' : ` transform="${placeText(at)}"`} tabindex="-1" role="treeitem" aria-level="${depth}"${expanded} aria-label="${escapeHtml(labelOf(box))}"><rect class="frame" width="${round(width)}" height="${round(height)}" rx="${corners[kind] ?? 7}"/><text class="title" x="${count === 0 ? text.padding : text.toggle}" y="20">${escapeHtml(titleOf(box))}</text>${sign}${inner}</g>`;
}

const contentText = (box: PictureBox): string =>
  linesOf(box)
    .map(
      (line, index) =>
        `<text class="line" x="${text.padding}" y="${text.head + 11 + index * text.lineHeight}">${escapeHtml(line)}</text>`,
    )
    .join('');

/** The triangle to press, left of the title, where it stays when the box opens; and behind the title how much it holds. */
const signText = (count: number, closedWidth: number): string =>
  `<g class="sign"><rect x="1" y="3" width="24" height="24" rx="4"/><path d="M9 10l7 5l-7 5z"/></g><text class="count" x="${closedWidth - text.padding}" y="19">${count}</text>`;

/** What a screen reader says of a box: what it is, how much it holds, and why it is there. */
function labelOf(box: PictureBox): string {
  const what = `${kindWord[box.kind]} ${box.title}`;
  return [what, countText(box), ...firstOf(box.reasons, 3)].filter((part) => part !== '').join(', ');
}
