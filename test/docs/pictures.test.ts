import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openTestSandbox, tshelm } from '../cli/harness.ts';

/** The pictures that scripts/site/record.mjs made: what they show is what the commands print today. */
const chart = 'fixtures/charts/shop';
/** The terminal's in that script. */
const columns = 100;

/** The lines of a picture of one screen, below the command line. */
function linesOf(name: string): readonly string[] {
  const picture = readFileSync(`docs/pictures/${name}.svg`, 'utf8');
  const rows = [...picture.matchAll(/<text id="\w+">(.*)<\/text>/g)].map((match) => match[1] as string);
  return rows
    .map((row) =>
      row
        .replace(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&amp;', '&'),
    )
    .slice(1);
}

test.each([
  ['plan', ['plan', chart]],
  ['rehearse', ['rehearse', chart, '--wait=ordered']],
])('%s', async (name, words) => {
  const { stdout, stderr } = await tshelm(words, { screen: columns });
  const printed = `${stdout}${stderr}`.split('\n').map(withoutBar);
  const other = linesOf(name)
    .map(withoutBar)
    .filter((line) => !printed.some((one) => one.includes(line)));
  expect(other).toEqual([]);
});

/** Bars are as long as the terminal is wide. */
const withoutBar = (line: string): string => line.replace(/ *\|[ █]*\|/, '').trim();

test('install: objects and hooks', async () => {
  const sandbox = openTestSandbox();
  onTestFinished(() => sandbox.remove());
  const { code, stderr } = await sandbox.run('install', 'shop', chart, '--wait=ordered', '--progress=plain');
  expect(code).toBe(0);
  const named = new Set(linesOf('install').flatMap((line) => line.match(/\b[A-Z]\w+\/shop-[\w-]+/g) ?? []));
  expect([...named].filter((name) => !stderr.includes(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(8);
});

test('failure: the whole error, in the same words', async () => {
  const sandbox = openTestSandbox();
  onTestFinished(() => sandbox.remove());
  const asked = ['--wait=ordered', '--fail', 'shop-web=image-pull', '--grace', '3s', '--progress=none'];
  const { code, stderr } = await sandbox.run('install', 'shop', chart, ...asked);
  expect(code).toBe(1);
  const shown = linesOf('failure');
  // The next steps repeat the flags of the run, which is another one here.
  const ends = shown.findIndex((line) => line.trim().startsWith('next '));
  const error = shown.slice(
    shown.findIndex((line) => line.startsWith('Error:')),
    ends,
  );
  expect(error.length).toBeGreaterThan(8);
  expect(inOneLine(stderr.replaceAll(`${chart}/`, 'shop/'))).toContain(inOneLine(error.join(' ')));
});

/** As a terminal of any width would break it. */
const inOneLine = (text: string): string => text.replaceAll('&quot;', '"').replace(/\s+/g, ' ').trim();
