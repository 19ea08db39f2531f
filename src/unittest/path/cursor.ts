import { quote } from '../../go/strconv/strconv.ts';
import { GoError } from '../../go/value.ts';

const space = /\s/;

/** A place in the text of a path that is being read. */
export class PathCursor {
  readonly text: string;
  position = 0;
  /** Where the step that is being read begins, and the one before it. */
  private starts: readonly [number, number] = [0, 0];

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  beginStep(): void {
    this.starts = [this.starts[1], this.position];
  }

  /** The next character; '' at the end. */
  get next(): string {
    return this.text.charAt(this.position);
  }

  startsWith(token: string): boolean {
    return this.text.startsWith(token, this.position);
  }

  /** Goes past a token where it comes next. */
  take(token: string): boolean {
    if (!this.startsWith(token)) return false;
    this.position += token.length;
    return true;
  }

  skipSpace(): void {
    while (space.test(this.next)) this.position += 1;
  }

  /** Goes past a token where nothing but white space is before it. */
  takeAfterSpace(token: string): boolean {
    const { position } = this;
    this.skipSpace();
    if (this.take(token)) return true;
    this.position = position;
    return false;
  }

  /** What comes before the first of some characters, or before the end. */
  takeUntil(stops: string): string {
    const start = this.position;
    while (!this.isAtEnd && !stops.includes(this.next)) this.position += 1;
    return this.text.slice(start, this.position);
  }

  error(problem: string): GoError {
    const before = quote(this.text.slice(this.starts[0], this.position));
    return new GoError(`${problem} at position ${this.position}, following ${before}`);
  }
}
