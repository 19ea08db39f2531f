import type { Chart, ChartFile } from '../../chart/types.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { TshelmError } from '../../support/errors.ts';
import { isInteger } from '../../support/text.ts';
import { formatUtcTime } from '../../support/time.ts';

/**
 * SOURCE_DATE_EPOCH (reproducible-builds.org): the time that all files of an archive are to have; undefined where it is
 * not set. Fails with `bad-epoch`.
 */
export function sourceDateEpoch(env: Readonly<Record<string, string | undefined>>): Date | undefined {
  const text = env['SOURCE_DATE_EPOCH'];
  if (!text) return undefined;
  if (!isInteger(text)) throw badEpoch(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`);
  const seconds = Number(text);
  if (seconds > Number(2n ** 63n - 1n)) throw badEpoch(`strconv.ParseInt: parsing ${quote(text)}: value out of range`);
  if (seconds < 0) throw badEpoch('must not be negative');
  return new Date(seconds * 1000);
}

const badEpoch = (reason: string): TshelmError =>
  new TshelmError('bad-epoch', { message: `invalid SOURCE_DATE_EPOCH: ${reason}` });

/** A chart all of whose files, those of its subcharts included, have one time. Go: Chart.StampModTimes. */
export function stamped(chart: Chart, time: Date): Chart {
  const stamp = (files: readonly ChartFile[]): ChartFile[] => files.map((file) => ({ ...file, modifiedAt: time }));
  return {
    ...chart,
    modifiedAt: time,
    schemaModifiedAt: chart.schema === undefined ? undefined : time,
    lock: chart.lock && { ...chart.lock, generated: formatUtcTime(time) },
    raw: stamp(chart.raw),
    templates: stamp(chart.templates),
    files: stamp(chart.files),
    dependencies: chart.dependencies.map((child) => stamped(child, time)),
  };
}
