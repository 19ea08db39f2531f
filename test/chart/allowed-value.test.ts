import { expect, test } from 'vitest';
import { allowedValue } from '../../src/chart/misfit-problems.ts';
import { allowedText } from '../../src/words/remedy.ts';

function wishOf(schema: string, keys: readonly string[]): string | undefined {
  const allowed = allowedValue(Buffer.from(schema), keys);
  return allowed && allowedText(allowed);
}

const schema = {
  properties: {
    size: { type: 'string', pattern: '^[0-9]+Gi$', default: '8Gi' },
    port: { type: 'integer', minimum: 1, maximum: 65_535, examples: [80] },
    count: { type: 'integer', minimum: 1 },
    mode: { enum: ['a', 'b'] },
    hosts: { type: 'array', items: { properties: { name: { type: ['string', 'null'], pattern: '^a' } } } },
    any: {},
  },
};

test.each([
  [['size'], 'a string that matches ^[0-9]+Gi$, such as "8Gi"'],
  [['port'], 'an integer from 1 to 65535, such as 80'],
  [['count'], 'an integer of at least 1'],
  [['mode'], 'one of "a", "b"'],
  [['hosts', '0', 'name'], 'a string or null that matches ^a'],
  [['any'], undefined],
  [['none', 'at', 'all'], undefined],
])('%j: %s', (keys, wish) => expect(wishOf(JSON.stringify(schema), keys)).toBe(wish));

test('a schema that is no JSON asks for nothing', () => expect(wishOf('{', ['a'])).toBeUndefined());
