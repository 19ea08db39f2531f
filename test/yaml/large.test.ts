import { expect, test } from 'vitest';
import { readYaml, YamlError } from '../../src/yaml/index.ts';

const many = 3_000_000;
const nested = (depth: number): string =>
  `${Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('')}${' '.repeat(depth)}b: 1\n`;

/** Helm reads them. */
test.each<[string, () => string, unknown]>([
  ['lines of comments', () => `${'# x\n'.repeat(many)}a: 1\n`, 1],
  ['lines of comments before a document', () => `${'# x\n'.repeat(many)}---\na: 1\n`, 1],
  ['a plain scalar of many words', () => `a: ${'x '.repeat(many)}\n`, 'x '.repeat(many).trim()],
  ['the same in a flow list', () => `a: [${'x '.repeat(many)}]\n`, ['x '.repeat(many).trim()]],
  ['a quoted scalar', () => `a: "${'x '.repeat(many)}"\n`, 'x '.repeat(many)],
  ['a quoted scalar of many escapes', () => `a: "${'\\x41'.repeat(many)}"\n`, 'A'.repeat(many)],
  ['a block of many lines', () => `a: |\n${'  x\n'.repeat(many)}`, 'x\n'.repeat(many)],
  ['an anchor behind many comments', () => `${'# x\n'.repeat(many)}a: &x 1\n`, 1],
])('%s', (_what, text, expected) => {
  const value = readYaml(text()) as Map<string, unknown>;
  // A message with megabytes in it helps nobody.
  expect(JSON.stringify(value.get('a')) === JSON.stringify(expected)).toBe(true);
});

test('maps that nest deeper than the stack holds are refused in words, and may be tried with a larger stack', () => {
  const text = nested(900);
  let failure: unknown;
  const fillStack = (): void => {
    try {
      fillStack();
    } catch {}
    if (failure !== undefined) return;
    try {
      readYaml(text);
    } catch (error) {
      if (error instanceof YamlError) failure = error;
    }
  };
  fillStack();
  expect(failure).toBeInstanceOf(YamlError);
  expect(failure).toMatchObject({
    message: 'error converting YAML to JSON: yaml: exceeded max depth',
    cause: expect.any(RangeError),
  });
});
