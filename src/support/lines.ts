/** As editors count: from 0, in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A part of a text, by indexes. */
export interface Extent {
  readonly from: number;
  readonly until: number;
}

/** A text by its lines. */
export class Lines {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Without its end; '' of a line that is not there. */
  line(number: number): string {
    const start = this.#starts[number];
    if (start === undefined) return '';
    return this.text.slice(start, this.#starts[number + 1] ?? this.text.length).replace(/\r?\n$/, '');
  }

  /** What is outside of the text is moved to its nearest end. */
  offsetAt({ line, character }: Position): number {
    const start = this.#starts[Math.max(0, Math.min(line, this.count - 1))] as number;
    if (line < 0) return 0;
    if (line >= this.count) return this.text.length;
    return start + Math.max(0, Math.min(character, this.line(line).length));
  }

  positionAt(offset: number): Position {
    const at = Math.max(0, Math.min(offset, this.text.length));
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: at - (this.#starts[low] as number) };
  }

  range({ from, until }: Extent): Range {
    return { start: this.positionAt(from), end: this.positionAt(until) };
  }

  /** What is written in a line, without the spaces around it. */
  writtenIn(number: number): Extent {
    const line = this.line(number);
    const start = this.offsetAt({ line: number, character: 0 });
    const from = start + (line.length - line.trimStart().length);
    return { from, until: Math.max(from, start + line.trimEnd().length) };
  }
}
