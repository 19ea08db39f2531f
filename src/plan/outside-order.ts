import { type ChartRule, misfitError, type OrderFile } from '../chart/order-file.ts';
import { chartNamesOf, placedCharts } from '../chart/paths.ts';
import type { Chart } from '../chart/types.ts';
import { nearest } from '../support/near.ts';

/** The chart in this order, which goes before what the chart declares. Errors: `order-file-invalid`: a rule names no chart. */
export function withOrderFile(chart: Chart, order: OrderFile): Chart {
  const known = new Set(placedCharts(chart).flatMap(({ chart: one, path }) => pathsIn(one, pathBelow(path))));
  const mistakes = order.charts
    .filter((rule) => !known.has(chartOfRule(rule)))
    .map(({ place, chart: path }) => {
      const meant = nearest(path, known);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return { place, text: `chart ${chart.metadata.name} has no subchart ${path}${hint}` };
    });
  if (mistakes.length > 0) throw misfitError(mistakes);
  return { ...chart, order };
}

/** A chart, and its dependencies by their names and aliases; the outermost one is '.'. */
const pathsIn = ({ metadata: { dependencies = [] } }: Chart, path: string): readonly string[] => [
  path,
  ...dependencies.map(({ name, alias }) => below(path, alias || name)),
];

const below = (path: string, name: string): string => (path === '.' ? name : `${path}/${name}`);

/** `backend/database` of `shop/charts/backend/charts/database`; '.' of the outermost chart. */
const pathBelow = (path: string): string => chartNamesOf(`${path}/templates/`).slice(1).join('/') || '.';

/** The chart whose rule it is, or whose own resources. */
const chartOfRule = ({ chart }: ChartRule): string => (chart.endsWith('/.') ? chart.slice(0, -2) : chart);

const isOfOwn = ({ chart }: ChartRule): boolean => chart === '.' || chart.endsWith('/.');

/** How hooks of the chart at this path run by an order file; of several rules the last one decides. */
export const hookModeIn = (order: OrderFile | undefined, path: string): ChartRule['runHooksInParallel'] =>
  order?.charts.findLast((rule) => rule.runHooksInParallel !== undefined && chartOfRule(rule) === pathBelow(path))
    ?.runHooksInParallel;

/** What an order file says about the subcharts of one chart. */
export interface OutsideEdges {
  /** What the chart's own resources wait for. */
  readonly own: ChartRule | undefined;
  /** What subcharts wait for, by their names. */
  readonly bySubchart: ReadonlyMap<string, ChartRule>;
}

/** Of the chart at this path; of several rules for one, the last one. */
export function outsideEdges(order: OrderFile | undefined, path: string): OutsideEdges {
  const parent = pathBelow(path);
  const rules = order?.charts.filter(({ dependsOn }) => dependsOn !== undefined) ?? [];
  const ofChildren = rules.filter((rule) => !isOfOwn(rule) && parentOf(rule.chart) === parent);
  return {
    own: rules.findLast((rule) => isOfOwn(rule) && chartOfRule(rule) === parent),
    bySubchart: new Map(ofChildren.map((rule) => [rule.chart.slice(rule.chart.lastIndexOf('/') + 1), rule])),
  };
}

const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.');
