import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Changes } from '../../src/cli/output/unittest/changes.ts';
import { writeFiles } from './files.ts';

test('a path that is not there is an error that names it', () => {
  expect(() => new Changes(['/nowhere/shop'])).toThrow('watch /nowhere/shop: no such file or directory');
});

const never = new AbortController().signal;

test('a change below a chart is told once it has settled, also one that came before it was asked for', async () => {
  const chart = join(writeFiles({ 'templates/a.yaml': 'a' }), 'shop');
  const changes = new Changes([chart]);
  onTestFinished(() => changes.close());
  for (const text of ['b', 'c']) {
    writeFileSync(join(chart, 'templates/a.yaml'), text);
    await changes.next(never);
  }
});

test('snapshots are the tests’ own, and the end of the wait is no change', async () => {
  const chart = join(writeFiles({ 'tests/a_test.yaml': 'a' }), 'shop');
  mkdirSync(join(chart, 'tests/__snapshot__'));
  const changes = new Changes([chart]);
  onTestFinished(() => changes.close());
  writeFileSync(join(chart, 'tests/__snapshot__/a.snap'), 'b');
  const end = new AbortController();
  let isTold = false;
  const asked = changes.next(end.signal).then(() => (isTold = true));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(isTold).toBe(false);
  end.abort();
  await asked;
});

test('a chart that is moved away, brought back or made again is watched as before', async () => {
  const folder = writeFiles({ 'templates/a.yaml': 'a' });
  const chart = join(folder, 'shop');
  const changes = new Changes([chart]);
  onTestFinished(() => changes.close());
  const change = async (work: () => void): Promise<void> => {
    work();
    await changes.next(never);
  };
  await change(() => renameSync(chart, join(folder, 'away')));
  await change(() => renameSync(join(folder, 'away'), chart));
  await change(() => writeFileSync(join(chart, 'templates/a.yaml'), 'b'));
  await change(() => {
    rmSync(chart, { recursive: true });
    mkdirSync(join(chart, 'templates'), { recursive: true });
  });
  await change(() => writeFileSync(join(chart, 'templates/a.yaml'), 'c'));
});
