import { expect, test } from 'vitest';
import { fieldDifferences } from '../../src/manifest/field-differences.ts';

const shown = (before: unknown, after: unknown): string[] =>
  fieldDifferences(before, after).map(
    (field) => `${field.path}: ${JSON.stringify(field.before)} -> ${JSON.stringify(field.after)}`,
  );

test.each([
  ['a value', { spec: { replicas: 1 } }, { spec: { replicas: 2 } }, ['spec.replicas: 1 -> 2']],
  ['keys in another order are no difference', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }, []],
  ['a field that is added', { a: {} }, { a: { b: 'x' } }, ['a.b: undefined -> "x"']],
  ['a field that is removed', { a: { b: 'x' } }, { a: {} }, ['a.b: "x" -> undefined']],
  ['keys that are no plain words', { 'a/b.c': 1 }, { 'a/b.c': 2 }, ['["a/b.c"]: 1 -> 2']],
  [
    'items of a list by their name',
    {
      containers: [
        { name: 'a', image: '1' },
        { name: 'b', image: '1' },
      ],
    },
    {
      containers: [
        { name: 'b', image: '2' },
        { name: 'a', image: '1' },
      ],
    },
    ['containers[name=b].image: "1" -> "2"'],
  ],
  [
    'an item that only one has',
    { env: [{ name: 'a', value: '1' }] },
    { env: [{ name: 'a', value: '1' }, { name: 'b' }] },
    ['env[name=b]: undefined -> {"name":"b"}'],
  ],
  [
    'ports without names by their number',
    { ports: [{ port: 80, nodePort: 1 }] },
    { ports: [{ port: 80, nodePort: 2 }] },
    ['ports[port=80].nodePort: 1 -> 2'],
  ],
  [
    'the same items in another order',
    { list: [{ name: 'a' }, { name: 'b' }] },
    { list: [{ name: 'b' }, { name: 'a' }] },
    ['list: [{"name":"a"},{"name":"b"}] -> [{"name":"b"},{"name":"a"}]'],
  ],
  ['lists of plain values as a whole', { args: ['a', 'b'] }, { args: ['a', 'c'] }, ['args: ["a","b"] -> ["a","c"]']],
  [
    'objects without a key by their place',
    { rules: [{ verbs: ['get'] }] },
    { rules: [{ verbs: ['list'] }] },
    ['rules[0].verbs: ["get"] -> ["list"]'],
  ],
  ['an object instead of a list', { a: [] }, { a: {} }, ['a: [] -> {}']],
])('%s', (_rule, before, after, expected) => expect(shown(before, after)).toEqual(expected));
