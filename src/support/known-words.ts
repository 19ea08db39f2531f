import { base64Bytes } from './bytes.ts';
import { addTo } from './group-by.ts';

export const hidden = '***';
/** Shorter words are found in any text by chance: they count only where they are alone. */
const longEnough = 8;
/** Every word has as many characters at least; by them it is looked for. */
const headLength = 4;
const tableSize = 1 << 16;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What may be a text in base64 that is longer than the shortest word that counts anywhere. */
const base64Run = /[A-Za-z0-9+/]{12,}={0,2}/g;

interface Place {
  readonly start: number;
  readonly length: number;
}

/**
 * Finds many words in a text in one pass, so that a long log with hundreds of secrets takes no longer than one. Where
 * words overlap, the longer is hidden, of two of one length the one that was known first.
 */
export class KnownWords {
  readonly #byHead = new Map<string, string[]>();
  /** Whether a word begins with four characters of this hash. */
  readonly #heads = new Uint8Array(tableSize);
  readonly #rank: ReadonlyMap<string, number>;

  constructor(words: readonly string[]) {
    const ranked = [...words].sort((a, b) => b.length - a.length);
    this.#rank = new Map(ranked.map((word, index) => [word, index]));
    for (const word of ranked) {
      const head = word.slice(0, headLength);
      addTo(this.#byHead, head, word);
      this.#heads[hashAt(word, 0)] = 1;
    }
  }

  /** `keepsKeys`: where a word is a key (`word: x`) it stays, as in a manifest. */
  without(text: string, { keepsKeys = false } = {}): string {
    if (this.#byHead.size === 0) return text;
    const rest = text.replace(base64Run, (run) => (this.#isEncodedIn(run) ? hidden : run));
    return this.#withoutPlain(rest, keepsKeys);
  }

  /** `user:password` in base64 has no part that is the password in base64. */
  #isEncodedIn(run: string): boolean {
    const found = this.#find(decoder.decode(base64Bytes(run)));
    return [...found.keys()].some((word) => word.length >= longEnough);
  }

  #withoutPlain(text: string, keepsKeys: boolean): string {
    const found = this.#find(text);
    if (found.size === 0) return text;
    const taken = new Uint8Array(text.length);
    const places: Place[] = [];
    for (const [word, starts] of [...found].sort(([a], [b]) => this.#rankOf(a) - this.#rankOf(b))) {
      for (const start of starts) {
        const end = start + word.length;
        // What was taken before is no shorter: it reaches over one of the ends.
        if (taken[start] === 1 || taken[end - 1] === 1) continue;
        if (word.length < longEnough && !(isEdge(text, start - 1, taken) && isEdge(text, end, taken))) continue;
        if (keepsKeys && isKey(text, start, end)) continue;
        taken.fill(1, start, end);
        places.push({ start, length: word.length });
      }
    }
    return replaced(text, places);
  }

  #rankOf(word: string): number {
    return this.#rank.get(word) ?? 0;
  }

  /** Where each word is, also within others. */
  #find(text: string): ReadonlyMap<string, readonly number[]> {
    const found = new Map<string, number[]>();
    for (let at = 0; at + headLength <= text.length; at++) {
      if (this.#heads[hashAt(text, at)] === 0) continue;
      for (const word of this.#byHead.get(text.slice(at, at + headLength)) ?? []) {
        if (text.startsWith(word, at)) addTo(found, word, at);
      }
    }
    return found;
  }
}

const hashAt = (text: string, at: number): number =>
  (text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 4) ^
    (text.charCodeAt(at + 2) << 8) ^
    (text.charCodeAt(at + 3) << 11)) &
  (tableSize - 1);

/** Whether no word goes on there; what is hidden already is none. */
const isEdge = (text: string, at: number, taken: Uint8Array): boolean =>
  at < 0 || at >= text.length || taken[at] === 1 || !/[\w-]/.test(text.charAt(at));

/** A key of block or flow YAML, or of JSON. */
function isKey(text: string, start: number, end: number): boolean {
  const mark = /["']/.test(text.charAt(start - 1)) ? text.charAt(start - 1) : '';
  if (!text.startsWith(`${mark}:`, end) || !/\s|^$/.test(text.charAt(end + mark.length + 1))) return false;
  let at = start - mark.length - 1;
  while (at >= 0 && /[ \t-]/.test(text.charAt(at))) at -= 1;
  return at < 0 || /[\n{,]/.test(text.charAt(at));
}

function replaced(text: string, places: readonly Place[]): string {
  const pieces: string[] = [];
  let last = 0;
  for (const { start, length } of [...places].sort((a, b) => a.start - b.start)) {
    // Each line stays a line.
    const lines = text.slice(start, start + length).split('\n');
    pieces.push(text.slice(last, start), lines.map(() => hidden).join('\n'));
    last = start + length;
  }
  pieces.push(text.slice(last));
  return pieces.join('');
}
