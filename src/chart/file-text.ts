import { decodeText } from '../go/text.ts';
import { lineOfKeys } from '../yaml/index.ts';
import type { Chart } from './types.ts';

type Files = Partial<Pick<Chart, 'raw' | 'templates'>>;

/** The text of one of a chart's files; undefined when it has none of that name. */
export function fileText({ raw = [], templates = [] }: Files = {}, name: string): string | undefined {
  const files = [...raw, ...templates];
  const file = files.find((candidate) => candidate.name === name);
  return file === undefined ? undefined : decodeText(file.data);
}

/** The line on which one of a chart's YAML files has the value that these keys lead to. */
export const fileLine = (chart: Files | undefined, name: string, keys: readonly string[]): number | undefined =>
  lineOfKeys(fileText(chart, name) ?? '', keys);

/** The line of Chart.yaml on which an annotation is. */
export const chartAnnotationLine = (chart: Files | undefined, key: string): number | undefined =>
  fileLine(chart, 'Chart.yaml', ['annotations', key]);
