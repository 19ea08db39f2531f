import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Chart } from '../../src/chart/types.ts';
import type { Manifest } from '../../src/manifest/types.ts';
import { manifestsOf } from '../../src/plan/arrange.ts';
import { levelsOf } from '../../src/plan/graph.ts';
import { orderedUnit } from '../../src/plan/ordered.ts';
import { restricted, reversed } from '../../src/plan/rearrange.ts';
import { readSequencing, sequencingOf } from '../../src/plan/sequencing.ts';
import type { BatchNode, Unit } from '../../src/plan/types.ts';

/** A chart as drawn by chance: edges go from a higher index to lower ones, so there is no cycle. */
interface Drawn {
  readonly subcharts: readonly { readonly after: readonly number[]; readonly inside: Drawn }[];
  readonly ownAfter: readonly number[];
  /** For each resource its group, the groups and subcharts that it waits for, or its weight. */
  readonly resources: readonly (
    | { readonly group: number; readonly after: readonly number[]; readonly chart: number }
    | { readonly weight: number }
    | null
  )[];
}

const indexes = fc.array(fc.nat(5), { maxLength: 3 });
const resource = fc.oneof(
  fc.record({ group: fc.nat(5), after: indexes, chart: fc.nat(12) }),
  fc.record({ weight: fc.integer({ min: -2, max: 2 }) }),
  fc.constant(null),
);
const resources = fc.array(resource, { maxLength: 6 });
const leaf: fc.Arbitrary<Drawn> = fc.record({ subcharts: fc.constant([]), ownAfter: fc.constant([]), resources });
const chartAround = (inside: fc.Arbitrary<Drawn>): fc.Arbitrary<Drawn> =>
  fc.record({
    subcharts: fc.array(fc.record({ after: indexes, inside }), { maxLength: 5 }),
    ownAfter: fc.array(fc.nat(8), { maxLength: 2 }),
    resources,
  });
const drawn = chartAround(chartAround(leaf));

const nameOf = (index: number): string => `sub${index}`;

function chartOf(drawn: Drawn, name: string): Chart {
  const { length } = drawn.subcharts;
  const ownAfter = drawn.ownAfter.filter((index) => index < length).map(nameOf);
  return {
    metadata: {
      name,
      version: '1.0.0',
      apiVersion: 'v2',
      annotations: { 'helm.sh/depends-on/subcharts': JSON.stringify(ownAfter) },
      dependencies: drawn.subcharts.map(({ after }, index) => ({
        name: nameOf(index),
        dependsOn: after.filter((other) => other < index).map(nameOf),
      })),
    },
    templates: [],
    values: new Map(),
    files: [],
    raw: [],
    origin: '',
    dependencies: drawn.subcharts.map(({ inside }, index) => chartOf(inside, nameOf(index))),
  };
}

function manifestsIn(drawn: Drawn, path: string): readonly Manifest[] {
  const own = drawn.resources.map((declared, index): Manifest => {
    const annotations: Record<string, string> = {};
    if (declared !== null && 'weight' in declared) annotations['helm.sh/weight'] = String(declared.weight);
    if (declared !== null && 'group' in declared) {
      annotations['helm.sh/resource-group'] = `g${declared.group}`;
      annotations['depends-on.helm.sh/resource-groups'] = declared.after
        .filter((other) => other < declared.group)
        .map((other) => `g${other}`)
        .join(',');
      if (declared.chart < drawn.subcharts.length) annotations['dependson.helm.sh/chart'] = nameOf(declared.chart);
    }
    const name = `${path.replaceAll('/', '-')}-${index}`;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations } };
    return { source: `${path}/templates/${index}.yaml`, text: '', object };
  });
  return [
    ...own,
    ...drawn.subcharts.flatMap(({ inside }, index) => manifestsIn(inside, `${path}/charts/${nameOf(index)}`)),
  ];
}

function unitOf(drawn: Drawn): { readonly unit: Unit; readonly manifests: readonly Manifest[] } {
  const chart = chartOf(drawn, 'top');
  const manifests = manifestsIn(drawn, 'top');
  return { unit: orderedUnit(chart, chart, manifests).unit, manifests };
}

const namesOf = (manifests: readonly Manifest[]): readonly string[] =>
  manifests.map(({ object }) => object.metadata.name);

const unitsIn = (unit: Unit): readonly Unit[] => [
  unit,
  ...unit.batches.flatMap(({ nodes }) => nodes.flatMap((node) => (node.kind === 'unit' ? unitsIn(node.unit) : []))),
];

test('each resource is in exactly one batch', () => {
  fc.assert(
    fc.property(drawn, (chart) => {
      const { unit, manifests } = unitOf(chart);
      expect([...namesOf(manifestsOf(unit))].sort()).toEqual([...namesOf(manifests)].sort());
    }),
  );
});

