import type { Rectangle } from '../../layout/types.ts';
import { all } from '../dom.ts';

/** A drawing as the page holds it: boxes in columns, with levels inside. */
export interface Level {
  readonly element: SVGGElement;
  readonly owner: Box | undefined;
  readonly boxes: readonly Box[];
  readonly bands: readonly SVGGElement[];
  readonly gates: readonly SVGPathElement[];
  readonly arrows: readonly SVGPathElement[];
}

export interface Box {
  readonly id: string;
  readonly element: SVGGElement;
  readonly level: Level;
  readonly column: number;
  /** Of its head alone. */
  readonly closed: Size;
  /** With its contents; one that holds boxes has the size of these. */
  readonly whole: Size;
  inside: Level | undefined;
  /** Whether there is anything to open. */
  readonly canOpen: boolean;
  isOpen: boolean;
  /** Where it is in the whole drawing; as it was last if it is not seen. */
  at: Rectangle;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Reads the drawing's elements, once. */
export function readLevel(element: SVGGElement, owner?: Box): Level {
  const children = [...element.children] as SVGElement[];
  const ofClass = <T extends SVGElement>(name: string): T[] =>
    children.filter((child) => child.classList.contains(name)) as T[];
  const level = {
    element,
    owner,
    boxes: [] as Box[],
    bands: ofClass<SVGGElement>('band'),
    gates: ofClass<SVGPathElement>('gate'),
    arrows: ofClass<SVGPathElement>('arrow'),
  };
  for (const box of ofClass<SVGGElement>('box')) level.boxes.push(readBox(box, level));
  return level;
}

function readBox(element: SVGGElement, level: Level): Box {
  const expanded = element.getAttribute('aria-expanded');
  const box: Box = {
    id: element.id,
    element,
    level,
    column: Number(element.dataset.column),
    closed: sizeOf(element.dataset.closed),
    whole: sizeOf(element.dataset.open),
    inside: undefined,
    canOpen: expanded !== null,
    isOpen: expanded === 'true',
    at: { x: 0, y: 0, width: 0, height: 0 },
  };
  const [inner] = all<SVGGElement>(':scope > .inside > .level', element);
  if (inner !== undefined) box.inside = readLevel(inner, box);
  return box;
}

function sizeOf(text = '0 0'): Size {
  const [width = 0, height = 0] = text.split(' ').map(Number);
  return { width, height };
}

/** Every box, each before those inside it. */
export const boxesIn = ({ boxes }: Level): readonly Box[] =>
  boxes.flatMap((box) => [box, ...(box.inside === undefined ? [] : boxesIn(box.inside))]);

/** Those of them that are not inside a closed one. */
export const seenIn = ({ boxes }: Level): readonly Box[] =>
  boxes.flatMap((box) => [box, ...(box.inside === undefined || !box.isOpen ? [] : seenIn(box.inside))]);

/** The boxes that a box is in, the innermost first. */
export function around({ level }: Box): readonly Box[] {
  return level.owner === undefined ? [] : [level.owner, ...around(level.owner)];
}
