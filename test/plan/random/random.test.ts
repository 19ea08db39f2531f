import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chartFromFiles } from '../../../src/chart/assemble.ts';
import type { BatchNode, Unit } from '../../../src/plan/types.ts';
import { arranged } from '../charts.ts';
import { chartFiles } from './chart-files.ts';
import { type ChartDraw, chartDraws, type HookDraw, type ItemDraw, scenarios } from './draw.ts';
import { orderFileOf, withoutOrder } from './outside.ts';
import { hookIds, hookWaits, itemIds, waitsOf } from './rules.ts';

const release = 'rel';

const plain: ItemDraw = {
  kind: 'ConfigMap',
  place: null,
  readyMs: 0,
  goneMs: 0,
  isBroken: false,
  rolls: false,
  isNeedy: false,
  mounts: false,
};
const empty: ChartDraw = {
  form: 'field',
  keys: 'groups',
  hookMode: 'false',
  subcharts: [],
  ownAfter: [],
  items: [],
  hooks: [],
};
const grouped = (group: number, after: readonly number[] = [], subchart: number | null = null): ItemDraw => ({
  ...plain,
  place: { group, after, subchart },
});
const weighted = (weight: number): ItemDraw => ({ ...plain, place: { weight } });
const one: ChartDraw = { ...empty, items: [plain] };
const sub = (after: readonly number[] = [], isOff = false) => ({ after, isOff, inside: one });

/** `a < b`: a waits for b; names without the release and the kind. */
const shown = (waits: readonly (readonly [string, string])[]): readonly string[] =>
  waits.map((wait) => wait.map((id) => id.replace(/^.*rel-/, '').replace(/c$/, '')).join(' < ')).sort();

describe('what waits for what, by the tables of docs/ordering.md', () => {
  test.each<[string, ChartDraw, readonly string[]]>([
    [
      'subcharts, one of them named by nobody',
      { ...one, subcharts: [sub(), sub(), sub([0, 1]), sub()], ownAfter: [1, 2] },
      ['s0i0', 's1i0', 's2i0']
        .flatMap((named) => [`i0 < ${named}`, `s3i0 < ${named}`])
        .concat(['s2i0 < s0i0', 's2i0 < s1i0'])
        .sort(),
    ],
    [
      'layers and a subchart, which starts with them',
      {
        ...empty,
        items: [grouped(0), grouped(1, [0]), grouped(2, [0], 0)],
        subcharts: [sub()],
      },
      ['i1 < i0', 'i2 < i0', 'i2 < s0i0'],
    ],
    ['weights; none is 0', { ...empty, items: [weighted(-1), plain, weighted(1)] }, ['i1 < i0', 'i2 < i0', 'i2 < i1']],
    [
      'groups, and one that nobody knows; the rest comes last',
      { ...empty, items: [grouped(0), grouped(1, [0, 3]), grouped(2), plain] },
      ['i1 < i0', 'i2 < i0', 'i2 < i1', 'i3 < i0', 'i3 < i1'],
    ],
    [
      'a subchart that is off passes its edges on',
      { ...one, subcharts: [sub(), sub([0], true), sub([1])] },
      ['i0 < s0i0', 'i0 < s2i0', 's2i0 < s0i0'],
    ],
  ])('%s', (_rule, draw, waits) => expect(shown(waitsOf(draw, release))).toEqual(waits));

  test('hooks go by weight, and by name where none may run together', () => {
    const hook: HookDraw = {
      kind: 'ConfigMap',
      events: ['pre-install'],
      weight: 0,
      policies: [],
      readyMs: 0,
      isBroken: false,
    };
    const hooks = [hook, { ...hook, weight: -1 }, hook, { ...hook, events: ['post-install' as const] }];
    const waits = (hookMode: ChartDraw['hookMode']) =>
      shown(hookWaits({ ...empty, hookMode, hooks }, 'pre-install', release));
    expect(waits('true')).toEqual(['h0 < h1', 'h2 < h1']);
    expect(waits('false')).toEqual(['h0 < h1', 'h2 < h0', 'h2 < h1']);
  });
});

interface Step {
  readonly node: BatchNode;
  readonly level: number;
  readonly unit: Unit;
}

