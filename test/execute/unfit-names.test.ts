import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unfitNames, withNames, withoutPatterns } from '../../src/execute/unfit-names.ts';

const refusals = readFileSync(new URL('../sandbox/fixtures/refusals.json', import.meta.url), 'utf8');
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const dns1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

test('the words are those of a real API server', () => {
  for (const words of [subdomain, label, labelValue]) expect(refusals).toContain(JSON.stringify(words).slice(1, -1));
});

test.each([
  ['My_App-cfg', subdomain, 'my-app-cfg'],
  ['-a.-b_.c', subdomain, 'a.b.c'],
  ['My.App', label, 'my-app'],
  ['a.b', 'must not contain dots', 'a-b'],
  ['1_Web', dns1035, 'web'],
  ['___', label, undefined],
  ['the team!', labelValue, 'the-team'],
  ['x'.repeat(64), 'must be no more than 63 characters', 'x'.repeat(63)],
  [`${'x'.repeat(62)}-y`, 'must be no more than 63 bytes', 'x'.repeat(62)],
])('%s', (value, words, meant) => {
  const problem = `metadata.name: Invalid value: "${value}": ${words}`;
  expect(unfitNames(problem)).toEqual([{ field: 'metadata.name', value, meant }]);
  expect(withoutPatterns(problem)).not.toMatch(/regex|RFC|DNS|must consist/);
});

test('of several each; what is too long and wrong is mended in both ways', () => {
  const long = 'A'.repeat(64);
  const problem = `[metadata.name: Invalid value: "${long}": must be no more than 63 bytes, metadata.name: Invalid value: "${long}": ${label}, spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.ports[0].name: Invalid value: "A_b": ${label}]`;
  expect(unfitNames(problem)).toEqual([
    { field: 'metadata.name', value: long, meant: 'a'.repeat(63) },
    { field: 'spec.ports[0].name', value: 'A_b', meant: 'a-b' },
  ]);
});

test('of a map its key', () => {
  const words =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name', regex used for validation is '[-._a-zA-Z0-9]+')";
  const unfit = { field: 'data[a b]', value: 'a b', meant: 'a-b' };
  expect(withNames([['data', 'a b']], `data[a b]: Invalid value: "a b": ${words}`, { data: { 'a b': 'x' } })).toEqual([
    { path: ['data', 'a b'], unfit },
  ]);
});

test('what is refused for another reason is no name', () =>
  expect(unfitNames('spec.type: Unsupported value: "x": supported values: "ClusterIP"')).toEqual([]));

test('of labels the one is meant whose text is refused', () =>
  expect(
    withNames([['metadata', 'labels'], ['spec']], `metadata.labels: Invalid value: "a b": ${labelValue}`, {
      metadata: { labels: { x: 'ok', team: 'a b' } },
      spec: {},
    }),
  ).toEqual([
    { path: ['metadata', 'labels', 'team'], unfit: { field: 'metadata.labels', value: 'a b', meant: 'a-b' } },
    { path: ['spec'] },
  ]));
