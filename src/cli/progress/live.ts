import { printable } from '../../support/printable.ts';
import type { Echo } from '../terminal/echo.ts';
import type { Output } from '../terminal/io.ts';
import { columnsOf, rowsOf, Screen } from './screen.ts';
import type { Size } from './tree.ts';

const redrawMs = 100;
/** Of the time that goes by, drawing takes a fiftieth at most: large trees are drawn less often. */
const restPerDrawing = 49;
/** On a busy machine a drawing may take long for reasons that have gone by. */
const maxRestMs = 1000;

/** Lines at the bottom of the terminal that are drawn anew as time goes by, while other text scrolls by above them. */
export class LiveLines {
  readonly #output: Output;
  readonly #screen: Screen;
  readonly #echo: Echo | undefined;
  #lines: ((size: Size) => readonly string[]) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #restUntilMs = 0;

  constructor(output: Output, echo?: Echo) {
    this.#output = output;
    this.#echo = echo;
    this.#screen = new Screen(output);
  }

  /** `lines` is asked for every drawing. */
  begin(lines: (size: Size) => readonly string[]): void {
    this.#lines = lines;
    this.#echo?.off();
    this.#timer = setInterval(() => this.#redraw(), redrawMs);
    this.#timer.unref();
    process.on('SIGTSTP', this.#suspend);
    process.on('SIGCONT', this.#resume);
  }

  /** Writes whole lines above. */
  tell(text: string): void {
    if (this.#lines === undefined) this.#output.write(text);
    else this.#draw(printable(text));
  }

  /** The same of lines that have colours, and are printable apart from these. */
  tellPainted(text: string): void {
    if (this.#lines === undefined) this.#output.write(text, 'painted');
    else this.#draw(text);
  }

  /** Lets others write where the lines are, which come back below. */
  aside(write: () => void): void {
    this.#screen.close();
    write();
    if (this.#lines !== undefined) this.#draw();
  }

  /** `last` is what stays in the place of the lines. */
  end(last: string): void {
    clearInterval(this.#timer);
    process.off('SIGTSTP', this.#suspend);
    process.off('SIGCONT', this.#resume);
    this.#lines = undefined;
    this.#screen.close(last);
    this.#echo?.on();
  }

  /** The last column stays free: a terminal that writes into it may go on to the next row. */
  get size(): Size {
    return { columns: columnsOf(this.#output) - 1, rows: rowsOf(this.#output) };
  }

  #redraw(): void {
    const startedMs = performance.now();
    if (startedMs < this.#restUntilMs) return;
    this.#draw();
    const endedMs = performance.now();
    this.#restUntilMs = endedMs + Math.min((endedMs - startedMs) * restPerDrawing, maxRestMs);
  }

  #draw(above = ''): void {
    this.#screen.draw(this.#lines?.(this.size) ?? [], above);
  }

  /** Ctrl-Z: the shell gets a cursor; `fg` brings the lines back. */
  readonly #suspend = (): void => {
    this.#screen.leave();
    this.#echo?.on();
    process.kill(process.pid, 'SIGSTOP');
  };

  readonly #resume = (): void => {
    this.#echo?.off();
    this.#draw();
  };
}
