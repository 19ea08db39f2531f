import { addTo } from '../../support/group-by.ts';
import type { Picture, PictureBox } from '../picture-types.ts';

/** A box of a picture, with where it is. */
export interface BoxInfo {
  readonly box: PictureBox;
  /** The boxes that it is in, the outermost first. */
  readonly around: readonly PictureBox[];
  /** What it comes after: boxes, and columns of which it comes after every box. */
  readonly after: readonly End[];
  /** What comes after it, likewise. */
  readonly before: readonly End[];
}

export type End =
  | { readonly kind: 'box'; readonly box: PictureBox }
  | { readonly kind: 'column'; readonly caption: string; readonly boxes: readonly PictureBox[] };

/** Every box of a picture, each before those inside it. */
export function boxesOf(picture: Picture, around: readonly PictureBox[] = []): readonly BoxInfo[] {
  const endOf = endsOf(picture);
  const [after, before] = [new Map<string, End[]>(), new Map<string, End[]>()];
  for (const { from, to } of picture.arrows) {
    const [first, last] = [endOf(from), endOf(to)];
    for (const { id } of membersOf(last)) addTo(after, id, first);
    for (const { id } of membersOf(first)) addTo(before, id, last);
  }
  return picture.columns
    .flatMap(({ boxes }) => boxes)
    .flatMap((box) => [
      { box, around, after: after.get(box.id) ?? [], before: before.get(box.id) ?? [] },
      ...(box.inside === undefined ? [] : boxesOf(box.inside, [...around, box])),
    ]);
}

function endsOf({ columns, gates }: Picture): (id: string) => End {
  const boxes = new Map(columns.flatMap((column) => column.boxes).map((box) => [box.id, box]));
  const byGate = new Map(gates.map(({ id, column }) => [id, columns[column]]));
  return (id) => {
    const column = byGate.get(id);
    return column === undefined
      ? { kind: 'box', box: boxes.get(id) as PictureBox }
      : { kind: 'column', caption: column.caption, boxes: column.boxes };
  };
}

const membersOf = (end: End): readonly PictureBox[] => (end.kind === 'box' ? [end.box] : end.boxes);

/** Whether a box is drawn as others in it. */
export const holdsBoxes = (box: PictureBox): box is PictureBox & { readonly inside: Picture } =>
  box.inside !== undefined && box.inside.columns.length > 0;

/** At most so many boxes are seen at first, and show what they hold. */
const mostOpen = 60;

/**
 * The ids of the boxes that are open at first: all of a small picture; of a large one the steps, and level by level what
 * stays in view.
 */
export function openAtFirst(picture: Picture): ReadonlySet<string> {
  const open = new Set<string>();
  let level = boxesIn(picture);
  let seen = level.length;
  while (level.length > 0) {
    const holders = level.filter(holdsBoxes);
    const fit = seen + insideOf(holders).length <= mostOpen;
    const opened = fit ? holders : holders.filter(({ kind }) => kind === 'step');
    for (const { id } of opened) open.add(id);
    level = insideOf(opened);
    seen += level.length;
  }
  if (seen <= mostOpen) for (const { box } of boxesOf(picture)) if (!holdsBoxes(box)) open.add(box.id);
  return open;
}

const insideOf = (boxes: readonly (PictureBox & { readonly inside: Picture })[]): readonly PictureBox[] =>
  boxes.flatMap(({ inside }) => boxesIn(inside));

const boxesIn = ({ columns }: Picture): readonly PictureBox[] => columns.flatMap(({ boxes }) => boxes);

export const kindWord: Readonly<Record<PictureBox['kind'], string>> = {
  step: 'step',
  hook: 'hook',
  chart: 'chart',
  group: 'resource group',
  resources: 'resources of',
  release: 'release',
};

/** `5 resources`, `3 boxes`; '' for a box that holds nothing. */
export function countText(box: PictureBox): string {
  const count = countOf(box);
  if (count === 0 || box.kind === 'release') return '';
  const word = holdsBoxes(box) ? 'box' : box.kind === 'hook' ? 'hook' : 'resource';
  return count === 1 ? `1 ${word}` : `${count} ${word === 'box' ? 'boxes' : `${word}s`}`;
}

/** How many things a closed box hides. */
export const countOf = (box: PictureBox): number =>
  holdsBoxes(box) ? boxesIn(box.inside).length : box.contents.length;
