import { textOfFile } from '../../chart/file-text.ts';
import type { Chart } from '../../chart/types.ts';
import { decodeText } from '../../go/text.ts';
import type { Value } from '../../go/value.ts';
import { type ChartReadsOptions, chartReads } from './chart-reads.ts';
import type { Part } from './part.ts';

/** So many characters of charts are remembered with what they read. */
const mostRemembered = 8 * 1024 * 1024;

const remembered = new Map<string, Part>();
const textOfChart = new WeakMap<Chart, string>();

/**
 * As `chartReads`: what the values of a chart are used for depends on them only where they have actions for `tpl`, and the
 * same chart is often checked with several sets of values.
 */
export function knownReads(chart: Chart, options: Pick<ChartReadsOptions, 'config' | 'parsed'>): Part {
  const text = textOfChart.get(chart) ?? sourcesOf(chart).join('\0');
  textOfChart.set(chart, text);
  const key = [text, ...actionsIn(options.config ?? null)].join('\0');
  const reads = remembered.get(key) ?? chartReads(chart, options);
  // What was asked for last is forgotten last.
  remembered.delete(key);
  remembered.set(key, reads);
  let length = 0;
  for (const one of [...remembered.keys()].reverse()) {
    length += one.length;
    if (length > mostRemembered) remembered.delete(one);
  }
  return reads;
}

function sourcesOf({ metadata, values, templates, files, schema, dependencies }: Chart): readonly string[] {
  const { name, type, dependencies: listed } = metadata;
  return [
    JSON.stringify([name, type, listed, templates.length, dependencies.length]),
    schema === undefined ? '' : decodeText(schema),
    ...actionsIn(values),
    ...files.flatMap((file) => actionsIn(textOfFile(file))),
    ...templates.flatMap((one) => [one.name, textOfFile(one)]),
    ...dependencies.flatMap(sourcesOf),
  ];
}

function actionsIn(value: Value): readonly string[] {
  if (typeof value === 'string') return value.includes('{{') ? [value] : [];
  return value instanceof Map || Array.isArray(value) ? [...value.values()].flatMap(actionsIn) : [];
}
