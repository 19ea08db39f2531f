import { expect, test } from 'vitest';
import { schemaFindings } from '../../src/problem/foreign/json-schema.ts';

test('what many paths of a schema say of a value is one finding', () => {
  const text =
    "- at '/a': 'anyOf' failed\n  - at '/a': got string, want integer\n    - at '/a': got string, want integer\n  - at '': missing property 'b'\n";
  expect(schemaFindings(text)).toEqual([
    { keys: ['a'], reason: "'anyOf' failed", isSummary: true },
    { keys: ['a'], reason: 'got string, want integer' },
    { keys: [], reason: "missing property 'b'", missing: 'b' },
  ]);
});

test('properties that are not allowed are known by their names', () => {
  const names = ['prt', "it's", 'a, b'];
  const quoted = String.raw`'prt', 'it\'s', 'a, b'`;
  expect(schemaFindings(`- at '/web': additional properties ${quoted} not allowed\n`)).toEqual([
    { keys: ['web'], reason: `additional properties ${quoted} not allowed`, extra: names },
  ]);
});

test('a slash in a key is a part of it', () => {
  expect(schemaFindings("- at '/x~1y~0z': got string, want integer")[0]?.keys).toEqual(['x/y~z']);
});
