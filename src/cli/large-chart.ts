import { setFlagsFromString } from 'node:v8';
import type { Chart } from '../chart/types.ts';

const largeBytes = 200_000;
const newestKnownV8 = 13;

/**
 * V8 compiles functions again, optimised, as soon as they have run a little, and throws that code away where a chart's
 * later templates bring other types. For one render of a large chart this takes a third of the time, so V8 is told to
 * wait longer. Its code caches are tied to its flags: call this when the code that is needed is loaded.
 */
export function optimiseLater(chart: Chart): void {
  const version = Number.parseInt(process.versions.v8, 10);
  // A version that does not know the flag would complain on standard error.
  if (version <= newestKnownV8 && bytesOf(chart) > largeBytes) setFlagsFromString('--interrupt-budget=1000000');
}

function bytesOf({ templates, dependencies }: Chart): number {
  const own = templates.reduce((sum, { data }) => sum + data.length, 0);
  return dependencies.reduce((sum, dependency) => sum + bytesOf(dependency), own);
}
