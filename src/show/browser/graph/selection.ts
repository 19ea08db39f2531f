import { addTo } from '../../../support/group-by.ts';
import { all, byId } from '../dom.ts';
import { around, type Box, boxesIn, type Level } from './model.ts';
import { type Edges, reach, reversed } from './reach.ts';

/** Which box is picked: it, what comes before and after it, and its panel are shown, the rest recedes. */
export class Selection {
  readonly #svg = byId<SVGSVGElement>('plan');
  readonly #panels = new Map(all<HTMLElement>('aside > section').map((panel) => [panel.dataset.of, panel]));
  readonly #boxes: readonly Box[];
  readonly #arrows: readonly SVGPathElement[];
  readonly #after: Edges;
  readonly #before: Edges;

  constructor(level: Level) {
    this.#boxes = boxesIn(level);
    const levels = [level, ...this.#boxes.flatMap(({ inside }) => inside ?? [])];
    this.#arrows = levels.flatMap(({ arrows }) => arrows);
    this.#after = edgesOf(levels);
    this.#before = reversed(this.#after);
  }

  /** The panel of a box, `''` the one about the whole, `search` the one of what is found. */
  show(name: string): void {
    for (const [of, panel] of this.#panels) panel.hidden = of !== name;
    byId('text').setAttribute('aria-pressed', 'false');
    document.body.classList.remove('as-text');
    document.querySelector('aside')?.scrollTo(0, 0);
  }

  /** What a box is called, and what it holds. */
  textOf(box: Box): string {
    const panel = this.#panels.get(box.id);
    return panel === undefined
      ? ''
      : all('h2, code', panel)
          .map(({ textContent }) => textContent)
          .join('\n');
  }

  pick(box: Box | undefined): void {
    this.show(box?.id ?? '');
    this.#svg.classList.toggle('picked', box !== undefined);
    const near = new Set<string>();
    if (box !== undefined) {
      near.add(box.id);
      for (const edges of [this.#after, this.#before]) for (const id of reach(box.id, edges)) near.add(id);
    }
    const holders = new Set(this.#boxes.filter(({ id }) => near.has(id)).flatMap(around));
    const picked = box === undefined ? [] : boxesIn({ ...box.level, boxes: [box] });
    for (const one of this.#boxes) {
      const isNear = near.has(one.id) || holders.has(one) || picked.includes(one);
      one.element.classList.toggle('near', isNear);
      one.element.classList.toggle('picked', one === box);
      one.element.setAttribute('aria-selected', String(one === box));
    }
    for (const arrow of this.#arrows) {
      const { from = '', to = '' } = arrow.dataset;
      arrow.classList.toggle('near', near.has(from) && near.has(to));
    }
  }
}

/** The arrows; a gate that arrows lead to leads to all boxes of its column, and these to one that arrows come from. */
function edgesOf(levels: readonly Level[]): Edges {
  const edges = new Map<string, string[]>();
  for (const { arrows, gates, boxes } of levels) {
    for (const { dataset } of arrows) addTo(edges, dataset.from ?? '', dataset.to ?? '');
    for (const { dataset } of gates) {
      const gate = dataset.id ?? '';
      for (const { id, column } of boxes) {
        if (column !== Number(dataset.column)) continue;
        if (dataset.side === 'in') addTo(edges, gate, id);
        else addTo(edges, id, gate);
      }
    }
  }
  return edges;
}
