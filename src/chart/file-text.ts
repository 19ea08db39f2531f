import { decodeText } from '../go/text.ts';
import { lineOfKeys } from '../yaml/index.ts';
import type { Chart, ChartFile } from './types.ts';

const known = new WeakMap<Uint8Array, string>();

/** The text of a chart's file. It is kept with the file: a template is rendered again for each line that is to be explained. */
export function textOfFile({ data }: Pick<ChartFile, 'data'>): string {
  const text = known.get(data) ?? decodeText(data);
  known.set(data, text);
  return text;
}

type Files = Partial<Pick<Chart, 'raw' | 'templates'>>;

/** The text of one of a chart's files; undefined when it has none of that name. */
export function fileText({ raw = [], templates = [] }: Files = {}, name: string): string | undefined {
  const files = [...raw, ...templates];
  const file = files.find((candidate) => candidate.name === name);
  return file && textOfFile(file);
}

/** The line on which one of a chart's YAML files has the value that these keys lead to. */
export const fileLine = (chart: Files | undefined, name: string, keys: readonly string[]): number | undefined =>
  lineOfKeys(fileText(chart, name) ?? '', keys);

/** The line of Chart.yaml on which an annotation is. */
export const chartAnnotationLine = (chart: Files | undefined, key: string): number | undefined =>
  fileLine(chart, 'Chart.yaml', ['annotations', key]);
