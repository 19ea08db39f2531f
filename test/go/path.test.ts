import { expect, test } from 'vitest';
import { baseName, slashes } from '../../src/go/path.ts';

// Expected values: filepath.ToSlash of Go for each system.
test.each<[NodeJS.Platform, string, string]>([
  ['win32', String.raw`.\charts\web`, './charts/web'],
  ['win32', 'C:\\charts/web\\', 'C:/charts/web/'],
  ['linux', String.raw`charts\web`, String.raw`charts\web`],
])('slashes on %s of %s', (platform, path, expected) => expect(slashes(path, platform)).toBe(expected));

test('the base of a path of Windows', () => expect(baseName(slashes(String.raw`.\charts\web`, 'win32'))).toBe('web'));
