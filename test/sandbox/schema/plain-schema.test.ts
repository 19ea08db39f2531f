import { expect, test } from 'vitest';
import { isReadablePattern } from '../../../src/sandbox/schema/patterns.ts';
import { isPlainSchema } from '../../../src/sandbox/schema/plain-schema.ts';
import type { JsonObject } from '../../../src/support/json.ts';

const text = { type: 'string' };

test.each<[string, JsonObject]>([
  ['a text with limits', { ...text, minLength: 1, maxLength: 9, pattern: '^a+$', format: 'x' }],
  ['an object', { type: 'object', properties: { a: text, b: { type: 'array', items: text } }, required: ['a'] }],
  ['a map of texts', { type: 'object', additionalProperties: text }],
  ['a list by keys', listByKeys({})],
  ['a default of the type', { ...text, default: '' }],
  ['a default among the words', { ...text, enum: ['a', 'b'], default: 'b' }],
  [
    'an integer or a text',
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^(?:a|b)$' },
  ],
])('%s is plain', (_name, schema) => expect(isPlainSchema(schema)).toBe(true));

test.each<[string, JsonObject]>([
  ['no type', { description: 'a' }],
  ['an unknown type', { type: 'text' }],
  ['an unknown keyword', { ...text, pattren: 'a' }],
  ["a keyword that is a method of JavaScript's objects", { ...text, hasOwnProperty: 'type' }],
  ['null', { ...text, description: null }],
  ['a list without items', { type: 'array' }],
  ['an empty list, which is dropped', { type: 'object', required: [] }],
  ['no properties, which are dropped', { type: 'object', properties: {} }],
  ['a fraction where a count belongs', { ...text, maxLength: 1.5 }],
  ['a pattern that Go does not read', { ...text, pattern: '(?=a)' }],
  ['a default of another type', { ...text, default: 1 }],
  ['a default that is none of the words', { ...text, enum: ['a'], default: 'b' }],
  ['a default that a pattern may refuse', { ...text, pattern: '^a$', default: 'b' }],
  ['properties and others', { type: 'object', properties: { a: text }, additionalProperties: text }],
  ['a list by keys without keys', listByKeys({ 'x-kubernetes-list-map-keys': undefined })],
  ['a list by keys of texts', listByKeys({ items: text })],
  ['a wrong schema far below', { type: 'array', items: { type: 'object', properties: { a: { type: 'x' } } } }],
])('%s is not plain', (_name, schema) => expect(isPlainSchema(defined(schema))).toBe(false));

test('below a schema that is not plain the others are', () => {
  const plain = { type: 'object', properties: { a: text } };
  const schema = { type: 'object', properties: { plain, wrong: { type: 'x' } } };
  expect(isPlainSchema(schema)).toBe(false);
  expect(isPlainSchema(schema.properties.plain)).toBe(true);
  expect(isPlainSchema(schema.properties.wrong)).toBe(false);
});

test.each([
  '(?=a)',
  '(?<!a)',
  '[]',
  '[^]',
  '[[:foo:]]',
  'a{1001}',
  '(?:a{100}){100}',
  '[\\b]',
  '(?i)*',
  '\\1',
  'a**',
  '(',
])('Go does not read %s', (pattern) => expect(isReadablePattern(pattern)).toBe(false));

test.each(['(?i)a', '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '[[:alpha:]]', 'a{2,5}', '\\x41', '(?P<name>a)', '\\QA*\\E'])(
  'Go reads %s',
  (pattern) => expect(isReadablePattern(pattern)).toBe(true),
);

function listByKeys(changes: Readonly<Record<string, unknown>>): JsonObject {
  const keys = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
  const items = { type: 'object', properties: { name: text } };
  return { type: 'array', items, ...keys, ...changes } as JsonObject;
}

/** As JSON has it: without keys that are undefined. */
const defined = (schema: JsonObject): JsonObject => JSON.parse(JSON.stringify(schema)) as JsonObject;
