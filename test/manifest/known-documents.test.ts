import { expect, test } from 'vitest';
import { KnownDocuments, parseDocument } from '../../src/manifest/parse.ts';

test.each([
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {helm.sh/hook: test}}\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 1, labels: {a: 1}}\n',
  '# nothing\n',
])('a known document is what it was, and every caller has an object of its own: %j', (text) => {
  const documents = new KnownDocuments();
  const [first, second, third] = ['a.yaml', 'b.yaml', 'c.yaml'].map((source) => documents.parse(text, source));
  expect(first).toEqual(parseDocument(text, 'a.yaml'));
  expect(second).toEqual(parseDocument(text, 'b.yaml'));
  expect(second?.manifest.object).toBe(second?.manifest.object);
  expect(third?.manifest.object).not.toBe(second?.manifest.object);
});

test('what is wrong is told wherever it stands', () => {
  const documents = new KnownDocuments();
  for (const source of ['a.yaml', 'b.yaml'])
    expect(() => documents.parse('a: [\n', source)).toThrow(`YAML parse error on ${source}`);
});
