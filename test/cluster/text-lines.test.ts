import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { logLineOf, textLines } from '../../src/cluster/http/text-lines.ts';

async function linesOf(...chunks: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of textLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))) lines.push(line);
  return lines;
}

test.each([
  ['lines end with a line break', ['a\nb\n'], ['a', 'b']],
  ['the last one need not', ['a\nb'], ['a', 'b']],
  ['an empty line is one', ['a\n\nb\n'], ['a', '', 'b']],
  ['a line may come in pieces', ['a', 'b\nc', '\n'], ['ab', 'c']],
  ['nothing has no lines', [], []],
])('%s', async (_rule, chunks, lines) => expect(await linesOf(...chunks)).toEqual(lines));

test('a character may come in pieces', async () => {
  const bytes = Buffer.from('ä\n');
  expect(await linesOf(bytes.subarray(0, 1), bytes.subarray(1))).toEqual(['ä']);
});

test('of a long line the beginning is kept, and the next line is whole', async () => {
  const long = 'x'.repeat(10_000);
  const [first, second] = await linesOf(long, long, long, '\nnext\n');
  expect(first).toBe(`${'x'.repeat(16_384)}…`);
  expect(second).toBe('next');
});

test.each([
  ['2026-01-01T00:00:00.000000001Z hello', { time: '2026-01-01T00:00:00.000000001Z', text: 'hello' }],
  ['2026-01-01T00:00:00+02:00   indented', { time: '2026-01-01T00:00:00+02:00', text: '  indented' }],
  ['2026-01-01T00:00:00Z', { time: '2026-01-01T00:00:00Z', text: '' }],
  ['unable to retrieve container logs', { time: '', text: 'unable to retrieve container logs' }],
  ['12 apples', { time: '', text: '12 apples' }],
])('%s', (line, parts) => expect(logLineOf(line)).toEqual(parts));
