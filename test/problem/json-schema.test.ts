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
