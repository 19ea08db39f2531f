import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { homeFolder } from '../../src/support/home.ts';

test('$HOME wins over the password file', () => expect(homeFolder('/home/of/env')).toBe('/home/of/env'));

test.each([undefined, ''])('without $HOME the password file is asked: %j', (home) =>
  expect(homeFolder(home)).toBe(homedir()),
);

test('a user whom the password file does not know has the working folder', () =>
  expect(
    homeFolder(undefined, () => {
      throw new Error('ENOENT: no such file or directory, uv_os_homedir');
    }),
  ).toBe(''));
