import { decodeText } from '../go/text.ts';
import type { Chart } from './types.ts';

/** The text of one of a chart's files; undefined when it has none of that name. */
export function fileText(
  { raw = [], templates = [] }: Partial<Pick<Chart, 'raw' | 'templates'>> = {},
  name: string,
): string | undefined {
  const files = [...raw, ...templates];
  const file = files.find((candidate) => candidate.name === name);
  return file === undefined ? undefined : decodeText(file.data);
}
