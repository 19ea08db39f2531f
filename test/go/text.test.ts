import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/go/text.ts';

/** Bytes at the limits of what UTF-8 allows. */
const edges = [
  0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5,
];

/** Each sequence of two or three of these bytes, and of four where they begin as such a character does. */
function sequences(): number[][] {
  const longer = (tails: number[][]) => tails.flatMap((tail) => edges.map((byte) => [...tail, byte]));
  const pairs = longer(edges.map((byte) => [byte]));
  const triples = longer(pairs);
  return [...pairs, ...triples, ...longer(triples.filter(([first = 0]) => first === 0xf0 || first === 0xf4))];
}

test('bytes beside one that is no UTF-8 are read as without it, and come back as they were', () => {
  const decoder = new TextDecoder();
  const wrong: number[][] = [];
  for (const bytes of sequences()) {
    const text = decodeText(Uint8Array.from([0xff, ...bytes]));
    // A byte on its own is one replacement character; the decoder makes one of several that begin a character.
    const shown = text.replaceAll(/(?<![\ud800-\udbff])[\udc80-\udcff]/g, '\ufffd');
    const wanted = decoder.decode(Uint8Array.from([0xff, ...bytes]));
    const isSame = shown.replaceAll(/\ufffd+/g, '\ufffd') === wanted.replaceAll(/\ufffd+/g, '\ufffd');
    if (!isSame || !Buffer.from([0xff, ...bytes]).equals(encodeText(text))) wrong.push(bytes);
  }
  expect(wrong).toEqual([]);
});

test('a large file that is no text survives', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7919) >> 3);
  expect(Buffer.from(bytes).equals(encodeText(decodeText(bytes)))).toBe(true);
});
