import { describe, expect, test } from 'vitest';
import { sprintf } from '../../src/go/fmt/format.ts';
import { asNamedMap, type GoFunction, GoInt, goInt, type Value, withGoType } from '../../src/go/value.ts';
import { goFunction, signatureOf } from '../../src/template/function.ts';
import { TemplateSet } from '../../src/template/template-set.ts';

const render = (source: string, functions: Record<string, GoFunction>, data: Value = new Map()): string => {
  const set = new TemplateSet({ functions, missingKey: 'zero' });
  set.parse('t', source);
  return set.execute('t', data);
};

describe('signatures', () => {
  test.each([
    ['func()', [], false, 'interface {}'],
    ['func(any) any', ['interface {}'], false, 'interface {}'],
    ['func(string, int) (string, error)', ['string', 'int'], false, 'string'],
    ['func(...interface {}) []interface {}', ['interface {}'], true, '[]interface {}'],
    ['func(sep string, values ...any) []string', ['string', 'interface {}'], true, '[]string'],
    ['func(a, b string) bool', ['string', 'string'], false, 'bool'],
    [
      'func(map[string]any, []byte) (map[string]interface {}, error)',
      ['map[string]interface {}', '[]uint8'],
      false,
      'map[string]interface {}',
    ],
    ['func(func(int) string) func() (string, error)', ['func(int) string'], false, 'func() (string, error)'],
    ['func(*chart.Metadata, time.Time) rune', ['*chart.Metadata', 'time.Time'], false, 'int32'],
  ])('%s', (signature, parameters, isVariadic, result) => {
    const parsed = signatureOf(goFunction(signature, () => null));
    expect([parsed.parameters.map(({ name }) => name), parsed.isVariadic, parsed.result.name]).toEqual([
      parameters,
      isVariadic,
      result,
    ]);
  });
});

describe('what the implementation gets', () => {
  const seen = (signature: string, source: string, data?: Value): unknown[] => {
    let args: unknown[] = [];
    const f = goFunction(signature, (...given: unknown[]) => {
      args = given;
      return '';
    });
    render(source, { f }, data);
    return args;
  };
  const list = ['a', 'b'];
  const map = new Map<string, Value>([['k', 'v']]);
  const valuesType = { name: 'common.Values', underlying: 'map[string]interface {}', method: () => undefined };
  const data = new Map<string, Value>([
    ['list', list],
    ['map', map],
    ['values', asNamedMap(map, valuesType)],
    ['strings', withGoType(['s'], '[]string')],
    ['int', goInt(7)],
  ]);

  test.each([
    ['an int is a number', 'func(int) string', '{{f 7}}', [7]],
    ['an int64 is a bigint', 'func(int64) string', '{{f 7}}', [7n]],
    ['an uint8 is a number', 'func(uint8) string', '{{f 7}}', [7]],
    ['a float64 takes an integer constant', 'func(float64) string', '{{f 7}}', [7]],
    ['any takes everything as it is', 'func(any) string', '{{f .int}}', [goInt(7)]],
    ['a missing value is nil', 'func(any) string', '{{f .absent}}', [null]],
    ['a missing value in parentheses is nil', 'func(any) string', '{{f (.absent)}}', [null]],
    ['reflection sees that there is no value', 'func(reflect.Value) string', '{{f (.absent)}}', [undefined]],
    ['variadic arguments come as one list', 'func(string, ...int) string', '{{f "a" 1 2}}', ['a', [1, 2]]],
    ['no variadic arguments are an empty list', 'func(...any) string', '{{f}}', [[]]],
    ['a list is the list itself', 'func([]any) string', '{{f .list}}', [list]],
    ['nil is an empty list', 'func([]any) string', '{{f nil}}', [[]]],
    ['a map is the map itself', 'func(map[string]any) string', '{{f .map}}', [map]],
    ['a named map is a map', 'func(map[string]any) string', '{{f .values}}', [map]],
    ['strings are strings', 'func([]string) string', '{{f .strings}}', [['s']]],
    ['the value of the pipeline comes last', 'func(string, int) string', '{{7 | f "a"}}', ['a', 7]],
  ])('%s', (_rule, signature, source, args) => expect(seen(signature, source, data)).toEqual(args));

  test('no value is an empty map, which cannot be written to, as in Go', () => {
    expect((seen('func(map[string]any) string', '{{f (.absent)}}')[0] as Map<string, Value>).size).toBe(0);
    const set = goFunction('func(map[string]any) any', (given: Map<string, Value>) => given.set('a', 1));
    expect(() => render('{{f (.absent)}}', { f: set })).toThrow('error calling f: assignment to entry in nil map');
  });
});

describe('results', () => {
  test.each([
    ['func() int', 7, 'int 7'],
    ['func() int', 7n, 'int 7'],
    ['func() int64', 7, 'int64 7'],
    ['func() uint8', 257, 'uint8 1'],
    ['func() float64', 7, 'float64 7'],
    ['func() any', new GoInt('int32', 7n), 'int32 7'],
    ['func() []string', ['a'], '[]string [a]'],
    ['func() []any', ['a'], '[]interface {} [a]'],
    ['func() map[string]string', new Map([['k', 'v']]), 'map[string]string map[k:v]'],
    ['func() any', null, '<nil> <nil>'],
  ])('%s returning %s', (signature, result, text) => {
    const f = goFunction(signature, () => result);
    const show = goFunction('func(any) string', (value: Value) => sprintf('%T %v', value, value));
    expect(render('{{show (f)}}', { f, show })).toBe(text);
  });
});
