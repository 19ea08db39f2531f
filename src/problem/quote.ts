let textIn: (quote: Quote) => string;

/**
 * What somebody else wrote: a program's log line, an event's message, the API server's sentence, the text of a chart's
 * `fail`. It can be masked, printed and handed on; nothing else of tshelm's reads it. Only `problem/foreign` finds facts
 * in one ({@link textOf}), and only `words` prints it.
 */
export class Quote {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The same with its secrets taken out; itself where there are none. */
  masked(mask: (text: string) => string): Quote {
    const text = mask(this.#text);
    return text === this.#text ? this : new Quote(text);
  }

  /** Programs get it as a text. */
  toJSON(): string {
    return this.#text;
  }

  /** As `console.log` shows it. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    _options: object,
    inspect: (text: string) => string,
  ): string {
    return inspect(this.#text);
  }

  static {
    textIn = (quote) => quote.#text;
  }
}

/** The text of a quote, for `problem/foreign` and `words` alone (test/words-decide-nothing.test.ts). */
export const textOf = (quote: Quote): string => textIn(quote);
