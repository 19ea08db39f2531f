import { describe, expect, test } from 'vitest';
import { install } from '../../../src/actions/install.ts';
import { upgrade } from '../../../src/actions/upgrade.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { chartOf, configMap, openWorld, type World } from '../../actions/harness.ts';
import { refusal } from '../../cluster/fake-cluster.ts';

const crd = (fields: string, served = true): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: ${served}
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {${fields}}}}
`;
const old = crd('a: {type: string}');
const newer = crd('a: {type: string}, b: {type: string}');
const poorer = crd('b: {type: string}');

const chartWith = (text: string) => chartOf({ 'crds/widget.yaml': text, 'templates/a.yaml': configMap('settings') });
const installs = async (world: World, text: string, options = {}) =>
  install(await chartWith(text), new Map(), { name: 'web', ...options }, world.context);
const upgrades = async (world: World, text: string, options = {}) =>
  upgrade(await chartWith(text), new Map(), { name: 'web', ...options }, world.context);

const ready = () => openWorld({ readyAtOnce: true });
const fieldsOf = ({ cluster }: World): readonly string[] => {
  const spec = cluster.find('widgets.example.com')?.['spec'] as {
    versions: { schema: { openAPIV3Schema: { properties: object } } }[];
  };
  return Object.keys(spec.versions[0]?.schema.openAPIV3Schema.properties ?? {});
};
const told = ({ events }: World): readonly string[] =>
  events.flatMap((event) => (event.kind === 'warning' || event.kind === 'note' ? [event.text] : []));

describe('the CRDs of a chart', () => {
  test('an install creates those that are missing, and leaves others as they are, which it tells', async () => {
    const world = ready();
    await installs(world, old);
    expect(fieldsOf(world)).toEqual(['a']);
    expect(told(world)).toEqual([]);
    await installs(world, newer, { name: 'second', takeOwnership: true });
    expect(fieldsOf(world)).toEqual(['a']);
    expect(told(world)).toEqual([
      "CRDs in the cluster differ from the chart's: widgets.example.com (spec.versions[v1].schema.openAPIV3Schema.properties.b); crds: 'upgrade' updates them",
    ]);
  });

  test('an upgrade leaves them alone and tells what differs; crds=upgrade updates them', async () => {
    const world = ready();
    await installs(world, old);
    await upgrades(world, newer);
    expect(fieldsOf(world)).toEqual(['a']);
    expect(told(world)).toHaveLength(1);
    await upgrades(world, newer, { crds: 'upgrade' });
    expect(fieldsOf(world)).toEqual(['a', 'b']);
    expect(told(world)).toHaveLength(1);
  });

  test('an upgrade that would lose something is refused before anything is sent', async () => {
    const world = ready();
    await installs(world, old);
    world.cluster.seen.length = 0;
    await expect(upgrades(world, poorer, { crds: 'upgrade' })).rejects.toMatchObject({
      code: 'crd-upgrade-refused',
      message: expect.stringContaining('widgets.example.com: version v1: field .a would be lost'),
    });
    expect(world.cluster.seen).toEqual([]);
  });

  test.each([
    ['skip', false],
    ['create', true],
    ['upgrade', true],
  ] as const)('an upgrade with --crds=%s and one that is missing', async (crds, isCreated) => {
    const world = ready();
    await installs(world, old, { skipCrds: true });
    await upgrades(world, old, { crds });
    expect(world.cluster.find('widgets.example.com') !== undefined).toBe(isCreated);
  });

  test('an upgrade notes what is missing', async () => {
    const world = ready();
    await installs(world, old, { crds: 'skip' });
    await upgrades(world, old);
    expect(told(world)).toEqual([
      "CRDs of the chart are missing from the cluster: widgets.example.com; crds: 'create' creates them",
    ]);
  });

  test('who may not read them is told that nothing was compared', async () => {
    const world = ready();
    await installs(world, old);
    const live = world.cluster.find('widgets.example.com') as KubernetesObject;
    world.cluster.failOn('get', 'widgets.example.com', refusal(403, 'Forbidden', live));
    await upgrades(world, newer);
    expect(told(world)).toEqual([
      expect.stringMatching(
        /^the chart's CRDs could not be compared with those of the cluster: .*"widgets.example.com"/,
      ),
    ]);
  });

  test('templates see their kinds before they are sent, and a mistake in one leaves the cluster alone', async () => {
    const world = ready();
    const check = '{{ if not (.Capabilities.APIVersions.Has "example.com/v1/Widget") }}{{ fail "none" }}{{ end }}';
    const lookup = '{{ len (lookup "example.com/v1" "Widget" "default" "").items }}';
    const files = { 'crds/widget.yaml': old, 'templates/a.yaml': configMap('settings', `count: "${check}${lookup}"`) };
    const broken = await chartOf({ ...files, 'templates/b.yaml': '{{ fail "broken" }}' });
    await expect(install(broken, new Map(), { name: 'web' }, world.context)).rejects.toThrow('broken');
    expect(world.cluster.seen).toEqual([]);
    await install(await chartOf(files), new Map(), { name: 'web' }, world.context);
    expect(world.cluster.find('settings')).toMatchObject({ data: { count: '0' } });
  });
});

describe('a record that is too large', () => {
  const noise = (bytes: number): string => {
    let state = 1;
    const next = () => (state = (state * 48271) % 2147483647);
    return Array.from({ length: bytes }, () => String.fromCharCode(33 + (next() % 90))).join('');
  };

  test('is refused before the cluster is touched, and fits with --trim-record', async () => {
    const world = ready();
    const chart = await chartOf({
      'crds/widget.yaml': old,
      'README.md': noise(1_200_000),
      'templates/a.yaml': configMap('settings'),
    });
    await expect(install(chart, new Map(), { name: 'web' }, world.context)).rejects.toMatchObject({
      code: 'release-too-large',
      message: expect.stringMatching(/1171\.9 KiB {2}README\.md/),
      details: { remedies: [{ kind: 'set-option', option: 'trimRecord' }] },
    });
    expect(world.cluster.seen).toEqual([]);
    await install(chart, new Map(), { name: 'web', trimRecord: true }, world.context);
    const [release] = await (await world.context.storage()).revisions('web');
    expect(release?.chart.files).toEqual([]);
    expect(release?.chart.templates).toHaveLength(1);
    await expect(upgrade(chart, new Map(), { name: 'web', maxHistory: 1 }, world.context)).rejects.toMatchObject({
      code: 'release-too-large',
    });
    expect(await (await world.context.storage()).revisions('web')).toHaveLength(1);
  });
});
