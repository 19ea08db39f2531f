import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { indexDirectory } from '../../../src/source/repository/index-directory.ts';

test('a folder that is not there is not made for an index', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tshelm-index-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const folder = join(home, 'nowhere');
  await expect(indexDirectory(folder, { url: '', asJson: false, now: new Date(0) })).rejects.toThrow(
    `open ${join(folder, 'index.yaml')}: no such file or directory`,
  );
  expect(existsSync(folder)).toBe(false);
});
