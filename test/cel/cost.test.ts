import { expect, test } from 'vitest';
import { CelCompiler } from '../../src/cel/engine.ts';
import { CelError } from '../../src/cel/error.ts';

const digits = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]';
const nested = (macro: string): string =>
  'abcdefgh'.split('').reduceRight((body, name) => `${digits}.${macro}(${name}, ${body})`, 'h == 10');
const grown = (seed: string, times: number): string =>
  Array.from({ length: times }).reduce<string>(
    (list) => `${list}.map(a, a + a + a + a + a + a + a + a + a + a)`,
    `[${seed}]`,
  );

test.each([
  ['loops inside of loops', nested('exists')],
  ['the same where errors do not count', `${nested('exists')} || true`],
  ['the same with two variables', nested('exists').replace('exists(a,', 'exists(i, a,')],
  ['a text that grows', `${grown("'x'", 12)}[0] == 'y'`],
  ['a list that grows', `${grown('[1]', 12)}[0].size() == 1`],
  ['a range', 'lists.range(1000000000).size() == 1'],
])('an expression without an end in sight is given up, as by Kubernetes: %s', (_what, expression) => {
  const { evaluate } = new CelCompiler().compile(expression);
  for (const _again of [1, 2])
    expect(() => evaluate({})).toThrow(new CelError('operation cancelled: actual cost limit exceeded'));
});

test('what an evaluation cost does not count for the next one', () => {
  const { evaluate } = new CelCompiler().compile('lists.range(1000).all(a, lists.range(100).exists(b, b == a % 100))');
  for (const _again of [1, 2, 3, 4, 5, 6]) expect(evaluate({})).toBe(true);
});
