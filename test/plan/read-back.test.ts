import { expect, test } from 'vitest';
import { sortByKind } from '../../src/manifest/kind-order.ts';
import type { Manifest } from '../../src/manifest/types.ts';
import { manifestsOf } from '../../src/plan/arrange.ts';
import { orderOfManifest, readBackUnit } from '../../src/plan/read-back.ts';
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
  const back = readBackUnit({ manifests: stored(manifestsOf(unit)), chart: 'foo' });
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
  const back = readBackUnit({ manifests: stored(manifestsOf(unit)), chart: 'foo' });
  expect(batchesText(back)).toBe('[web{[one] [two]}] [bar] [lone] [early] [late] [foo]');
});

test('a manifest that Helm sorted leaves the subcharts to an earlier revision', async () => {
  const { unit } = await arranged(files);
  const manifests = stored(sortedByHelm(manifestsOf(unit)));
  const earlier: unknown = sequencingOf(unit);
  if (!isSequencing(earlier)) throw new Error('no sequencing');
  expect(batchesText(readBackUnit({ manifests, chart: 'foo', earlier }))).toBe('[web{[one] [two]}] [bar] [lone] [foo]');
});

test("and what the chart's own resources wait for to the annotation, which Helm keeps", async () => {
  const { unit } = await arranged(files);
  const manifests = stored(sortedByHelm(manifestsOf(unit)));
  expect(batchesText(readBackUnit({ manifests, chart: 'foo', ownDependsOn: 'web, gone' }))).toBe(
    '[web{[one] [two]}] [bar, lone, foo]',
  );
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
  const back = readBackUnit({ manifests: readStoredManifest(inOrder), chart: 'foo', ownDependsOn: 'bar' });
  expect(text(back)).toBe('[web] [bar] [foo]');
  const sorted = manifestText(sortedByHelm(manifestsOf(unit)));
  expect(text(orderOfManifest(sorted, 'foo'))).toBeUndefined();
  expect(text(orderOfManifest(sorted, 'foo', true))).toBe('[bar] [web] [foo]');
});
