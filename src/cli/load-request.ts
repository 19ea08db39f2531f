import { isChartDirectory, loadChart } from '../chart/load.ts';
import type { Notify } from '../chart/notice.ts';
import type { Chart } from '../chart/types.ts';
import { mergeValues, type ValueOptions } from '../chart/value-options.ts';
import { TshelmError } from '../support/errors.ts';
import { slogLine } from '../support/slog.ts';
import type { GoMap } from '../support/value.ts';
import { downloadValues } from './download.ts';
import type { Io } from './io.ts';
import { isLargeArchive, isLargeChart, optimiseLater } from './large-chart.ts';

/**
 * The chart that the user names and the values that the user gives. As in Helm a chart that is not there is reported
 * first, then the values, then what is wrong in the chart.
 */
export async function loadRequest(
  reference: string,
  options: ValueOptions,
  io: Io,
): Promise<{ readonly chart: Chart; readonly values: GoMap }> {
  refuseRemote(reference);
  const isArchive = !(await isChartDirectory(reference));
  if (isArchive && isLargeArchive(reference)) optimiseLater();
  const values = await mergeRequestValues(options, io);
  const chart = await loadChart(reference, { onNotice: noticesOn(io) });
  if (isLargeChart(chart)) optimiseLater();
  return { chart, values };
}

/** The chart that the user names. */
export async function loadReferredChart(reference: string, io: Io): Promise<Chart> {
  refuseRemote(reference);
  return loadChart(reference, { onNotice: noticesOn(io) });
}

/** The values that the user gives, from files, the web and standard input. */
export const mergeRequestValues = (options: ValueOptions, io: Io): Promise<GoMap> =>
  mergeValues(options, { readStdin: io.readStdin, download: downloadValues });

/** Prints what Helm logs on standard error. */
export const noticesOn =
  (io: Io): Notify =>
  ({ level, message, attributes }) =>
    io.stderr.write(`${slogLine(level, message, attributes)}\n`);

function refuseRemote(reference: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(reference)) return;
  throw new TshelmError('remote-chart', {
    message: `chart "${reference}" is not on this machine: tshelm reads chart directories and .tgz archives; download it first`,
    details: { reference },
  });
}