/** The way to each resource of a plan: through units to its batch. */
const waysIn = (unit: Unit, above: readonly Step[] = []): readonly (readonly [string, readonly Step[]])[] =>
  unit.batches.flatMap(({ nodes }, level) =>
    nodes.flatMap((node): readonly (readonly [string, readonly Step[]])[] => {
      const way = [...above, { node, level, unit }];
      if (node.kind === 'unit') return waysIn(node.unit, way);
      return node.manifests.map(({ object }) => [object.metadata.name, way] as const);
    }),
  );

/** The steps at which two ways part: of one unit, so that their levels compare. */
function partingOf(one: readonly Step[], other: readonly Step[]): readonly [Step, Step] | undefined {
  const at = one.findIndex(({ node }, index) => node !== other[index]?.node);
  const [a, b] = [one[at], other[at]];
  return a === undefined || b === undefined ? undefined : [a, b];
}

/** Whether a node waits for another one, by the plan's own edges. */
function isBehind([later, earlier]: readonly [Step, Step]): boolean {
  const nodes = new Map(later.unit.batches.flatMap((batch) => batch.nodes).map((node) => [node.id, node] as const));
  const waitsFor = (node: BatchNode | undefined): boolean =>
    (node?.after ?? []).some((id) => id === earlier.node.id || waitsFor(nodes.get(id)));
  return waitsFor(later.node);
}

const nameIn = (id: string): string => id.slice(id.indexOf('/') + 1);

test.each([
  ['a drawn chart', (draw: ChartDraw) => arranged(chartFiles(draw, 1))],
  [
    'a chart whose order is in a file',
    (draw: ChartDraw) => arranged(chartFiles(withoutOrder(draw), 1), '{}', { order: orderFileOf(draw) }),
  ],
])('a plan keeps exactly the waits of %s', async (_form, plan) => {
  await fc.assert(
    fc.asyncProperty(chartDraws, async (draw) => {
      const { unit, rendered } = await plan(draw);
      const ways = new Map(waysIn(unit));
      expect([...ways.keys()].sort()).toEqual(itemIds(draw, release).map(nameIn).sort());
      expect(rendered.hooks.map(({ name }) => name).sort()).toEqual(hookIds(draw, release).map(nameIn).sort());
      const planned = [...ways].flatMap(([name, way]) =>
        [...ways].flatMap(([other, otherWay]) => {
          const parting = partingOf(way, otherWay);
          if (parting === undefined || !isBehind(parting)) return [];
          expect(parting[0].level).toBeGreaterThan(parting[1].level);
          return [`${name} < ${other}`];
        }),
      );
      const ruled = waitsOf(draw, release).map((wait) => wait.map(nameIn).join(' < '));
      expect([...new Set(planned)].sort()).toEqual([...new Set(ruled)].sort());
    }),
    { numRuns: 100 },
  );
});

test('a scenario is plain data, whole in every part, and the same for a seed', () => {
  const [scenario] = fc.sample(scenarios, { seed: 7, numRuns: 1 });
  expect(JSON.parse(JSON.stringify(scenario))).toEqual(scenario);
  expect(fc.sample(scenarios, { seed: 7, numRuns: 1 })).toEqual([scenario]);
  for (const { charts, acts } of fc.sample(scenarios, { seed: 7, numRuns: 30 })) {
    expect(acts.length).toBeGreaterThan(0);
    for (const [version, draw] of charts.entries()) {
      const files = Object.entries(chartFiles(draw, version)).map(([name, text]) => ({
        name,
        modifiedAt: new Date(0),
        data: Buffer.from(text),
      }));
      expect(chartFromFiles(files, { origin: '', notify: () => undefined }).metadata.version).toBe(`0.0.${version}`);
    }
  }
});

test('a failing scenario shrinks to what fails', () => {
  const hasHook = ({ charts }: { readonly charts: readonly ChartDraw[] }): boolean =>
    charts.some(({ hooks }) => hooks.some(({ events }) => events.includes('pre-delete')));
  const { counterexample } = fc.check(
    fc.property(scenarios, (scenario) => !hasHook(scenario)),
    { seed: 7, numRuns: 200 },
  );
  const [scenario] = counterexample ?? [];
  const others = scenario?.charts.filter((draw) => !hasHook({ charts: [draw] })) ?? [];
  const [failing] = scenario?.charts.filter((draw) => hasHook({ charts: [draw] })) ?? [];
  expect(failing).toMatchObject({ items: [], subcharts: [], hooks: [expect.anything()] });
  for (const other of others) expect(other).toMatchObject({ items: [], subcharts: [], hooks: [] });
  expect(scenario?.acts).toHaveLength(1);
});
