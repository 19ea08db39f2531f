import type { Output } from '../io.ts';
import { textWidth } from '../output/table.ts';

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
/** Terminals that know synchronized output show a frame at once; others ignore it. */
const beginFrame = '\x1b[?2026h';
const endFrame = '\x1b[?2026l';

/**
 * Some lines at the bottom of a terminal that change in place. The cursor rests on the last of them, so that even a
 * terminal of one row can show one. Lines must fit the width.
 */
export class Screen {
  readonly #output: Output;
  #lines: readonly string[] = [];
  #isOpen = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Replaces the lines; `above` is text of whole lines that scrolls up over them. Lines that stay are not written again. */
  draw(lines: readonly string[], above = ''): void {
    const isSame =
      above === '' && lines.length === this.#lines.length && lines.every((line, at) => line === this.#lines[at]);
    if (isSame) return;
    const open = this.#isOpen ? '' : hideCursor;
    const body =
      above === '' && this.#isInPlace(lines) ? this.#changed(lines) : `${this.#erased()}${above}${lines.join('\n')}`;
    this.#output.write(`${beginFrame}${open}${body}${endFrame}`);
    this.#isOpen = true;
    this.#lines = lines;
  }

  /** Takes the lines away, leaves `last` in their place, and gives the cursor back. */
  close(last = ''): void {
    if (!this.#isOpen) {
      if (last !== '') this.#output.write(last);
      return;
    }
    this.#output.write(`${beginFrame}${this.#erased()}${last}${endFrame}${showCursor}`);
    this.#isOpen = false;
    this.#lines = [];
  }

  /** Leaves the lines where they are and gives the cursor back, as before the process stops. The next draw begins anew. */
  leave(): void {
    if (!this.#isOpen) return;
    this.#output.write(`\n${showCursor}`);
    this.#isOpen = false;
    this.#lines = [];
  }

  #isInPlace(lines: readonly string[]): boolean {
    return this.#isOpen && lines.length === this.#lines.length && this.#heights().every((height) => height === 1);
  }

  #changed(lines: readonly string[]): string {
    const up = lines.length > 1 ? `\x1b[${lines.length - 1}A` : '';
    const texts = lines.map((line, at) => (line === this.#lines[at] ? '' : `\x1b[2K${line}`));
    return `\r${up}${texts.join('\r\n')}`;
  }

  #erased(): string {
    if (this.#lines.length === 0) return '';
    const height = this.#heights().reduce((sum, one) => sum + one, 0);
    const rows = rowsOf(this.#output);
    const up = Math.min(height, rows) - 1;
    return `\r${up > 0 ? `\x1b[${up}A` : ''}\x1b[0J`;
  }

  /** How many rows each line takes: more than one after the terminal has become narrower, which wraps what is there. */
  #heights(): number[] {
    const columns = columnsOf(this.#output);
    return this.#lines.map((line) => Math.max(1, Math.ceil(textWidth(line) / columns)));
  }
}

/** Some terminals say that they have no columns and no rows (0×0), as in a container without a size: then the usual ones. */
export const columnsOf = ({ columns = 0 }: Output): number => (columns > 0 ? columns : 80);
export const rowsOf = ({ rows = 0 }: Output): number => (rows > 0 ? rows : 24);
