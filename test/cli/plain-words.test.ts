import { expect, test } from 'vitest';
import { plainWords } from '../../src/cli/errors/plain-words.ts';

test.each([
  ["- at '/service/port': maximum: got 80,800, want 65,535", 'service.port is 80800 but may be at most 65535'],
  ["- at '/name': minLength: got 3, want 5", 'name has 3 characters but needs at least 5'],
  ["- at '/name': got string, want integer", ''],
  [
    'release name check failed: release name "My_App": invalid release name, must match regex ^x$',
    'a release name has lower case letters, digits, - and . alone, with a letter or digit at both ends, and 53 characters at most: my-app is one',
  ],
  ['release: not found', ''],
])('%s', (message, words) => expect(plainWords(`INSTALLATION FAILED: ${message}`)).toBe(words));
