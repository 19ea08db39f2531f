import { expect, test } from 'vitest';
import { sortByKind } from '../../src/manifest/kind-order.ts';
import type { Manifest } from '../../src/manifest/types.ts';
import { manifestsOf } from '../../src/plan/arrange.ts';
import { orderOfManifest, readBackUnit, type StoredOrder } from '../../src/plan/read-back.ts';
import { isSequencing, readSequencing, sequencingOf } from '../../src/plan/sequencing.ts';
import { readStoredManifest } from '../../src/plan/stored-manifest.ts';
import type { Unit } from '../../src/plan/types.ts';
import { manifestText } from '../../src/render/manifest-text.ts';
import { compareText } from '../../src/support/order.ts';
import { arranged, batchesText, resource } from './charts.ts';

const files = {
  'Chart.yaml':
    'name: foo\ndependencies:\n- {name: bar, version: 1.0.0, depends-on: [web]}\n- {name: lone, version: 1.0.0}\n- {name: web, version: 1.0.0}\n',
  'charts/bar/Chart.yaml': 'name: bar',
  'charts/bar/templates/a.yaml': `${resource('bar')}---\n${resource('bar', {}, 'Deployment')}`,
  'charts/lone/Chart.yaml': 'name: lone',
  'charts/lone/templates/a.yaml': resource('lone'),
  'charts/web/Chart.yaml': 'name: web',
  'charts/web/templates/a.yaml': `${resource('first', { 'helm.sh/layer': 'one' }, 'Deployment')}---\n${resource('second', { 'helm.sh/layer': 'two', 'helm.sh/dependson/layer': 'one' })}`,
  'templates/own.yaml': resource('own'),
};

const stored = (manifests: readonly Manifest[]) => readStoredManifest(manifestText(manifests));
const kindOf = ({ object }: Manifest): string => object.kind;
const sortedByHelm = (manifests: readonly Manifest[]): readonly Manifest[] =>
  sortByKind(
    [...manifests].sort((a, b) => compareText(a.source, b.source)),
    kindOf,
  );

test('a stored sequencing gives the plan back', async () => {
  const { unit } = await arranged(files);
  const manifests = stored(manifestsOf(unit));
  const again = readSequencing(JSON.parse(JSON.stringify(sequencingOf(unit))), manifests);
  expect(again && batchesText(again)).toBe('[web{[one] [two]}] [bar] [lone, foo]');
  expect(again && manifestsOf(again)).toEqual(manifests);
});

test.each([
  ['nothing', undefined],
  ['another strategy', { strategy: 'watcher', name: 'foo', batches: [] }],
  ['no batches', { strategy: 'ordered', name: 'foo', batches: 'none' }],
  [
    'a node without resources',
    { strategy: 'ordered', name: 'foo', batches: [[{ id: 'rest', name: 'foo', after: [], because: [] }]] },
  ],
  ['another manifest', { strategy: 'ordered', name: 'foo', batches: [] }],
])('what is no sequencing of this manifest is not believed: %s', async (_what, value) => {
  expect(readSequencing(value, stored(manifestsOf((await arranged(files)).unit)))).toBeUndefined();
});

test('without it the manifest tells the order of subcharts, and the legal keys that of layers', async () => {
  const { unit } = await arranged(files);
  const { unit: back } = readBackUnit({ manifests: stored(manifestsOf(unit)), chart: 'foo' });
  expect(batchesText(back)).toBe('[web{[one] [two]}] [bar] [lone] [foo]');
  expect(manifestsOf(back)).toEqual(stored(manifestsOf(unit)));
});

