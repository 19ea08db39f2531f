import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ListItems } from '../../../src/cluster/http/list-items.ts';

function takenApart(text: string, cuts: readonly number[]): { items: unknown[]; around: unknown } {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const list = new ListItems();
  const items = places.slice(1).flatMap((end, index) => list.take(bytes.subarray(places[index], end)));
  return { items: items.map((item) => JSON.parse(item.toString('utf8'))), around: JSON.parse(list.listWithoutItems()) };
}

test.each([
  ['{"kind":"SecretList","metadata":{"continue":"x"},"items":[]}', []],
  ['{"items":[{"a":"}]\\"{"}, {"items":[{"b":1}]}],"metadata":{"items":[1]}}', [{ a: '}]"{' }, { items: [{ b: 1 }] }]],
  ['{"items":null,"metadata":{}}', []],
])('%s', (text, items) => {
  const found = takenApart(text, [3, 17]);
  expect(found.items).toEqual(items);
  expect(found.around).toEqual({ ...JSON.parse(text), ...(text.includes('null') ? {} : { items: [] }) });
});

test('wherever a list is cut, it is put together again', () => {
  const item = fc.dictionary(fc.string(), fc.jsonValue());
  const list = fc.record({
    kind: fc.string(),
    metadata: fc.dictionary(fc.string(), fc.jsonValue()),
    items: fc.array(item),
  });
  fc.assert(
    fc.property(list, fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), (given, cuts, isIndented) => {
      const plain = JSON.parse(JSON.stringify(given)) as { items: unknown[] };
      const found = takenApart(JSON.stringify(given, undefined, isIndented ? 2 : undefined), cuts);
      expect(found).toEqual({ items: plain.items, around: { ...plain, items: [] } });
    }),
    { numRuns: 500 },
  );
});
