import { byId, element } from '../dom.ts';
import { around, type Box, boxesIn, type Level } from './model.ts';
import type { Selection } from './selection.ts';

const mostHits = 100;

/** Finds boxes by what they are called and what they hold; a closed one that what is found is in is marked too. */
export class Search {
  readonly field = byId<HTMLInputElement>('search');
  readonly #svg = byId<SVGSVGElement>('plan');
  readonly #boxes: readonly Box[];
  readonly #texts: ReadonlyMap<Box, string>;
  readonly #selection: Selection;
  #hits: readonly Box[] = [];
  #next = 0;

  constructor(level: Level, selection: Selection, go: (box: Box) => void) {
    this.#boxes = boxesIn(level);
    this.#selection = selection;
    this.#texts = new Map(this.#boxes.map((box) => [box, selection.textOf(box).toLowerCase()]));
    this.field.addEventListener('input', () => this.#seek());
    this.field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || this.#hits.length === 0) return;
      event.preventDefault();
      const count = this.#hits.length;
      this.#next = (this.#next + (event.shiftKey ? count - 1 : 1)) % count;
      go(this.#hits[this.#next] as Box);
      this.#tell(`${this.#next + 1} of ${count}`);
    });
  }

  clear(): void {
    this.field.value = '';
    this.#seek();
  }

  #seek(): void {
    const wanted = this.field.value.trim().toLowerCase();
    const isAsked = wanted !== '';
    this.#hits = isAsked ? this.#boxes.filter((box) => this.#texts.get(box)?.includes(wanted)) : [];
    this.#next = -1;
    const holders = new Set(this.#hits.flatMap(around));
    this.#svg.classList.toggle('sought', isAsked);
    for (const box of this.#boxes) {
      box.element.classList.toggle('found', this.#hits.includes(box));
      box.element.classList.toggle('holds-found', holders.has(box));
    }
    this.#tell(isAsked ? (this.#hits.length === 0 ? 'nothing found' : `${this.#hits.length} found`) : '');
    byId('hits').replaceChildren(...this.#hits.slice(0, mostHits).map(hitLink), ...this.#more());
    this.#selection.show(isAsked ? 'search' : '');
  }

  #more(): readonly HTMLElement[] {
    const left = this.#hits.length - mostHits;
    return left > 0 ? [element('li', `and ${left} more`)] : [];
  }

  #tell(text: string): void {
    byId('found').textContent = text;
  }
}

const titleOf = ({ element: { ariaLabel } }: Box): string => ariaLabel ?? '';

function hitLink(box: Box): HTMLElement {
  const link = element('a', titleOf(box).split(', ')[0] ?? '');
  link.setAttribute('href', `#${box.id}`);
  const item = element('li', '');
  item.append(link);
  return item;
}
