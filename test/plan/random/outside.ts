import { needOf } from './chart-files.ts';
import type { ChartDraw, ItemDraw } from './draw.ts';
import { nameOfItem, subchartName } from './names.ts';
import { afterGroupsOf, afterSubchartsOf, ownAfterOf } from './rules.ts';

// A drawn order that stands in an order file and not in the chart (docs/ordering.md, 8).

/** The chart without its order. */
export const withoutOrder = (draw: ChartDraw): ChartDraw => ({
  ...draw,
  form: 'map',
  hookMode: 'false',
  ownAfter: [],
  subcharts: draw.subcharts.map(({ isOff, inside }) => ({ after: [], isOff, inside: withoutOrder(inside) })),
  items: draw.items.map((item) => ({ ...item, place: null, isNeedy: false })),
});

/** An order file that says what the chart would; undefined where that is nothing. */
export function orderFileOf(draw: ChartDraw): string | undefined {
  const resources = resourceRules(draw, { path: '', chart: '.' });
  const charts = chartRules(draw, '.');
  return resources.length + charts.length === 0 ? undefined : `${JSON.stringify({ resources, charts })}\n`;
}

type Rule = Readonly<Record<string, unknown>>;

function resourceRules(draw: ChartDraw, { path, chart }: { path: string; chart: string }): readonly Rule[] {
  const own = draw.items.flatMap((item, index) => {
    const declared = declaredOf(draw, item);
    if (declared === undefined) return [];
    return [{ select: { kind: item.kind, name: `*-${nameOfItem(path, index, item)}`, chart }, ...declared }];
  });
  return [
    ...own,
    ...enabled(draw).flatMap(({ name, inside }) =>
      resourceRules(inside, { path: `${path}${name}`, chart: below(chart, name) }),
    ),
  ];
}

function declaredOf(draw: ChartDraw, item: ItemDraw): Rule | undefined {
  const place = placeRule(draw, item);
  return item.isNeedy ? { ...place, needs: [needOf('r')] } : place;
}

function placeRule(draw: ChartDraw, { place }: ItemDraw): Rule | undefined {
  if (place === null) return undefined;
  if ('weight' in place) return { weight: place.weight };
  const groups = afterGroupsOf(draw, place).map((group) => `g${group}`);
  const isThere = place.subchart !== null && place.subchart < draw.subcharts.length;
  const charts = isThere ? [subchartName(place.subchart)] : [];
  return {
    group: `g${place.group}`,
    ...(charts.length > 0 ? { dependsOn: { groups, charts } } : groups.length > 0 ? { dependsOn: groups } : {}),
  };
}

function chartRules(draw: ChartDraw, chart: string): readonly Rule[] {
  const own = ownAfterOf(draw).map(subchartName);
  const edges = draw.subcharts.flatMap((_, index) => {
    const after = afterSubchartsOf(draw, index).map(subchartName);
    return after.length === 0 ? [] : [{ chart: below(chart, subchartName(index)), dependsOn: after }];
  });
  return [
    ...(own.length > 0 ? [{ chart: chart === '.' ? '.' : `${chart}/.`, dependsOn: own }] : []),
    ...(draw.hookMode === 'false' ? [] : [{ chart, runHooksInParallel: draw.hookMode }]),
    ...edges,
    ...enabled(draw).flatMap(({ name, inside }) => chartRules(inside, below(chart, name))),
  ];
}

/** Rules that would select nothing are errors. */
const enabled = ({ subcharts }: ChartDraw) =>
  subcharts.flatMap(({ isOff, inside }, index) => (isOff ? [] : [{ name: subchartName(index), inside }]));

const below = (chart: string, name: string): string => (chart === '.' ? name : `${chart}/${name}`);
