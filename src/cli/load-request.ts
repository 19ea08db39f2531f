import { loadChart } from '../chart/load.ts';
import type { Chart } from '../chart/types.ts';
import { mergeValues, type ValueOptions } from '../chart/value-options.ts';
import { slogLine } from '../support/slog.ts';
import type { GoMap } from '../support/value.ts';
import type { Io } from './io.ts';

/** The chart that the user names and the values that the user gives; values first, as in Helm. */
export async function loadRequest(
  reference: string,
  options: ValueOptions,
  io: Io,
): Promise<{ readonly chart: Chart; readonly values: GoMap }> {
  const values = await mergeValues(options, { readStdin: io.readStdin });
  const chart = await loadChart(reference, {
    onNotice: ({ level, message, attributes }) => io.stderr.write(`${slogLine(level, message, attributes)}\n`),
  });
  return { chart, values };
}
