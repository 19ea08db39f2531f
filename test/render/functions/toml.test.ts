import { describe, expect, test } from 'vitest';
import { formatValue } from '../../../src/go/fmt/format.ts';
import { readJson, writeJson } from '../../../src/go/json/json.ts';
import { utc } from '../../../src/go/time/zone.ts';
import { goTypeOf } from '../../../src/go/value.ts';
import { readToml, writeToml } from '../../../src/render/functions/toml.ts';
import { expectedOutcome, type GoCase, goCases, outcome } from '../../go/go-fixture.ts';

const clock = { local: utc, now: new Date(0) };

const operations: Readonly<Record<string, (input: string) => string>> = {
  readToml: (input) => writeJson(readToml(input, clock)),
  writeToml: (input) => writeToml(readJson(input)),
};
const run = (goCase: GoCase) => outcome(operations[goCase.operation] as (input: string) => string, goCase);

describe('as github.com/BurntSushi/toml', () => {
  test.each(goCases('toml/codec.json'))('$operation $input', (goCase) =>
    expect(run(goCase)).toEqual(expectedOutcome(goCase)),
  );
});

test('types are those of the library', () => {
  const map = readToml('a = 1\nb = 1.0\n[[c]]\nd = [1]', clock);
  expect([...map.values()].map(goTypeOf)).toEqual(['int64', 'float64', '[]map[string]interface {}']);
});

// What Helm writes of them is in fixtures/functions/typed-cases.json.
test.each([
  ['2024-01-02T03:04:05Z', '2024-01-02 03:04:05 +0000 UTC'],
  ['2024-01-02T03:04:05+07:00', '2024-01-02 03:04:05 +0700 +0700'],
  ['2024-01-02T03:04:05', '2024-01-02 03:04:05 +0000 datetime-local'],
  ['2024-01-02', '2024-01-02 00:00:00 +0000 date-local'],
  ['03:04:05', '0000-01-01 03:04:05 +0000 time-local'],
])('the time %s is %s', (text, printed) =>
  expect(formatValue(readToml(`a = ${text}`, clock).get('a') ?? null)).toBe(printed),
);

test('an error names the line', () => expect(() => readToml('a = 1\nb =\n', clock)).toThrow(/^toml: line 2: /));

// Helm: `99999999999999999999 is out of range for int64`; ours wrapped around without a word.
test.each(['9223372036854775808', '99999999999999999999', '-9223372036854775809'])('%s is refused', (text) =>
  expect(() => readToml(`a = ${text}`, clock)).toThrow(`${text} is out of range for int64`),
);
