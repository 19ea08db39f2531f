import {
  type Drawing,
  type DrawingBox,
  type Placed,
  type PlacedBox,
  type PlacedLine,
  type Point,
  placeDrawing,
} from '../layout/layout.ts';
import type { Picture, PictureBox } from '../picture.ts';
import { escapeHtml, shortened } from './markup.ts';

/** Every box of a picture, the inner ones too, with the ids of those it waits for. */
export interface BoxInfo {
  readonly box: PictureBox;
  readonly after: readonly string[];
}

export function boxesOf(picture: Picture): readonly BoxInfo[] {
  const after = new Map<string, string[]>();
  for (const { from, to } of picture.arrows) after.set(to, [...(after.get(to) ?? []), from]);
  return picture.columns
    .flatMap(({ boxes }) => boxes)
    .flatMap((box) => [
      { box, after: after.get(box.id) ?? [] },
      ...(box.inside === undefined ? [] : boxesOf(box.inside)),
    ]);
}

const text = {
  title: 8.3,
  line: 6.7,
  lineHeight: 15,
  head: 30,
  padding: 12,
  longest: 38,
  lines: 5,
  caption: 22,
} as const;

/** The picture as an SVG element; each box and each arrow carries the ids that the page's script needs. */
export function drawingText(picture: Picture, label: string): string {
  const infos = new Map(boxesOf(picture).map((info) => [info.box.id, info]));
  const placed = placeDrawing(drawingOf(picture));
  const [width, height] = [Math.ceil(placed.width), Math.ceil(placed.height)];
  return `<svg id="plan" viewBox="0 0 ${width} ${height}" role="group" aria-label="${escapeHtml(label)}" tabindex="0">
<defs><marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${levelText(placed, picture, infos, { x: 0, y: 0 })}</svg>`;
}

const drawingOf = ({ columns, arrows }: Picture): Drawing => ({
  columns: columns.map(({ boxes }) => boxes.map(drawingBox)),
  lines: arrows,
  captionHeight: columns.some(({ caption }) => caption !== '') ? text.caption : 0,
});

function drawingBox(box: PictureBox): DrawingBox {
  const { id, inside } = box;
  const lines = linesOf(box);
  const widest = Math.max(textLength(titleOf(box)) * text.title, ...lines.map((line) => textLength(line) * text.line));
  const width = Math.max(110, Math.ceil(widest) + 2 * text.padding);
  if (inside !== undefined && inside.columns.length > 0)
    return { id, width, height: text.head, inside: drawingOf(inside) };
  return { id, width, height: text.head + lines.length * text.lineHeight + (lines.length > 0 ? 6 : 0) };
}

const titleOf = ({ title }: PictureBox): string => shortened(title, text.longest);

/** What a box shows of its contents. */
function linesOf({ contents, inside }: PictureBox): readonly string[] {
  if (inside !== undefined && inside.columns.length > 0) return [];
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

/** Bands, then arrows, then boxes with what is in them: later elements lie on top. */
function levelText(placed: Placed, picture: Picture, infos: ReadonlyMap<string, BoxInfo>, corner: Point): string {
  const captions = picture.columns.map(({ caption }) => caption);
  return [
    ...placed.bands.map((band, index) => bandText(shifted(band, corner), captions[index] ?? '')),
    ...placed.lines.map((line) => lineText(line, corner)),
    ...placed.boxes.map((box) => boxText(shifted(box, corner), infos)),
  ].join('');
}

const shifted = <T extends Point>(shape: T, { x, y }: Point): T => ({ ...shape, x: shape.x + x, y: shape.y + y });

const round = (value: number): string => String(Math.round(value * 10) / 10);

function bandText({ x, y, width, height }: Placed['bands'][number], caption: string): string {
  if (caption === '') return '';
  return `<rect class="band" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="6"/><text class="caption" x="${round(x + width / 2)}" y="${round(y + 16)}">${escapeHtml(caption)}</text>\n`;
}

/** A curve that leaves and arrives level. */
function lineText({ from, to, points }: PlacedLine, corner: Point): string {
  const [first, ...rest] = points.map((point) => shifted(point, corner));
  if (first === undefined) return '';
  let [path, last] = [`M${round(first.x)} ${round(first.y)}`, first];
  for (const point of rest) {
    const middle = round((last.x + point.x) / 2);
    const end = `${round(point.x)} ${round(point.y)}`;
    path += last.y === point.y ? `L${end}` : `C${middle} ${round(last.y)} ${middle} ${round(point.y)} ${end}`;
    last = point;
  }
  return `<path class="arrow" data-from="${from}" data-to="${to}" d="${path}" marker-end="url(#tip)"/>\n`;
}

function boxText({ id, x, y, width, height, inside }: PlacedBox, infos: ReadonlyMap<string, BoxInfo>): string {
  const { box, after } = infos.get(id) as BoxInfo;
  const label = `${kindWord[box.kind]} ${box.title}, ${box.reasons.join(', ')}`;
  const contents = linesOf(box).map(
    (line, index) =>
      `<text class="line" x="${round(x + text.padding)}" y="${round(y + text.head + 11 + index * text.lineHeight)}">${escapeHtml(line)}</text>`,
  );
  const within =
    inside === undefined || box.inside === undefined
      ? ''
      : levelText(inside, box.inside, infos, { x: x + inside.x, y: y + inside.y });
  const shell = within === '' ? 'box' : 'box cluster';
  return `<g class="${shell} ${box.kind}" id="${id}" data-after="${after.join(' ')}" tabindex="0" role="button" aria-label="${escapeHtml(label)}"><title>${escapeHtml(label)}</title><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="7"/><text class="title" x="${round(x + text.padding)}" y="${round(y + 20)}">${escapeHtml(titleOf(box))}</text>${contents.join('')}</g>
${within}`;
}

export const kindWord: Readonly<Record<PictureBox['kind'], string>> = {
  step: 'step',
  hook: 'hook',
  chart: 'chart',
  group: 'resource group',
  resources: 'resources of',
};
