import { describe, expect, test } from 'vitest';
import cases from '../../fixtures/coalesce/cases.json' with { type: 'json' };
import expected from '../../fixtures/coalesce/expected.json' with { type: 'json' };
import { coalesceValues, mergeChartValues } from '../../src/chart/coalesce.ts';
import { processDependencies } from '../../src/chart/dependencies.ts';
import type { ChartNotice } from '../../src/chart/notice.ts';
import type { Chart, Dependency } from '../../src/chart/types.ts';
import { slogLine } from '../../src/go/slog.ts';
import type { GoMap, Value } from '../../src/go/value.ts';
import { messageOf } from '../../src/support/errors.ts';
import { mapOf, typedJson, valueOf } from './values.ts';

interface ChartCase {
  readonly name: string;
  readonly version?: string;
  readonly values?: Record<string, unknown>;
  readonly dependencies?: readonly Record<string, unknown>[];
  readonly charts?: readonly ChartCase[];
}

interface CoalesceCase {
  readonly chart: ChartCase;
  readonly values?: Record<string, unknown>;
}

const chartOf = ({ name, version = '1.0.0', values = {}, dependencies, charts = [] }: ChartCase): Chart => ({
  metadata: { name, version, apiVersion: 'v2', dependencies: dependencies?.map(dependencyOf) },
  templates: [],
  values: mapOf(values),
  files: [],
  raw: [],
  dependencies: charts.map(chartOf),
  origin: '',
});

const dependencyOf = ({ 'import-values': imports, ...rest }: Record<string, unknown>): Dependency => ({
  ...(rest as unknown as Dependency),
  ...(imports !== undefined && { importValues: valueOf(imports) as Value[] }),
});

/** As the oracle prints it: Go leaves out what is empty. */
const treeOf = (chart: Chart): Record<string, unknown> =>
  withoutEmpty(
    {
      name: chart.metadata.name,
      values: typedJson(chart.values),
      dependencies: chart.metadata.dependencies?.map(({ importValues, repository = '', ...rest }) =>
        withoutEmpty({ ...rest, repository, 'import-values': typedJson((importValues ?? []) as Value[]) }, [
          'repository',
        ]),
      ),
      charts: chart.dependencies.map(treeOf),
    },
    ['values'],
  );

const withoutEmpty = (struct: Record<string, unknown>, keep: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(struct).filter(
      ([key, value]) =>
        keep.includes(key) || (value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)),
    ),
  );

/** What a function gives, and what it logs, sorted as Helm's order depends on Go's maps. */
function run<T>(work: (notify: (notice: ChartNotice) => void) => T): { value?: T; error?: string; logs: string[] } {
  const logs: string[] = [];
  const notify = ({ level, message, attributes }: ChartNotice): void => {
    logs.push(slogLine(level, message, attributes));
  };
  try {
    const value = work(notify);
    return { value, logs: logs.sort() };
  } catch (error) {
    return { error: messageOf(error), logs: logs.sort() };
  }
}

const titled = (cases.cases as CoalesceCase[]).map(
  (each, index) => [JSON.stringify(each), each, expected.results[index] as Record<string, unknown>] as const,
);

describe('values are coalesced as in Helm', () => {
  test.each(titled)('%s', (_title, { chart, values = {} }, result) => {
    const { value, error, logs } = run((notify) => coalesceValues(chartOf(chart), mapOf(values), notify));
    expect({ coalesced: value && typedJson(value), error, logs }).toEqual({
      coalesced: result['coalesced'],
      error: result['error'],
      logs: result['logs'],
    });
    const merged = run(() => mergeChartValues(chartOf(chart), mapOf(values)));
    expect(merged.value && typedJson(merged.value)).toEqual(result['merged']);
  });
});

describe('dependencies are processed as in Helm', () => {
  test.each(titled)('%s', (_title, { chart, values = {} }, result) => {
    const { value, error, logs } = run((notify) => processDependencies(chartOf(chart), mapOf(values), notify));
    expect({ processed: value && treeOf(value), error, logs }).toEqual({
      processed: result['processed'],
      error: result['processedError'],
      logs: result['processedLogs'],
    });
    const rendered = value && run((): GoMap => coalesceValues(value, mapOf(values))).value;
    expect(rendered && typedJson(rendered)).toEqual(result['rendered']);
  });
});

test('nothing that was given is changed', () => {
  for (const { chart, values = {} } of cases.cases as CoalesceCase[]) {
    const loaded = chartOf(chart);
    const given = mapOf(values);
    run(() => coalesceValues(processDependencies(loaded, given), given));
    expect(loaded).toEqual(chartOf(chart));
    expect(given).toEqual(mapOf(values));
  }
});
