import { messageOf } from '../../../support/errors.ts';
import { type ChartOutcome, totalsOf } from '../../../unittest/report/counts.ts';
import { type CoveredChart, coverageText } from '../../../unittest/report/coverage.ts';
import { noReportPaint, type ReportPaint } from '../../../unittest/report/paint.ts';
import { chartError, chartHeader, suiteText, summaryText } from '../../../unittest/report/text.ts';
import type { SuiteResult } from '../../../unittest/results.ts';
import type { UnittestListener } from '../../../unittest/run.ts';
import type { CliContext } from '../../context.ts';
import { type GlobalFlags, settingsOf } from '../../settings.ts';

/** Writes how the suites go to standard output, and at the end how many passed. */
export async function openReport(flags: GlobalFlags, context: CliContext) {
  const paint = await paintFor(flags, context);
  const { stdout } = context.io;
  const start = performance.now();
  const charts: ChartOutcome[] = [];
  const suites: SuiteResult[] = [];
  const covered: CoveredChart[] = [];
  const tell = (error: unknown): void => stdout.write(chartError(messageOf(error), paint));
  const listener: UnittestListener = {
    chartBegins: (name, path) => stdout.write(chartHeader(name, path, paint)),
    chartFails(_path, error) {
      charts.push({ isPassed: false, isBroken: true });
      tell(error);
    },
    chartEnds(path, isPassed, coverage) {
      charts.push({ isPassed, isBroken: false });
      if (coverage !== undefined) covered.push({ path, coverage });
    },
    suiteEnds(result) {
      suites.push(result);
      stdout.write(suiteText(result, paint));
    },
  };
  const end = (withCoverage: boolean): void => {
    stdout.write(summaryText(totalsOf(charts, suites), performance.now() - start, paint));
    if (withCoverage) stdout.write(coverageText(covered, paint));
  };
  return { listener, suites, covered, tell, end };
}

export type OpenReport = Awaited<ReturnType<typeof openReport>>;

async function paintFor(flags: GlobalFlags, { io }: CliContext): Promise<ReportPaint> {
  const { color } = settingsOf(flags, io.env);
  if (color === 'never' || (color === 'auto' && !io.stdout.isTerminal)) return noReportPaint;
  const { colors } = await import('../../terminal/colors.ts');
  return {
    passLabel: (text) => colors.bgGreen(colors.black(text)),
    failLabel: (text) => colors.bgRed(colors.white(text)),
    skipLabel: (text) => colors.bgYellow(colors.black(text)),
    bad: colors.red,
    warning: colors.yellow,
    strong: colors.bold,
    dim: colors.dim,
  };
}
