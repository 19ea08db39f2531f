import { coalesceValues } from '../chart/coalesce.ts';
import type { GoMap } from '../go/value.ts';
import { renderChart } from '../render/engine.ts';
import { prepareChart } from '../render/release.ts';
import { type ChartView, release } from './chart-view.ts';

/**
 * The first file that two states of a chart print differently, with the chart's values and those of its files of ci/;
 * undefined where there is none. What is different each time, such as a random password, does not count, and neither does
 * what could not be rendered before.
 */
export function differentFile(before: ChartView, after: ChartView): string | undefined {
  const given = (view: ChartView): readonly GoMap[] => [new Map(), ...view.ciValues().values()];
  const later = given(after);
  for (const [index, values] of given(before).entries()) {
    const first = printed(before, values);
    if (first === undefined) continue;
    const now = printed(after, later[index] ?? values);
    const changed = [...first].filter(([file, text]) => text !== now?.get(file));
    if (changed.length === 0) continue;
    const again = printed(before, values);
    const different = again && changed.find(([file, text]) => now === undefined || text === again.get(file));
    if (different !== undefined) return different[0];
  }
  return undefined;
}

function printed({ chart, parsed }: ChartView, values: GoMap): ReadonlyMap<string, string> | undefined {
  try {
    const prepared = prepareChart(chart, values).chart;
    const coalesced = coalesceValues(prepared, values, () => undefined);
    return renderChart(prepared, { values: coalesced, release, parsed }).files;
  } catch {
    return undefined;
  }
}
