import { describe, expect, test } from 'vitest';
import { readJson, writeJson } from '../../src/support/json.ts';
import { readToml, writeToml } from '../../src/support/toml.ts';
import { goTypeOf } from '../../src/support/value.ts';
import { expectedOutcome, type GoCase, goCases, outcome } from './go-fixture.ts';

const operations: Readonly<Record<string, (input: string) => string>> = {
  readToml: (input) => writeJson(readToml(input)),
  writeToml: (input) => writeToml(readJson(input)),
};
const run = (goCase: GoCase) => outcome(operations[goCase.operation] as (input: string) => string, goCase);

describe('as github.com/BurntSushi/toml', () => {
  test.each(goCases('toml/codec.json'))('$operation $input', (goCase) =>
    expect(run(goCase)).toEqual(expectedOutcome(goCase)),
  );
});

test('types are those of the library', () => {
  const map = readToml('a = 1\nb = 1.0\n[[c]]\nd = [1]');
  expect([...map.values()].map(goTypeOf)).toEqual(['int64', 'float64', '[]map[string]interface {}']);
});

test('a time is what the caller makes of it', () =>
  expect(readToml('a = 2024-01-02T03:04:05Z', (date) => date.getTime() / 1000)).toEqual(new Map([['a', 1704164645]])));

test('an error names the line', () => expect(() => readToml('a = 1\nb =\n')).toThrow(/^toml: line 2: /));
