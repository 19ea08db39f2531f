import { describe, expect, test } from 'vitest';
import { readJson, readJsonList, readJsonMap, writeJson } from '../../src/go/json/json.ts';
import { GoObject, goInt64, nilList, type Value } from '../../src/go/value.ts';
import { expectedOutcome, type GoCase, goCases, outcome } from './go-fixture.ts';

const operations: Readonly<Record<string, (input: string) => string>> = {
  readJson: (input) => writeJson(readJson(input)),
  readJsonMap: (input) => writeJson(readJsonMap(input)),
  readJsonList: (input) => writeJson(readJsonList(input)),
  writeJson: (input) => writeJson(readJson(input)),
  writeJsonIndented: (input) => writeJson(readJson(input), { indent: '  ' }),
  writeJsonRaw: (input) => writeJson(readJson(input), { escapeHtml: false }),
};
const run = (goCase: GoCase) => outcome(operations[goCase.operation] as (input: string) => string, goCase);

// json.Unmarshal makes a nil map of null; ours is empty.
const isNilResult = ({ operation, input, output }: GoCase): boolean =>
  operation !== 'readJson' && operation.startsWith('read') && input.trim() === 'null' && output === 'null';

describe('as encoding/json', () => {
  test.each(goCases('json/codec.json').filter((goCase) => !isNilResult(goCase)))('$operation $input', (goCase) =>
    expect(run(goCase)).toEqual(expectedOutcome(goCase)),
  );
});

class Point extends GoObject {
  override readonly goType = 'main.Point';
  override hasField(): boolean {
    return false;
  }
  override field(): Value {
    return undefined;
  }
  override fields(): readonly (readonly [string, Value])[] {
    return [
      ['Y', 1],
      ['X', 2],
    ];
  }
}

describe('values of Go', () => {
  test.each<[string, Value, string]>([
    ['an int64', goInt64(9223372036854775807n), '9223372036854775807'],
    ['bytes', Uint8Array.of(255), '"/w=="'],
    ['a nil list', nilList(), 'null'],
    ['bytes that are not UTF-8', 'a\udcffb', '"a\\ufffdb"'],
    [
      'the fields of a struct in their order, unlike keys',
      [
        new Point(),
        new Map([
          ['b', 1],
          ['a', 2],
        ]),
      ],
      '[{"Y":1,"X":2},{"a":2,"b":1}]',
    ],
  ])('%s', (_what, value, text) => expect(writeJson(value)).toBe(text));

  test('what has no JSON fails', () => {
    expect(() => writeJson(Infinity)).toThrow('json: unsupported value: +Inf');
    const list: Value[] = [];
    list.push(list);
    expect(() => writeJson(list)).toThrow('json: unsupported value: encountered a cycle via []interface {}');
    const map = new Map<string, Value>();
    expect(() => writeJson([map.set('a', [map])])).toThrow('encountered a cycle via []interface {}');
  });

  test('what is deep, or stands in two places, is no cycle', () => {
    let value: Value = [];
    for (let depth = 0; depth < 1500; depth++) value = depth === 10 ? [value, value] : [value];
    expect(writeJson(value)).toBe(
      `${'['.repeat(1490)}${'['.repeat(11)}${']'.repeat(11)},${'['.repeat(11)}${']'.repeat(1501)}`,
    );
  });
});
