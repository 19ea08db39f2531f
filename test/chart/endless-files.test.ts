import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadChart } from '../../src/chart/load.ts';
import { validateValues } from '../../src/chart/validate-values.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-endless-'));
  mkdirSync(join(folder, 'templates'));
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: c\nversion: 1.0.0\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

// What Helm 4.1 says; of an endless Chart.yaml it reads on until the memory is full.
describe.skipIf(process.platform === 'win32')('a link to a file without end', () => {
  test('.helmignore', async () => {
    symlinkSync('/dev/zero', join(folder, '.helmignore'));
    await expect(loadChart(folder)).rejects.toThrow('bufio.Scanner: token too long');
  });

  test('Chart.yaml', async () => {
    rmSync(join(folder, 'Chart.yaml'));
    symlinkSync('/dev/zero', join(folder, 'Chart.yaml'));
    await expect(loadChart(folder)).rejects.toThrow('control characters are not allowed');
  });

  test('a schema', async () => {
    writeFileSync(join(folder, 'values.schema.json'), '{"$ref":"file:///dev/zero"}');
    await expect(validateValues(await loadChart(folder), new Map())).rejects.toThrow(
      `failing loading "file:///dev/zero": invalid character '\\x00' looking for beginning of value`,
    );
  });
});

test.each([
  [65_535, true],
  [65_536, false],
])('a line of .helmignore of %i bytes', async (bytes, isRead) => {
  writeFileSync(join(folder, '.helmignore'), `# ${'x'.repeat(bytes - 2)}\n`);
  const loaded = loadChart(folder);
  if (isRead) await expect(loaded).resolves.toBeDefined();
  else await expect(loaded).rejects.toThrow('bufio.Scanner: token too long');
});
