import { expect, test } from 'vitest';
import { manifestsOf } from '../../src/plan/arrange.ts';
import { reasonsOf } from '../../src/plan/outside-needs.ts';
import type { Revision } from '../../src/plan/revision.ts';
import { sequencingOf } from '../../src/plan/sequencing.ts';
import { storedOrder } from '../../src/plan/stored-order.ts';
import type { BatchNode, Unit } from '../../src/plan/types.ts';
import { manifestText } from '../../src/render/manifest-text.ts';
import type { TshelmError } from '../../src/support/errors.ts';
import { arranged, resource } from './charts.ts';

const needs = 'tshelm.dev/needs';
const group = 'helm.sh/resource-group';
const afterGroups = 'helm.sh/depends-on/resource-groups';

/** Each node of each batch, and what it waits for. */
const drawn = (unit: Unit): readonly (readonly string[])[] =>
  unit.batches.map(({ nodes }) => nodes.map((node) => [nameOf(node), ...reasonsOf(node)].join(' <- ')));
const nameOf = (node: BatchNode): string => (node.kind === 'unit' ? node.unit.name : node.name);

type Resources = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
const files = (resources: Resources, more: Readonly<Record<string, string>> = {}) => ({
  'Chart.yaml': 'name: shop',
  ...Object.fromEntries(
    Object.entries(resources).map(([name, keys]) => [`templates/${name}.yaml`, resource(name, keys)]),
  ),
  ...more,
});

test.each<
  readonly [rule: string, resources: Resources, order: string | undefined, drawn: readonly (readonly string[])[]]
>([
  [
    'what needs something waits alone, beside the rest',
    { a: {}, b: { [needs]: 'Secret/tls' }, c: { [needs]: ['Secret/tls'] } },
    undefined,
    [['shop', 'ConfigMap/b and 1 more <- Secret/tls (tshelm.dev/needs)']],
  ],
  [
    'a group waits as a whole',
    {
      a: { [group]: 'one', [needs]: 'Secret/tls' },
      b: { [group]: 'one', [needs]: 'release/db' },
      c: { [afterGroups]: 'one' },
    },
    undefined,
    [
      ['one <- Secret/tls (tshelm.dev/needs) <- release/db (tshelm.dev/needs)'],
      [`ConfigMap/c <- one (depends-on.helm.sh/resource-groups)`],
    ],
  ],
  [
    'an order file goes before the chart, and says where',
    { a: { [needs]: 'Secret/tls' } },
    "resources:\n- select: {name: a}\n  needs: ['http://db/ready']",
    [['ConfigMap/a <- http://db/ready (order.yaml:2)']],
  ],
  [
    'an object of the release is an edge, also out of the rest',
    { a: { [group]: 'one', [needs]: 'ConfigMap/b' }, b: {}, c: { [afterGroups]: 'one' }, d: {} },
    undefined,
    [
      ['ConfigMap/b'],
      ['ConfigMap/a <- ConfigMap/b (tshelm.dev/needs)'],
      ['ConfigMap/c <- one (depends-on.helm.sh/resource-groups)'],
      ['ConfigMap/d <- ConfigMap/c (groups come first)'],
    ],
  ],
  [
    'a name with another namespace is another object',
    { a: { [needs]: 'ConfigMap/b.elsewhere' }, b: {} },
    undefined,
    [['ConfigMap/a <- ConfigMap/b.elsewhere (tshelm.dev/needs)', 'shop']],
  ],
  [
    'a name with the namespace of the release is its object',
    { a: { [needs]: 'ConfigMap/b.here' }, b: {} },
    undefined,
    [['ConfigMap/b'], ['ConfigMap/a <- ConfigMap/b (tshelm.dev/needs)']],
  ],
])('%s', async (_rule, resources, order, expected) => {
  const { unit } = await arranged(files(resources), '{}', { order, namespace: 'here' });
  expect(drawn(unit)).toEqual(expected);
});

test('where derived edges are followed, each object waits for its own needs', async () => {
  const resources = { a: { [needs]: 'Secret/tls' }, b: { [needs]: 'ConfigMap/c' }, c: {}, d: {} };
  const { unit } = await arranged(files(resources), '{}', { derives: true });
  expect(unit.isFree).toBe(true);
  expect(drawn(unit)).toEqual([
    ['ConfigMap/a <- Secret/tls (tshelm.dev/needs)', 'ConfigMap/c', 'ConfigMap/d'],
    ['ConfigMap/b <- ConfigMap/c (tshelm.dev/needs)'],
  ]);
});

test.each([
  ['URLs in a chart', { a: { [needs]: 'https://10.0.0.1/' } }, 'order-need-invalid'],
  ['what is no need', { a: { [needs]: 'postgres' } }, 'order-need-invalid'],
  ['what is no list', { a: { [needs]: '{"a": 1}' } }, 'order-names-malformed'],
])('%s are refused', async (_what, resources, cause) => {
  await expect(arranged(files(resources))).rejects.toMatchObject({
    code: 'invalid-ordering',
    details: { problems: [{ cause: { code: cause, resource: 'ConfigMap/a' } }] },
  });
});

