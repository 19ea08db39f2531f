import type { Point, Rectangle } from '../../layout/types.ts';
import { byId } from '../dom.ts';
import { atFirst, type Camera, clamped, type Extent, fitted, showing, zoomed } from './camera.ts';

/** The window on the drawing: moves its viewBox, and tells who wants to know. */
export class View {
  readonly svg = byId<SVGSVGElement>('plan');
  readonly #onMove: (seen: Rectangle) => void;
  #whole: Extent = { width: 0, height: 0 };
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  /** The window that the camera was last placed for. */
  #looksThrough: Extent;

  constructor(onMove: (seen: Rectangle) => void) {
    this.#onMove = onMove;
    this.#looksThrough = this.#window;
    new ResizeObserver(() => {
      // The middle stays in the middle.
      const { width, height } = this.#looksThrough;
      const { width: wide, height: high } = this.#window;
      const { x, y, scale } = this.#camera;
      this.#look({ x: x + (width - wide) / 2 / scale, y: y + (height - high) / 2 / scale, scale });
    }).observe(this.svg);
  }

  get scale(): number {
    return this.#camera.scale;
  }

  /** The drawing has another size; a point of the old one, if given, stays where it is as `to`. */
  resize(whole: Extent, kept?: { readonly from: Point; readonly to: Point }): void {
    this.#whole = whole;
    const { x, y, scale } = this.#camera;
    const by = kept === undefined ? { x: 0, y: 0 } : { x: kept.to.x - kept.from.x, y: kept.to.y - kept.from.y };
    this.#look({ x: x + by.x, y: y + by.y, scale });
  }

  /** All of the drawing, or where it begins: at `box`. */
  begin(box: Rectangle): void {
    this.#look(atFirst(this.#whole, this.#window, box));
  }

  fit(): void {
    this.#look(fitted(this.#whole, this.#window));
  }

  /** Nearer (above 1) or farther; `at` is a point of the drawing, by default the middle of what is seen. */
  zoom(factor: number, at: Point = this.#middle): void {
    this.#look(zoomed(this.#camera, factor, at, { whole: this.#whole, window: this.#window }));
  }

  /** By pixels of the window. */
  pan(dx: number, dy: number): void {
    const { x, y, scale } = this.#camera;
    this.#look({ x: x + dx / scale, y: y + dy / scale, scale });
  }

  /** By parts of what is seen. */
  step(right: number, down: number): void {
    this.pan(right * this.#window.width, down * this.#window.height);
  }

  bring(box: Rectangle): void {
    this.#look(showing(this.#camera, box, this.#whole, this.#window));
  }

  centre(point: Point): void {
    const { width, height } = this.#seen;
    this.#look({ x: point.x - width / 2, y: point.y - height / 2, scale: this.scale });
  }

  /** A point of the window as one of the drawing. */
  pointAt(clientX: number, clientY: number): Point {
    const { left, top } = this.svg.getBoundingClientRect();
    const { x, y, scale } = this.#camera;
    return { x: x + (clientX - left) / scale, y: y + (clientY - top) / scale };
  }

  get #window(): Extent {
    return { width: Math.max(1, this.svg.clientWidth), height: Math.max(1, this.svg.clientHeight) };
  }

  get #seen(): Rectangle {
    const { x, y, scale } = this.#camera;
    return { x, y, width: this.#window.width / scale, height: this.#window.height / scale };
  }

  get #middle(): Point {
    const { x, y, width, height } = this.#seen;
    return { x: x + width / 2, y: y + height / 2 };
  }

  #look(camera: Camera): void {
    this.#looksThrough = this.#window;
    this.#camera = clamped(camera, this.#whole, this.#looksThrough);
    const { x, y, width, height } = this.#seen;
    this.svg.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
    this.svg.classList.toggle('far', this.scale < 0.4);
    this.#onMove(this.#seen);
  }
}
