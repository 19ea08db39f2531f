import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { jsonPath } from '../../src/go/jsonpath/jsonpath.ts';
import { messageOf } from '../../src/support/errors.ts';
import { readYaml } from '../../src/yaml/index.ts';

interface Answer {
  readonly path: string;
  readonly output: string;
  readonly error: string;
}

const file = new URL('../../fixtures/jsonpath/expected.json', import.meta.url);
const { values, cases } = JSON.parse(readFileSync(file, 'utf8')) as { values: string; cases: Answer[] };
const data = readYaml(values);

function answer(path: string): Answer {
  try {
    return { path, output: jsonPath(path).text(data), error: '' };
  } catch (error) {
    return { path, output: '', error: messageOf(error) };
  }
}

describe('templates print what they print in client-go', () => {
  test.each(cases)('$path', (expected) => expect(answer(expected.path)).toEqual(expected));
});

test('a missing key can be no failure', () => {
  expect(jsonPath('{.a}{.missing}', { allowMissingKeys: true }).find(data)).toEqual([[1], []]);
});

test('the values of a map come by their sorted keys', () => {
  expect(
    jsonPath('{.*}').find(
      new Map([
        ['b', 2],
        ['a', 1],
      ]),
    ),
  ).toEqual([[1, 2]]);
});
