import type { Rectangle } from '../../layout/types.ts';
import { byId, svgElement } from '../dom.ts';
import type { Box, Size } from './model.ts';
import type { View } from './view.ts';

/** The small picture of the whole in the corner, with a frame around what is seen. It hides while all is seen. */
export class Overview {
  readonly #svg = byId<SVGSVGElement>('overview');
  readonly #frame = svgElement('rect', { class: 'seen' }, this.#svg);
  #whole: Size = { width: 1, height: 1 };

  draw(seen: readonly Box[], whole: Size): void {
    this.#whole = whole;
    this.#svg.setAttribute('viewBox', `0 0 ${Math.max(1, whole.width)} ${Math.max(1, whole.height)}`);
    const boxes = seen.map(({ element, at }) => {
      const { x, y, width, height } = at;
      return svgElement('rect', { class: element.getAttribute('class') ?? '', x, y, width, height }, this.#svg);
    });
    this.#svg.replaceChildren(...boxes, this.#frame);
  }

  frame({ x, y, width, height }: Rectangle): void {
    const isAll = x <= 0 && y <= 0 && x + width >= this.#whole.width && y + height >= this.#whole.height;
    this.#svg.classList.toggle('idle', isAll);
    for (const [name, value] of Object.entries({ x, y, width, height })) this.#frame.setAttribute(name, String(value));
  }

  /** Pressing or dragging in it moves the view there. */
  steer(view: View): void {
    const go = (event: PointerEvent): void => {
      const matrix = this.#svg.getScreenCTM();
      if (matrix !== null) view.centre(new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()));
    };
    this.#svg.addEventListener('pointerdown', (event) => {
      this.#svg.setPointerCapture(event.pointerId);
      go(event);
    });
    this.#svg.addEventListener('pointermove', (event) => {
      if (this.#svg.hasPointerCapture(event.pointerId)) go(event);
    });
  }
}
