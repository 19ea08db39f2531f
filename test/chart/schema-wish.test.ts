import { expect, test } from 'vitest';
import { schemaWish } from '../../src/chart/schema-wish.ts';

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
  [['port'], 'an integer of at least 1 and of at most 65535, such as 80'],
  [['count'], undefined],
  [['mode'], 'one of "a", "b"'],
  [['hosts', '0', 'name'], 'a string or a null that matches ^a'],
  [['any'], undefined],
  [['none', 'at', 'all'], undefined],
])('%j: %s', (keys, wish) => expect(schemaWish(Buffer.from(JSON.stringify(schema)), keys)).toBe(wish));

test('a schema that is no JSON asks for nothing', () => expect(schemaWish(Buffer.from('{'), ['a'])).toBeUndefined());
