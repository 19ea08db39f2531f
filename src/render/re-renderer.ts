import { coalesceValues } from '../chart/coalesce.ts';
import type { Chart } from '../chart/types.ts';
import type { GoMap } from '../go/value.ts';
import { ParsedSources } from '../template/template-set.ts';
import type { RunTrace } from '../template/trace.ts';
import type { FailureTrace } from '../template/watch.ts';
import { type RenderOptions, traceFailure, traceTemplate, traceTemplates } from './engine.ts';

/** Renders single templates of a chart once more, to find out what made a part of them. */
export interface ReRenderer {
  readonly chart: Chart;
  /** What the templates were rendered with, coalesced. */
  readonly values: GoMap;
  /**
   * A template by its path (`shop/charts/db/templates/web.yaml`), with the same values; undefined where it is not there or
   * not of Go's language. `lookup` finds nothing. Fails as renderChart.
   */
  readonly trace: (file: string) => RunTrace | undefined;
  /** All of them in turn, but for those that fail. */
  readonly traces: () => Iterable<RunTrace>;
  /** What a template had in hand when it failed in this way; undefined where it does not fail so again. */
  readonly failure: (error: unknown) => FailureTrace | undefined;
}

/** What was rendered, so that it can be rendered again. */
export function reRendererOf(chart: Chart, options: RenderOptions): ReRenderer {
  const { values, parsed = new ParsedSources() } = options;
  const known = new Map<string, RunTrace | undefined>();
  const trace = (file: string): RunTrace | undefined => {
    if (!known.has(file)) known.set(file, traceTemplate(chart, { ...options, lookup: undefined, parsed }, file));
    return known.get(file);
  };
  const failure = (error: unknown): FailureTrace | undefined =>
    traceFailure(chart, { ...options, lookup: undefined, parsed }, error);
  const traces = () => traceTemplates(chart, { ...options, lookup: undefined, parsed });
  return { chart, values, trace, traces, failure };
}

type RecordedChart = Omit<Chart, 'dependencies' | 'raw' | 'origin'>;

/** The same of a chart as a record keeps it: without its subcharts. */
export const againAsRecorded = (
  recorded: RecordedChart,
  config: GoMap,
  options: Omit<RenderOptions, 'values'>,
): ReRenderer => {
  const chart: Chart = { dependencies: [], raw: [], origin: '', ...recorded };
  return reRendererOf(chart, { ...options, values: coalesceValues(chart, config, () => undefined) });
};