test('own resources that stood before a subchart stay there', async () => {
  const { unit } = await arranged({
    ...files,
    'templates/own.yaml': `${resource('early', { 'helm.sh/layer': 'early' })}---\n${resource('late', { 'helm.sh/layer': 'late', 'helm.sh/dependson/layer': 'early' })}---\n${resource('last', {}, 'Deployment')}`,
    'charts/lone/templates/a.yaml': resource('lone', {}, 'Deployment'),
  });
  expect(batchesText(unit)).toBe('[web{[one] [two]}] [bar] [lone, early] [late] [foo]');
  const { unit: back } = readBackUnit({ manifests: stored(manifestsOf(unit)), chart: 'foo' });
  expect(batchesText(back)).toBe('[web{[one] [two]}] [bar] [lone] [early] [late] [foo]');
});

const readBack = (manifests: readonly Manifest[], known: Partial<StoredOrder> = {}) => {
  const { unit, guesses } = readBackUnit({ manifests, chart: 'foo', ...known });
  return [batchesText(unit), guesses] as const;
};

test('a manifest that Helm sorted leaves the subcharts to an earlier revision', async () => {
  const { unit } = await arranged(files);
  const manifests = stored(sortedByHelm(manifestsOf(unit)));
  const earlier: unknown = sequencingOf(unit);
  if (!isSequencing(earlier)) throw new Error('no sequencing');
  expect(batchesText(readBackUnit({ manifests, chart: 'foo', earlier }).unit)).toBe(
    '[web{[one] [two]}] [bar] [lone, foo]',
  );
});

test('or to the map of the annotation, which Helm keeps', async () => {
  const { unit } = await arranged(files);
  const manifests = stored(sortedByHelm(manifestsOf(unit)));
  const annotation = '{"bar":["web"],".":["web","gone"]}';
  expect(readBack(manifests, { annotation })).toEqual(['[web{[one] [two]}] [bar] [lone, foo]', []]);
  // What stands in a chain tells less than the map.
  const earlier = sequencingOf(readBackUnit({ manifests: stored(manifestsOf(unit)), chart: 'foo' }).unit);
  expect(readBack(manifests, { annotation, earlier })).toEqual(['[web{[one] [two]}] [bar] [lone, foo]', []]);
  expect(readBack(manifests, { annotation: '{}' })).toEqual(['[bar, lone, web{[one] [two]}, foo]', []]);
});

test('where nothing tells their order, subcharts go one after another, and that is a guess', async () => {
  const { unit } = await arranged(files);
  const manifests = stored(sortedByHelm(manifestsOf(unit)));
  const subcharts = [...new Set(manifests.flatMap(({ source }) => /^foo\/charts\/(\w+)/.exec(source)?.[1] ?? []))];
  const chain = subcharts.map((name) => (name === 'web' ? '[web{[one] [two]}]' : `[${name}]`)).join(' ');
  const guesses = [{ chart: 'foo', subcharts }];
  expect(readBack(manifests)).toEqual([`${chain} [foo]`, guesses]);
  expect(readBack(manifests, { annotation: '["web"]' })).toEqual([`${chain} [foo]`, guesses]);
});

test('what an earlier revision knew of some subcharts holds among those that go one after another', async () => {
  const { unit } = await arranged(files);
  const manifests = stored(sortedByHelm(manifestsOf(unit)));
  const known = sequencingOf({
    ...unit,
    batches: unit.batches.map((batch) => ({ ...batch, nodes: batch.nodes.filter(({ id }) => id !== 'chart:lone') })),
  });
  const [text, guesses] = readBack(manifests, { earlier: known });
  expect(text).toMatch(/\[web\{\[one\] \[two\]\}\].* \[bar\]/);
  expect(guesses).toHaveLength(1);
});

test('a manifest that stands as an earlier revision had it is read by that, and is no chain', async () => {
  const { unit } = await arranged(files);
  const manifests = stored(manifestsOf(unit));
  expect(readBack(manifests, { earlier: sequencingOf(unit) })).toEqual([batchesText(unit), []]);
});

