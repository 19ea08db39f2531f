import { statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { Chart } from '../../chart/types.ts';

const largeTemplateBytes = 200_000;
const largeArchiveBytes = 50_000;
const newestKnownV8 = 13;

export const isLargeArchive = (path: string): boolean => statSync(path).size > largeArchiveBytes;
export const isLargeChart = (chart: Chart): boolean => templateBytes(chart) > largeTemplateBytes;

const templateBytes = ({ templates, dependencies }: Chart): number =>
  templates.reduce((sum, { data }) => sum + data.length, 0) +
  dependencies.reduce((sum, dependency) => sum + templateBytes(dependency), 0);

/**
 * V8 compiles functions again, optimised, as soon as they have run a little, and throws that code away where a chart's
 * later templates bring other types. For one render of a large chart this takes a third of the time, so V8 is told to
 * wait longer. Its code caches are tied to its flags: call this when the code that is needed is loaded.
 */
export function optimiseLater(): void {
  // A version that does not know the flag would complain on standard error.
  if (Number.parseInt(process.versions.v8, 10) <= newestKnownV8) setFlagsFromString('--interrupt-budget=1000000');
}
