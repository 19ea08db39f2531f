import { isChartDirectory, loadChart } from '../chart/load.ts';
import type { Notify } from '../chart/notice.ts';
import type { Chart } from '../chart/types.ts';
import { mergeValues, type ValueOptions } from '../chart/value-options.ts';
import { TshelmError } from '../support/errors.ts';
import { slogLine } from '../support/slog.ts';
import type { GoMap } from '../support/value.ts';
import type { CliContext } from './context.ts';
import { downloadValues } from './download.ts';
import { isLargeArchive, isLargeChart, optimiseLater } from './large-chart.ts';

/**
 * The chart that the user names and the values that the user gives. As in Helm a chart that is not there is reported
 * first, then the values, then what is wrong in the chart.
 */
export async function loadRequest(
  reference: string,
  options: ValueOptions,
  { io, secrets }: RequestContext,
): Promise<{ readonly chart: Chart; readonly values: GoMap }> {
  refuseRemote(reference);
  const isArchive = !(await isChartDirectory(reference));
  if (isArchive && isLargeArchive(reference)) optimiseLater();
  const values = await mergeRequestValues(options, { io, secrets });
  const chart = await loadChart(reference, { onNotice: noticesOn({ io, secrets }) });
  if (isLargeChart(chart)) optimiseLater();
  return { chart, values };
}

type RequestContext = Pick<CliContext, 'io' | 'secrets'>;

/** The chart that the user names, to be shown. */
export async function loadShownChart(reference: string, { io, secrets }: RequestContext): Promise<Chart> {
  refuseRemote(reference);
  return loadChart(reference, { onNotice: noticesOn({ io, secrets }), ofAnyVersion: true });
}

/**
 * The values that the user gives, from files, the web and standard input. What they hold under keys such as `password` is
 * kept out of messages from here on; a chart's own values are no secrets, since everybody can read the chart.
 */
export async function mergeRequestValues(options: ValueOptions, { io, secrets }: RequestContext): Promise<GoMap> {
  const { values = [], stringValues = [], jsonValues = [], literalValues = [] } = options;
  for (const text of [...values, ...stringValues, ...jsonValues, ...literalValues]) secrets.addAssignment(text);
  const merged = await mergeValues(options, { readStdin: io.readStdin, download: downloadValues });
  secrets.addValues(merged);
  return merged;
}

/** Prints what Helm logs on standard error. */
export const noticesOn =
  ({ io, secrets }: RequestContext): Notify =>
  ({ level, message, attributes }) =>
    io.stderr.write(secrets.redact(`${slogLine(level, message, attributes)}\n`));

function refuseRemote(reference: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(reference)) return;
  throw new TshelmError('remote-chart', {
    message: `chart "${reference}" is not on this machine: tshelm reads chart directories and .tgz archives; download it first`,
    details: { reference },
  });
}
