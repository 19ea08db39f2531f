import type { Chart } from '../chart/types.ts';
import type { GoMap } from '../go/value.ts';
import { ParsedSources } from '../template/template-set.ts';
import { type RenderOptions, renderChart } from './engine.ts';
import { missingValue, strangeValue } from './missing-value.ts';
import { refusedValues } from './refused-values.ts';
import { type ValueMistake, withTexts } from './value-mistake.ts';

/** The longest that other values are tried for one failure, in milliseconds. */
const longestMs = 1_000;

/**
 * The values that may be behind a failure whose words name none: those with which, were they others, the chart would
 * render. That makes them likely and proves nothing, so they are no part of what is said to be wrong. Called where they
 * are printed: it renders the chart again and again.
 */
export function likelyValues(error: unknown, chart: Chart, options: RenderOptions): readonly ValueMistake[] {
  const untilMs = performance.now() + longestMs;
  const parsed = new ParsedSources();
  const succeedsWith = (values: GoMap): boolean =>
    performance.now() < untilMs && renders(chart, { ...options, values, parsed, lookup: undefined });
  const trial = { chart, values: options.values, succeedsWith };
  // What `lookup` finds in the cluster may be at fault instead.
  if (succeedsWith(options.values)) return [];
  const refused = refusedValues(error, trial);
  const found = refused.length > 0 ? refused : [missingValue(error, trial) ?? strangeValue(error, trial) ?? []].flat();
  return found.map((mistake) => withTexts(mistake, options.values));
}

function renders(chart: Chart, options: RenderOptions): boolean {
  try {
    renderChart(chart, options);
    return true;
  } catch {
    // The answer: with this value the chart fails as well.
    return false;
  }
}
