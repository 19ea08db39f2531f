import { textWidth } from '../../show/table.ts';
import type { Output } from '../terminal/io.ts';

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const eraseLine = '\x1b[2K';
/** Terminals that know synchronized output show a frame at once; others ignore it. */
const beginFrame = '\x1b[?2026h';
const endFrame = '\x1b[?2026l';

/**
 * Some lines at the bottom of a terminal that change in place. The cursor rests on the last of them, so that even a
 * terminal of one row can show one. Lines must fit the width.
 *
 * A terminal that gets smaller pushes rows out of sight, where nothing can be changed, and brings them back when it
 * grows: what was pushed out is remembered, and taken away then, as long as no other text is between.
 */
export class Screen {
  readonly #output: Output;
  #lines: readonly string[] = [];
  /** How wide each line of old frames is that could not be taken away, right above `#lines`. */
  #stale: readonly number[] = [];
  #size = '';
  #isOpen = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Replaces the lines; `above` is text of whole lines that scrolls up over them. Lines that stay are not written again. */
  draw(lines: readonly string[], above = ''): void {
    const size = `${columnsOf(this.#output)}x${rowsOf(this.#output)}`;
    const isFrame = above === '' && size === this.#size && this.#isOpen && lines.length === this.#lines.length;
    if (isFrame && lines.every((line, at) => line === this.#lines[at])) return;
    const open = this.#isOpen ? '' : hideCursor;
    const body = isFrame ? this.#changed(lines) : `${this.#erased()}${above}${lines.join('\n')}`;
    if (above !== '') this.#stale = [];
    this.#output.write(`${beginFrame}${open}${body}${endFrame}`, 'control');
    this.#isOpen = true;
    this.#lines = lines;
    this.#size = size;
  }

  /** Takes the lines away, leaves `last` in their place, and gives the cursor back. */
  close(last = ''): void {
    if (!this.#isOpen) {
      if (last !== '') this.#output.write(last, 'control');
      return;
    }
    this.#output.write(`${beginFrame}${this.#erased()}${last}${endFrame}${showCursor}`, 'control');
    this.#forget();
  }

  /** Leaves the lines where they are and gives the cursor back, as before the process stops. The next draw begins anew. */
  leave(): void {
    if (!this.#isOpen) return;
    this.#output.write(`\n${showCursor}`, 'control');
    this.#forget();
  }

  #forget(): void {
    this.#isOpen = false;
    this.#lines = [];
    this.#stale = [];
  }

  #changed(lines: readonly string[]): string {
    const up = lines.length > 1 ? `\x1b[${lines.length - 1}A` : '';
    const texts = lines.map((line, at) => (line === this.#lines[at] ? '' : `${eraseLine}${line}`));
    return `\r${up}${texts.join('\r\n')}`;
  }

  /**
   * Takes all rows away that are in sight; lines that wrapped when the terminal became narrower have several. The first
   * is erased by itself: of what is erased from the terminal's first row on, some (tmux) keep a copy above.
   */
  #erased(): string {
    const widths = [...this.#stale, ...this.#lines.map(textWidth)];
    if (widths.length === 0) return '';
    const columns = columnsOf(this.#output);
    const height = widths.reduce((sum, width) => sum + rowsFor(width, columns), 0);
    const inSight = Math.min(height, rowsOf(this.#output));
    this.#stale = firstRows(widths, height - inSight, columns);
    return inSight > 1 ? `\r\x1b[${inSight - 1}A${eraseLine}\n\x1b[0J\x1b[1A` : `\r${eraseLine}`;
  }
}

const rowsFor = (width: number, columns: number): number => Math.max(1, Math.ceil(width / columns));

/** The widths of the lines that fill the first rows; of the last one a part may be left. */
function firstRows(widths: readonly number[], rows: number, columns: number): number[] {
  const first: number[] = [];
  let left = rows;
  for (const width of widths) {
    if (left <= 0) break;
    first.push(Math.min(width, left * columns));
    left -= rowsFor(width, columns);
  }
  return first;
}

/** Some terminals say that they have no columns and no rows (0×0), as in a container without a size: then the usual ones. */
export const columnsOf = ({ columns = 0 }: Output): number => (columns > 0 ? columns : 80);
export const rowsOf = ({ rows = 0 }: Output): number => (rows > 0 ? rows : 24);
