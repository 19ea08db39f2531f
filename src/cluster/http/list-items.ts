/**
 * Takes a list apart while it comes in: each item of `items` as its bytes, and what is around them in the end. So a list
 * of hundreds of megabytes takes no more memory than its largest item.
 */
export class ListItems {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** Whether the items have begun and not ended. */
  #isInside = false;
  /** The text that began last outside of the items: it may be the key `items`. */
  #key: number[] = [];
  /** Of an item that has not ended, and of what is around the items. */
  #begun: Buffer[] = [];
  readonly #around: Buffer[] = [];

  /** What has come of the list; returns the items that ended in it. */
  take(bytes: Buffer): readonly Buffer[] {
    const items: Buffer[] = [];
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (this.#isText) {
        at = this.#readText(bytes, at);
        continue;
      }
      const byte = bytes[at];
      if (byte === quote) {
        this.#isText = true;
        this.#key = [];
      } else if (byte === openBrace || byte === openBracket) {
        this.#depth += 1;
        if (this.#isInside && this.#depth === itemDepth) start = at;
        else if (this.#depth === itemDepth - 1 && byte === openBracket && this.#isItemsKey()) {
          this.#around.push(bytes.subarray(start, at + 1));
          this.#isInside = true;
          start = at + 1;
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth -= 1;
        if (this.#isInside && this.#depth === itemDepth - 1) {
          items.push(Buffer.concat([...this.#begun, bytes.subarray(start, at + 1)]));
          this.#begun = [];
          start = at + 1;
        } else if (this.#isInside && this.#depth < itemDepth - 1) {
          this.#isInside = false;
          start = at;
        }
      }
    }
    this.#keep(bytes.subarray(start));
    return items;
  }

  /** The list without its items. */
  listWithoutItems(): string {
    return Buffer.concat(this.#around).toString('utf8');
  }

  /** Goes on to the end of a text, or of the bytes. Returns where it is then. */
  #readText(bytes: Buffer, from: number): number {
    for (let start = from; ; ) {
      const found = bytes.indexOf(quote, start);
      const end = found === -1 ? bytes.length : found;
      let before = end;
      while (before > start && bytes[before - 1] === backslash) before -= 1;
      const isOdd = (end - before) % 2 === 1;
      // An escape that began before this stretch counts where nothing but backslashes follows it.
      const isEscaped = before === start ? isOdd !== this.#isEscaped : isOdd;
      if (!this.#isInside && this.#key.length <= itemsKey.length)
        this.#key.push(...bytes.subarray(start, Math.min(end, start + itemsKey.length + 1)));
      this.#isEscaped = found === -1 && isEscaped;
      if (found === -1) return bytes.length;
      if (!isEscaped) {
        this.#isText = false;
        return found;
      }
      this.#key.push(quote);
      start = found + 1;
    }
  }

  #isItemsKey(): boolean {
    return !this.#isInside && Buffer.from(this.#key).equals(itemsKey);
  }

  /** A comma or a space between two items belongs to nothing. */
  #keep(rest: Buffer): void {
    if (!this.#isInside) this.#around.push(rest);
    else if (this.#depth >= itemDepth) this.#begun.push(rest);
  }
}

const itemsKey = Buffer.from('items');
/** `{ "items": [ {`: the third that is open. */
const itemDepth = 3;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
