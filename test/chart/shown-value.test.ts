import { expect, test } from 'vitest';
import { shownValue } from '../../src/chart/shown-value.ts';
import { GoInt, type GoMap, type Value } from '../../src/go/value.ts';

const values = (entries: Readonly<Record<string, Value>>): GoMap => new Map(Object.entries(entries));

test.each<[string, Value, string | undefined]>([
  ['a text', 'two', '"two"'],
  ['an empty text', '', '""'],
  ['a whole number', new GoInt('int64', 8080n), '8080'],
  ['a number', 1.5, '1.5'],
  ['a switch', false, 'false'],
  ['nothing', undefined, undefined],
  ['a map', new Map([['a', 1]]), undefined],
  ['a text of many lines', 'a\nb', undefined],
  ['a long text', 'word '.repeat(20), undefined],
  ['a URL', 'https://example.com/a', '"https://example.com/a"'],
  ['a URL with a password', 'postgres://app:hunter2@db/shop', undefined],
  ['a name of words', 'registry.example.com/team/kube-state-metrics', '"registry.example.com/team/kube-state-metrics"'],
  ['what looks drawn at random', 'dGhpcyBpcyBhIHNlY3JldA1x', undefined],
])('%s', (_what, value, text) => {
  expect(shownValue(values({ web: values({ host: value }) }), ['web', 'host'])).toBe(text);
});

test.each<[string, readonly string[], GoMap]>([
  ['its key', ['db', 'password'], values({ db: values({ password: 'abc' }) })],
  ['a key above it', ['tokens', 'ci'], values({ tokens: values({ ci: 'abc' }) })],
  ['a number with such a key', ['pinCode', 'passcode'], values({ pinCode: values({ passcode: 12 }) })],
  ['the name beside it', ['env', '0', 'value'], values({ env: [values({ name: 'DB_PASSWORD', value: 'abc' })] })],
])('a secret by %s is not told', (_what, keys, given) => {
  expect(shownValue(given, keys)).toBeUndefined();
});

test('what a secret is called is none', () => {
  const env = [values({ name: 'DB_PASSWORD', valueFrom: values({ secretKeyRef: values({ name: 'db' }) }) })];
  expect(shownValue(values({ env }), ['env', '0', 'valueFrom', 'secretKeyRef', 'name'])).toBe('"db"');
});
