import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const { cacheFolder } = createRequire(import.meta.url)('../../scripts/cache-folder.cjs') as {
  readonly cacheFolder: (temporary: string) => string | undefined;
};

const nobody = 65534;
const isRoot = process.getuid?.() === 0;

let above: string;
let temporary: string;
let folder: string;
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'tshelm-above-'));
  temporary = join(above, 'tmp');
  folder = join(temporary, process.getuid === undefined ? 'tshelm-code' : `tshelm-code-${process.getuid()}`);
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
});
afterEach(() => rmSync(above, { recursive: true }));

test('the first run makes the folder, the next ones find it', () => {
  expect(cacheFolder(temporary)).toBe(folder);
  expect(cacheFolder(temporary)).toBe(folder);
});

test('without a folder for temporary files there is none', () => {
  writeFileSync(join(above, 'file'), '');
  expect(cacheFolder(join(above, 'file'))).toBeUndefined();
  expect(cacheFolder('/dev/null')).toBeUndefined();
});

describe.skipIf(process.platform === 'win32')('code that somebody else may have written is not run:', () => {
  test.each([
    ['the folder', () => folder, 0o777],
    ['the folder above, without the sticky bit', () => temporary, 0o777],
    ['a folder further up', () => above, 0o777],
  ])('%s is writable by others', (_what, path, mode) => {
    mkdirSync(folder);
    chmodSync(path(), mode);
    expect(cacheFolder(temporary)).toBeUndefined();
  });

  test('a link in the place of the folder', () => {
    mkdirSync(join(above, 'other'));
    symlinkSync(join(above, 'other'), folder);
    expect(cacheFolder(temporary)).toBeUndefined();
  });

  test('a link above it, which leads below a folder that others may change', () => {
    const link = join(above, 'link');
    symlinkSync(temporary, link);
    expect(cacheFolder(link)).toBe(join(link, folder.slice(temporary.length + 1)));
    chmodSync(temporary, 0o777);
    expect(cacheFolder(link)).toBeUndefined();
  });

  test.skipIf(!isRoot)('the folder, or the one above it, belongs to another user', () => {
    mkdirSync(folder);
    chownSync(folder, nobody, nobody);
    expect(cacheFolder(temporary)).toBeUndefined();
    chownSync(folder, 0, 0);
    chownSync(temporary, nobody, nobody);
    expect(cacheFolder(temporary)).toBeUndefined();
  });
});