test('subcharts of one kind alone tell their order where Helm would have sorted them otherwise', async () => {
  const { unit } = await arranged({
    'Chart.yaml':
      'name: foo\ndependencies:\n- {name: bar, version: 1.0.0, depends-on: [web]}\n- {name: web, version: 1.0.0}\n',
    'charts/bar/Chart.yaml': 'name: bar',
    'charts/bar/templates/a.yaml': resource('bar'),
    'charts/web/Chart.yaml': 'name: web',
    'charts/web/templates/a.yaml': resource('web'),
    'templates/own.yaml': resource('own'),
  });
  const inOrder = manifestText(manifestsOf(unit));
  const text = (again: Unit | undefined): string | undefined => again && batchesText(again);
  expect(text(orderOfManifest(inOrder, 'foo'))).toBe('[web] [bar] [foo]');
  const { unit: back } = readBackUnit({ manifests: readStoredManifest(inOrder), chart: 'foo', annotation: 'bar' });
  expect(text(back)).toBe('[web] [bar] [foo]');
  const sorted = manifestText(sortedByHelm(manifestsOf(unit)));
  expect(text(orderOfManifest(sorted, 'foo'))).toBeUndefined();
  expect(text(orderOfManifest(sorted, 'foo', true))).toBe('[bar] [web] [foo]');
});

test('a subchart that rendered nothing is waited for all the same', async () => {
  const { unit } = await arranged({
    'Chart.yaml': 'name: foo\ndependencies:\n- {name: bar, version: 1.0.0}\n- {name: web, version: 1.0.0}\n',
    'charts/bar/Chart.yaml': 'name: bar',
    'charts/web/Chart.yaml': 'name: web',
    'charts/web/charts/db/Chart.yaml': 'name: db',
    'charts/web/templates/a.yaml': `${resource('late')}---\n${resource('early', { 'helm.sh/layer': 'x', 'helm.sh/dependson/chart': 'db' }, 'Job')}`,
    'templates/own.yaml': `${resource('last')}---\n${resource('first', { 'helm.sh/layer': 'one', 'helm.sh/dependson/chart': 'bar' }, 'Job')}`,
  });
  const inBatches = '[bar, web{[db] [x] [web]}] [one] [foo]';
  expect(batchesText(unit)).toBe(inBatches);
  const sorted = stored(sortedByHelm(manifestsOf(unit)));
  expect(readBack(sorted, { subcharts: ['bar', 'web'] })).toEqual([inBatches, []]);
  const ordered = stored(manifestsOf(unit));
  expect(readBack(ordered, { subcharts: ['bar', 'web'] })).toEqual(['[web{[x] [web]}] [one] [foo]', []]);
  // It was switched off, so nothing waited for it.
  expect(readBack(sorted, { subcharts: ['web'] })).toEqual(['[web{[db] [x] [web]}, foo]', []]);
});

test('what waits for a subchart that rendered nothing waits for what that one waits for', async () => {
  const { unit } = await arranged({
    'Chart.yaml':
      'name: foo\nannotations: {helm.sh/depends-on/subcharts: \'{"bar": ["mid"], "mid": ["web"]}\'}\ndependencies:\n- {name: bar, version: 1.0.0}\n- {name: mid, version: 1.0.0}\n- {name: web, version: 1.0.0}\n',
    'charts/bar/Chart.yaml': 'name: bar',
    'charts/bar/templates/a.yaml': resource('bar'),
    'charts/mid/Chart.yaml': 'name: mid',
    'charts/web/Chart.yaml': 'name: web',
    'charts/web/templates/a.yaml': resource('web'),
  });
  const annotation = '{"bar": ["mid"], "mid": ["web"]}';
  const sorted = stored(sortedByHelm(manifestsOf(unit)));
  expect(batchesText(unit)).toContain('[web] [mid] [bar]');
  expect(readBack(sorted, { annotation, subcharts: ['bar', 'mid', 'web'] })[0]).toContain('[web] [mid] [bar]');
  expect(readBack(sorted, { annotation })[0]).toContain('[web] [bar]');
});
