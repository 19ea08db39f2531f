import fc from 'fast-check';
import { expect, test } from 'vitest';
import { briefJson } from '../../src/release/brief-json.ts';

const release = {
  name: 'web"',
  info: { status: 'deployed', notes: 'long', description: 'back\\slash "}' },
  chart: {
    metadata: { name: 'c', keywords: ['a', ']'] },
    templates: [{ name: 'x', data: 'e30=' }],
    values: { a: { b: 1 } },
  },
  manifest: '---\n"{"',
  hooks: [{ name: 'h' }],
  version: 3,
  namespace: 'shop',
  labels: {},
};

test.each([undefined, 2])('what tables show is read, the rest is passed over (indented by %s)', (indent) => {
  expect(briefJson(Buffer.from(JSON.stringify(release, undefined, indent)))).toEqual({
    name: 'web"',
    info: { status: 'deployed', description: 'back\\slash "}' },
    chart: { metadata: release.chart.metadata },
    version: 3,
    namespace: 'shop',
  });
});

test.each(['', 'x', '[]', '{"name"', '{"name":"a"', '{"name":}', '{"info":{"status":"x"}'])(
  '%j is left to the reader of everything',
  (text) => expect(briefJson(Buffer.from(text))).toBeUndefined(),
);

test('whatever stands around, the members are those of JSON.parse', () => {
  const members = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('name', 'version', 'namespace')), fc.jsonValue());
  fc.assert(
    fc.property(members, (given) => {
      const { name, version, namespace } = given;
      const picked = briefJson(Buffer.from(JSON.stringify(given))) as Record<string, unknown>;
      const { info: _info, chart: _chart, apply_method: _method, ...found } = picked;
      expect(found).toEqual(JSON.parse(JSON.stringify({ name, version, namespace })));
    }),
  );
});
