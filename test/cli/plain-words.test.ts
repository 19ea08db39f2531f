import { expect, test } from 'vitest';
import { plainWords } from '../../src/cli/errors/plain-words.ts';

test.each([
  ["- at '/service/port': maximum: got 80,800, want 65,535", 'service.port is 80800 but may be at most 65535'],
  ["- at '/name': minLength: got 3, want 5", 'name has 3 characters but needs at least 5'],
  ["- at '/name': got string, want integer", ''],
  [
    'release name check failed: release name "My_App": invalid release name, must match regex ^x$',
    'use lower-case letters, digits, "-" and "."; start and end with a letter or digit; at most 53 characters, for example my-app',
  ],
  ['release: not found', ''],
])('%s', (message, words) => expect(plainWords(`INSTALLATION FAILED: ${message}`)).toBe(words));
