import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const { isPrivateFolder, readPrivateFile } = createRequire(import.meta.url)('../../scripts/private-files.cjs') as {
  readonly isPrivateFolder: (folder: string) => boolean;
  readonly readPrivateFile: (path: string) => Buffer | undefined;
};

const nobody = 65534;
const isRoot = process.getuid?.() === 0;

let home: string;
let folder: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tshelm-home-'));
  folder = join(home, '.cache/tshelm/code/build');
  mkdirSync(folder, { recursive: true });
  for (const part of ['.cache', '.cache/tshelm', '.cache/tshelm/code', '.cache/tshelm/code/build'])
    chmodSync(join(home, part), 0o755);
  file = join(folder, 'main.js.every.cache');
  writeFileSync(file, 'code', { mode: 0o644 });
});
afterEach(() => rmSync(home, { recursive: true }));

test("a folder and a file of one's own are read", () => {
  expect(isPrivateFolder(folder)).toBe(true);
  expect(String(readPrivateFile(file))).toBe('code');
  expect(isPrivateFolder(join(folder, 'absent'))).toBe(false);
  expect(readPrivateFile(join(folder, 'absent'))).toBeUndefined();
  expect(readPrivateFile(folder)).toBeUndefined();
});

describe.skipIf(process.platform === 'win32')('code that somebody else may have written is not run:', () => {
  test.each(['', '.cache', '.cache/tshelm', '.cache/tshelm/code', '.cache/tshelm/code/build'])(
    'HOME/%s writable by others',
    (part) => {
      chmodSync(join(home, part), 0o777);
      expect(isPrivateFolder(folder)).toBe(false);
      chmodSync(join(home, part), 0o1777);
      expect(isPrivateFolder(folder)).toBe(part !== '.cache/tshelm/code/build');
    },
  );

  test('a link in the place of the folder, or of a file', () => {
    const link = join(home, 'link');
    symlinkSync(folder, link);
    expect(isPrivateFolder(link)).toBe(false);
    symlinkSync(file, join(folder, 'rest.js.every.cache'));
    expect(readPrivateFile(join(folder, 'rest.js.every.cache'))).toBeUndefined();
  });

  test('a link above it, which leads below a folder of others', () => {
    chmodSync(join(home, '.cache'), 0o777);
    const other = mkdtempSync(join(tmpdir(), 'tshelm-home-'));
    try {
      symlinkSync(join(home, '.cache'), join(other, '.cache'));
      expect(isPrivateFolder(join(other, '.cache/tshelm/code/build'))).toBe(false);
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  test('a file that others may write', () => {
    chmodSync(file, 0o666);
    expect(readPrivateFile(file)).toBeUndefined();
  });

  test.skipIf(!isRoot)('what belongs to another user, the kept HOME of `sudo` among it', () => {
    chownSync(file, nobody, nobody);
    expect(readPrivateFile(file)).toBeUndefined();
    chownSync(folder, nobody, nobody);
    expect(isPrivateFolder(folder)).toBe(false);
    chownSync(folder, 0, 0);
    chownSync(home, nobody, nobody);
    expect(isPrivateFolder(folder)).toBe(false);
  });
});