test('a node comes behind all that it waits for, and no later than it must', () => {
  fc.assert(
    fc.property(drawn, (chart) => {
      for (const { batches } of unitsIn(unitOf(chart).unit)) {
        const levels = new Map(batches.flatMap(({ nodes }, level) => nodes.map((node) => [node.id, level] as const)));
        for (const [level, { nodes }] of batches.entries()) {
          for (const { after = [] } of nodes) {
            expect(Math.max(-1, ...after.map((id) => levels.get(id) ?? Number.POSITIVE_INFINITY)) + 1).toBe(level);
          }
        }
      }
    }),
  );
});

test('the same chart gives the same plan, in whatever order its subcharts and resources come', () => {
  fc.assert(
    fc.property(drawn, (drawnChart) => {
      const chart = chartOf(drawnChart, 'top');
      const turned = { ...chart, dependencies: [...chart.dependencies].reverse() };
      const manifests = manifestsIn(drawnChart, 'top');
      expect(sequencingOf(orderedUnit(turned, turned, manifests).unit)).toEqual(
        sequencingOf(orderedUnit(chart, chart, manifests).unit),
      );
    }),
  );
});

test('backwards is the reverse: what waited is gone first', () => {
  fc.assert(
    fc.property(drawn, (chart) => {
      const { unit } = unitOf(chart);
      const shape = (one: Unit): unknown =>
        one.batches.map(({ nodes }) =>
          nodes.map((node) => (node.kind === 'unit' ? [node.id, shape(node.unit)] : node.id)),
        );
      expect(shape(reversed(reversed(unit)))).toEqual(shape(unit));
      const edges = (nodes: readonly BatchNode[]): string[] =>
        nodes.flatMap(({ id, after = [] }) => after.map((other) => `${id} ${other}`)).sort();
      const flipped = (nodes: readonly BatchNode[]): string[] =>
        nodes.flatMap(({ id, after = [] }) => after.map((other) => `${other} ${id}`)).sort();
      expect(edges(reversed(unit).batches.flatMap(({ nodes }) => nodes))).toEqual(
        flipped(unit.batches.flatMap(({ nodes }) => nodes)),
      );
    }),
  );
});

test('what is left of a plan keeps its order, also across what is gone', () => {
  fc.assert(
    fc.property(drawn, fc.func(fc.boolean()), (chart, isKept) => {
      const { unit } = unitOf(chart);
      const kept = restricted(unit, ({ object }) => isKept(object.metadata.name));
      expect(namesOf(manifestsOf(kept))).toEqual(namesOf(manifestsOf(unit)).filter((name) => isKept(name)));
      const before = (one: Unit): ReadonlyMap<string, ReadonlySet<string>> => {
        const found = new Map<string, ReadonlySet<string>>();
        for (const { id = '', after = [] } of one.batches.flatMap(({ nodes }) => nodes))
          found.set(id, new Set([...after, ...after.flatMap((other) => [...(found.get(other) ?? [])])]));
        return found;
      };
      const all = before(unit);
      const left = before(kept);
      for (const [id, ids] of left)
        expect(ids).toEqual(new Set([...(all.get(id) ?? [])].filter((other) => left.has(other))));
    }),
  );
});

test('a plan survives being stored', () => {
  fc.assert(
    fc.property(drawn, (chart) => {
      const { unit, manifests } = unitOf(chart);
      const stored: unknown = JSON.parse(JSON.stringify(sequencingOf(unit)));
      expect(readSequencing(stored, manifests)).toEqual(unit);
    }),
  );
});

const edgesAmong = (count: number): fc.Arbitrary<readonly (readonly [number, number])[]> =>
  fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 3 * count });
const graphOf = (count: number, edges: readonly (readonly [number, number])[]) =>
  Array.from({ length: count }, (_, id) => ({
    id: String(id),
    after: edges.filter(([from]) => from === id).map(([, to]) => String(to)),
  }));

test('an edge more never makes anything earlier', () => {
  const forward = edgesAmong(8).map((edges) =>
    edges.flatMap(([a, b]) => (a === b ? [] : [[Math.max(a, b), Math.min(a, b)] as const])),
  );
  fc.assert(
    fc.property(forward, fc.nat(7), fc.nat(7), (edges, a, b) => {
      fc.pre(a > b);
      const before = levelsOf(graphOf(8, edges)).levels;
      const after = levelsOf(graphOf(8, [...edges, [a, b]])).levels;
      for (const [id, level] of before) expect(after.get(id)).toBeGreaterThanOrEqual(level);
    }),
  );
});

test('there are levels for all or a cycle; cycles are real, and the same in whatever order the graph is given', () => {
  fc.assert(
    fc.property(edgesAmong(7), (edges) => {
      const graph = graphOf(7, edges);
      const { levels, cycles } = levelsOf(graph);
      expect(levels.size === graph.length).toBe(cycles.length === 0);
      for (const cycle of cycles) {
        for (const [index, id] of cycle.entries()) {
          expect(graph[Number(id)]?.after).toContain(cycle[(index + 1) % cycle.length]);
        }
      }
      expect(levelsOf([...graph].reverse()).cycles).toEqual(cycles);
    }),
  );
});