test('a release cannot need an object of its own, nor a chart a URL for all of it', async () => {
  const [own, url] = ['ConfigMap/a', 'https://10.0.0.1/'].map((need) =>
    files({ a: {} }, { 'Chart.yaml': `name: shop\nannotations: {${needs}: '${need}'}` }),
  );
  const refusedFor = (cause: object) => ({ details: { problems: [{ cause }] } });
  await expect(arranged(own ?? {})).rejects.toMatchObject(refusedFor({ code: 'order-need-own', need: 'ConfigMap/a' }));
  await expect(arranged(url ?? {})).rejects.toMatchObject(refusedFor({ code: 'order-need-invalid', isUrl: true }));
});

const ofFile = (line: number) => ({ file: 'order.yaml', line });
test.each<readonly [what: string, resources: Resources, order: string | undefined, waits: readonly object[]]>([
  [
    'the annotation in its template',
    { a: { [needs]: 'ConfigMap/b' }, b: { [needs]: 'ConfigMap/a' } },
    undefined,
    [
      { key: needs, file: 'shop/templates/b.yaml', line: 6 },
      { key: needs, file: 'shop/templates/a.yaml', line: 6 },
    ],
  ],
  [
    'the rule of an order file',
    { a: {}, b: {} },
    'resources:\n- {select: {name: a}, needs: [ConfigMap/b]}\n- {select: {name: b}, needs: [ConfigMap/a]}',
    [
      { key: 'needs', ...ofFile(3) },
      { key: 'needs', ...ofFile(2) },
    ],
  ],
  [
    'a group, which tells its place itself',
    { a: {}, b: {} },
    'resources:\n- {select: {name: a}, needs: [ConfigMap/b], group: x}\n- {select: {name: b}, dependsOn: [x]}',
    [{ key: 'needs', ...ofFile(2) }, { key: 'x (order.yaml:3)' }],
  ],
])('a cycle of needs names each step: %s', async (_what, resources, order, waits) => {
  const refused = await arranged(files(resources), '{}', { order }).catch((error: TshelmError) => error);
  const [first, second] = waits;
  const problems = [{ cause: { code: 'order-cycle', waits: [first, second] } }];
  expect(refused).toMatchObject({ code: 'dependency-cycle', details: { problems } });
  const places = waits.filter((wait) => 'file' in wait).length;
  expect((refused as TshelmError).details).toMatchObject({ problems: [{ places: { length: places } }] });
});

const url = 'https://db.example.com/ready';
const revision = async (order: string, more: Partial<Revision> = {}): Promise<Revision> => {
  const { unit } = await arranged(files({ a: {}, b: {} }), '{}', { order });
  return {
    name: 'rel',
    namespace: 'here',
    version: 1,
    chart: { metadata: { name: 'shop', version: '1.0.0', annotations: { [needs]: `["${url}"]` } } },
    manifest: manifestText(manifestsOf(unit)),
    hooks: [],
    labels: { 'tshelm.dev/wait': 'ordered' },
    sequencing: sequencingOf(unit, [{ kind: 'url', text: url, why: 'order.yaml:1' }]),
    ...more,
  };
};
const withUrl = `needs: ['${url}']\nresources:\n- select: {name: a}\n  needs: [Secret/tls, '${url}']`;

test('a record gives needs back with the place that declared them', async () => {
  const { unit, needs: ofRelease } = storedOrder(await revision(withUrl), [], undefined);
  expect(ofRelease).toEqual([{ kind: 'url', text: url, why: 'order.yaml:1' }]);
  expect(drawn(unit as Unit)).toEqual([[`ConfigMap/a <- Secret/tls (order.yaml:3) <- ${url} (order.yaml:3)`, 'shop']]);
});

test.each([
  ['ordered', undefined],
  ['auto', { 'tshelm.dev/order': 'derived' }],
])('an order that is followed again is called as it was asked for: %s', async (wait, annotations) => {
  const chart = { metadata: { name: 'shop', version: '1.0.0', ...(annotations && { annotations }) } };
  const release = await revision(withUrl, { chart });
  expect(storedOrder(release, [], undefined).note).toContainEqual({ option: 'wait', value: wait });
});

test('of a record that Helm has written, a URL counts only where another record knows it', async () => {
  const byHelm = await revision(withUrl, { version: 2, sequencing: undefined });
  const alone = storedOrder(byHelm, [byHelm], undefined);
  expect(alone.needs).toEqual([]);
  expect(drawn(alone.unit as Unit)).toEqual([['ConfigMap/a <- Secret/tls (tshelm.dev/needs)', 'shop']]);
  expect(alone.warnings).toEqual([expect.stringContaining(`revision 2 of rel needs ${url}`)]);

  const known = storedOrder(byHelm, [await revision(withUrl), byHelm], undefined);
  expect(known.needs).toEqual([{ kind: 'url', text: url, why: needs }]);
  expect(known.warnings).toEqual([]);
});
