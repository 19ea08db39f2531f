import { ticks, tickText } from '../../timeline/ticks.ts';
import { all, svgElement } from '../dom.ts';
import { clampedPeriod, type Period, whole, zoomedPeriod } from './period.ts';

/** The drawing's units across its whole time, as the page's bars have it. */
const across = 1000;
/** A time on the axis needs so many pixels. */
const tickWidth = 70;

/** The bars of one timeline, its axis, and the small picture of the whole above it. */
export class TimeChart {
  readonly #total: number;
  readonly #tracks: readonly SVGSVGElement[];
  readonly #overview: SVGSVGElement;
  readonly #axis: SVGSVGElement;
  #period = whole;

  constructor(section: HTMLElement) {
    this.#total = Number(section.dataset.total);
    this.#tracks = all<SVGSVGElement>('.track svg', section);
    this.#overview = section.querySelector('.overview') as SVGSVGElement;
    this.#axis = section.querySelector('.axis svg') as SVGSVGElement;
    this.#steer();
    for (const track of this.#tracks) this.#listen(track);
    this.#listen(this.#axis);
    new ResizeObserver(() => this.#drawAxis()).observe(this.#axis);
  }

  fit(): void {
    this.#look(whole);
  }

  /** Nearer (above 1) or farther; `at` is a part of what is seen. */
  zoom(factor: number, at = 0.5): void {
    const { from, length } = this.#period;
    this.#look(zoomedPeriod(this.#period, factor, from + at * length));
  }

  /** By a part of what is seen. */
  step(by: number): void {
    const { from, length } = this.#period;
    this.#look({ from: from + by * length, length });
  }

  #look(period: Period): void {
    this.#period = clampedPeriod(period);
    const { from, length } = this.#period;
    for (const track of this.#tracks) track.setAttribute('viewBox', `${from * across} 0 ${length * across} 10`);
    const seen = this.#overview.querySelector('.seen');
    seen?.setAttribute('x', String(from * across));
    seen?.setAttribute('width', String(length * across));
    this.#drawAxis();
  }

  #drawAxis(): void {
    const { from, length } = this.#period;
    const [begin, end] = [from * this.#total, (from + length) * this.#total];
    const most = Math.max(2, Math.floor(this.#axis.clientWidth / tickWidth));
    const texts = ticks(begin, end, most).map((ms) => {
      const part = (ms - begin) / (end - begin);
      // A time at the end is before it.
      const text = svgElement('text', { x: `${part * 100}%`, y: 12, class: part > 0.94 ? 'last' : '' }, this.#axis);
      text.textContent = tickText(ms);
      return text;
    });
    this.#axis.replaceChildren(...texts);
  }

  /** The wheel zooms with Ctrl, as pinching does; dragging moves in time. */
  #listen(track: SVGSVGElement): void {
    track.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const { left, width } = track.getBoundingClientRect();
        const turned = Math.max(-60, Math.min(60, event.deltaY));
        this.zoom(Math.exp(-turned * 0.01), (event.clientX - left) / width);
      },
      { passive: false },
    );
    track.addEventListener('pointermove', (event) => {
      if (event.buttons === 1 && event.pointerType === 'mouse') this.step(-event.movementX / track.clientWidth);
    });
  }

  /** Pressing or dragging in the small picture moves what is seen there. */
  #steer(): void {
    const go = (event: PointerEvent): void => {
      const { left, width } = this.#overview.getBoundingClientRect();
      const { length } = this.#period;
      this.#look({ from: (event.clientX - left) / width - length / 2, length });
    };
    this.#overview.addEventListener('pointerdown', (event) => {
      this.#overview.setPointerCapture(event.pointerId);
      go(event);
    });
    this.#overview.addEventListener('pointermove', (event) => {
      if (this.#overview.hasPointerCapture(event.pointerId)) go(event);
    });
  }
}
