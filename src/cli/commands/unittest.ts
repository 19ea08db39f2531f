import { resolve } from 'node:path';
import { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import type { OpenReport } from '../output/unittest/report.ts';

const ownFlags = {
  'chart-tests-path': {
    type: 'string',
    description: 'folder of the chart with a chart that renders to test suites',
  },
  color: {
    type: 'choice',
    placeholder: 'string',
    default: 'auto',
    alone: 'always',
    choices: ['never', 'auto', 'always'] as const,
    description: 'use colored output (never, auto, always); alone: always',
  },
  coverage: {
    type: 'bool',
    description: 'tell which branches of the templates no test renders, and which values none changes',
  },
  'coverage-file': {
    type: 'string',
    description: "write the coverage of the templates to this file, in lcov's format",
  },
  debugPlugin: { type: 'bool', short: 'd', description: 'write what each template renders to the folder .debug' },
  failfast: { type: 'bool', short: 'q', description: 'stop at the first test that fails' },
  file: {
    type: 'stringArray',
    short: 'f',
    description: 'glob paths of test suites below the chart (default tests/*_test.yaml)',
  },
  'output-file': { type: 'string', short: 'o', description: 'write the results to this file too' },
  'output-type': {
    type: 'string',
    short: 't',
    default: 'XUnit',
    description: 'format of --output-file: JUnit, NUnit, XUnit or Sonar',
  },
  'skip-schema-validation': { type: 'bool', description: 'do not validate values against the schema of the chart' },
  strict: { type: 'bool', description: 'refuse unknown fields in test suites' },
  'update-snapshot': { type: 'bool', short: 'u', description: 'take what is rendered now for the snapshots' },
  values: {
    type: 'stringArray',
    short: 'v',
    description: 'absolute or glob paths of values files for every test',
  },
  watch: { type: 'bool', description: 'run the suites again whenever a file of the charts changes' },
  'with-subchart': {
    type: 'bool',
    short: 's',
    default: true,
    description: 'run the test suites of the subcharts in the charts folder too',
  },
} satisfies Record<string, FlagSpec>;

export interface UnittestRequest {
  readonly charts: readonly string[];
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runUnittest): Command =>
  flagCommand('unittest', ownFlags, { usage: 'CHART... [flags]', words: { atLeast: 1 } }, (charts, flags) =>
    run({ charts, flags }, context),
  ).description('run the unit tests of charts, written as suites of helm-unittest');

/** A file that cannot be written is told of, and changes nothing else, as in helm-unittest. */
async function writeResults(file: string, type: string, report: OpenReport, { io }: CliContext): Promise<void> {
  const { isResultFormat, writeResultFile } = await import('../output/unittest/result-file.ts');
  const format = type.toLowerCase();
  if (!isResultFormat(format)) return;
  try {
    writeResultFile(file, format, report.suites, io);
  } catch (error) {
    report.tell(error);
  }
}

async function runUnittest(request: UnittestRequest, context: CliContext): Promise<void> {
  const { charts, flags } = request;
  if (!flags.watch) {
    if (!(await runSuites(request, context))) context.endWith(1);
    return;
  }
  const { Changes } = await import('../output/unittest/changes.ts');
  const changes = new Changes(charts.map((chart) => resolve(context.io.cwd, chart)));
  try {
    while (!context.signal.aborted) {
      await runSuites(request, context);
      context.io.stderr.write('Waiting for changes; Ctrl-C ends.\n');
      await changes.next(context.signal);
    }
  } finally {
    changes.close();
  }
}

/** Runs the suites once; whether all pass. */
async function runSuites({ charts, flags }: UnittestRequest, context: CliContext): Promise<boolean> {
  const { runUnittests } = await import('../../unittest/run.ts');
  const { openReport } = await import('../output/unittest/report.ts');
  const report = await openReport(flags, context);
  const options = {
    folder: context.io.cwd,
    testFiles: flags.file ?? ['tests/*_test.yaml'],
    valuesFiles: flags.values ?? [],
    withSubcharts: flags.withSubchart,
    isStrict: flags.strict ?? false,
    failFast: flags.failfast ?? false,
    updatesSnapshots: flags.updateSnapshot ?? false,
    withCoverage: (flags.coverage ?? false) || flags.coverageFile !== undefined,
    // A program that reads the report finds it as helm-unittest writes it.
    withPlaces: context.io.stdout.isTerminal,
    isSchemaSkipped: flags.skipSchemaValidation ?? false,
    downloadSchema: async (url: string) =>
      (await import('../sources/sources.ts')).sourcesOf(flags, context).schema(url),
    chartTestsPath: flags.chartTestsPath ?? '',
    renderedTo: flags.debugPlugin ? '.debug' : undefined,
    now: () => performance.now(),
    startThread: context.startThread,
  };
  const isPassed = await runUnittests(charts, options, report.listener);
  if (flags.outputFile) await writeResults(flags.outputFile, flags.outputType, report, context);
  if (flags.coverageFile) await writeCoverage(flags.coverageFile, report, context);
  report.end(flags.coverage ?? false);
  return isPassed;
}

async function writeCoverage(file: string, report: OpenReport, { io }: CliContext): Promise<void> {
  const { writeFolderedFile } = await import('../output/unittest/result-file.ts');
  const { coverageFile } = await import('../../unittest/report/coverage.ts');
  try {
    writeFolderedFile(resolve(io.cwd, file), coverageFile(report.covered));
  } catch (error) {
    report.tell(error);
  }
}
