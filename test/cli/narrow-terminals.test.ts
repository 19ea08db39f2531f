import { describe, expect, test } from 'vitest';
import { readOrderFile } from '../../src/chart/order-file.ts';
import { textWidth } from '../../src/show/table.ts';
import { tshelm } from './harness.ts';

const plain = { env: { NO_COLOR: '1' } };
const shown = async (words: readonly string[], screen: number): Promise<string> =>
  (await tshelm(words, { ...plain, screen, terminal: screen })).stdout;
const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
/** Without the lines where it says so. */
const orderIn = (text: string): string =>
  JSON.stringify(readOrderFile(text, 'order.yaml')).replaceAll(/"line":\d+/g, '');
const tooWide = (text: string, columns: number): readonly string[] =>
  text.split('\n').filter((line) => textWidth(line) > columns);

describe.each([80, 40])('on %i columns', (columns) => {
  test.each([
    ['explain'],
    ['explain', 'image', 'pull'],
    ['explain', '--wait'],
    ['rehearse', 'web', 'fixtures/charts/blog'],
    ['rehearse', 'web', 'fixtures/charts/blog', '--compare'],
  ])('%j %j breaks between words', async (...command) => {
    const text = await shown(command, columns);
    // A name of a section stays whole, to be pasted.
    expect(tooWide(text, columns).filter((line) => line.includes(' ') && !line.startsWith('--'))).toEqual([]);
  });

  test('explain breaks titles between words', async () => {
    const piped = (await tshelm(['explain'], plain)).stdout;
    expect(words(await shown(['explain'], columns))).toBe(words(piped));
    const [title = ''] = (await shown(['explain', 'order-guide'], 30)).split('\n\n');
    expect(title).toBe('From hooks, sleeps and init\ncontainers to an order');
  });

  test('order suggest breaks its comments, and stays a file', async () => {
    const command = ['order', 'suggest', 'fixtures/charts/blog'];
    const piped = (await tshelm(command, plain)).stdout;
    const text = await shown(command, columns);
    expect(tooWide(text, columns).filter((line) => line.includes('# '))).toEqual([]);
    expect(orderIn(text)).toBe(orderIn(piped));
  });
});

test('bars that have no room beside their text are below it, of one width', async () => {
  const text = await shown(['rehearse', 'web', 'fixtures/charts/blog'], 60);
  const bars = text.split('\n').filter((line) => line.startsWith('    |'));
  expect(bars.length).toBeGreaterThan(1);
  expect(new Set(bars.map((line) => line.lastIndexOf('|'))).size).toBe(1);
});
