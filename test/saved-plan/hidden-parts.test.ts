import { expect, test } from 'vitest';
import { hiddenIn, hiddenInDocument } from '../../src/saved-plan/hidden-parts.ts';

test.each([
  ['a', 'a', []],
  ['a: ***', 'a: x', ['x']],
  ['***-***', 'x-y', ['x', 'y']],
  ['db://***:***@host', 'db://me:pw@host', ['me', 'pw']],
  ['*** b ***', 'b b b b', ['b', 'b b']],
  ['***', '', ['']],
  ['a: 1', 'a: EVIL', undefined],
  ['a: *** b', 'a: x', undefined],
  ['ab***ba', 'aba', undefined],
])('%j of %j hides %j', (shown, plain, parts) => {
  expect(hiddenIn(shown, plain)).toEqual(parts);
});

test.each([
  [{ a: '***', b: 1 }, { a: 7, b: 1 }, ['7']],
  [{ a: ['x', '***'] }, { a: ['x', { b: true }] }, ['{"b":true}']],
  [{ a: '***' }, { a: 'x', b: 'EVIL' }, undefined],
  [{ a: 1 }, { a: 2 }, undefined],
  [['a'], { 0: 'a' }, undefined],
])('%j of %j hides %j', (shown, plain, parts) => {
  expect(hiddenIn(shown, plain)).toEqual(parts);
});

test('of a Secret only names and keys are shown, in other YAML', () => {
  const plain = 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {p: x}\n';
  const shown = "apiVersion: v1\ndata:\n  p: '***'\nkind: Secret\nmetadata:\n  name: a\n";
  expect(hiddenInDocument(shown, plain, '')).toEqual([Buffer.from('x').toString('base64')]);
  expect(hiddenInDocument(shown.replace('name: a', 'name: b'), plain, '')).toBe(undefined);
});
