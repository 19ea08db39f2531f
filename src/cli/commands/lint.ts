import { Command } from 'commander';
import type { LintOptions, LintResult } from '../../actions/lint.ts';
import { secretRefsFlag, valueFlags } from '../../actions/options/chart.ts';
import { lintFlags } from '../../actions/options/lint.ts';
import { type FlagSpec, type OptionsOf, optionsOf } from '../../change/option-rows.ts';
import type { ValueOptions } from '../../chart/value-options.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { showsMoreThanHelm } from '../terminal/io.ts';

const ownFlags = {
  'kube-version': { type: 'string', description: 'Kubernetes version used for capabilities and deprecation checks' },
  quiet: { type: 'bool', description: 'print only warnings and errors' },
  ...secretRefsFlag,
  'with-subcharts': { type: 'bool', description: 'lint dependent charts' },
} satisfies Record<string, FlagSpec>;

const flagsOfCommand = { ...lintFlags, ...valueFlags, ...ownFlags };

export interface LintRequest {
  readonly paths: readonly string[];
  readonly options: OptionsOf<typeof lintFlags>;
  readonly values: ValueOptions;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runLint): Command =>
  flagCommand('lint', flagsOfCommand, { usage: 'PATH [flags]', words: { atLeast: 1 } }, async (paths, flags) => {
    const options = optionsOf(lintFlags, flags);
    await run({ paths, options, values: optionsOf(valueFlags, flags), flags }, context);
  }).description('examine a chart for possible issues');

async function runLint({ paths, flags, ...request }: LintRequest, context: CliContext): Promise<void> {
  const { lintChart } = await import('../../actions/lint.ts');
  const { mergeRequestValues } = await import('../sources/load-request.ts');
  const { noticesPrinter } = await import('../sources/notices.ts');
  const kubeVersion = await kubeVersionOf(flags);
  const all = flags.withSubcharts ? await withSubcharts(paths) : paths;
  const options: LintOptions = {
    ...request.options,
    kubeVersion,
    namespace: await context.namespace(flags),
    values: await mergeRequestValues(request.values, context, flags),
    onNotice: noticesPrinter(context),
    downloadSchema: async (url: string) =>
      (await import('../sources/sources.ts')).sourcesOf(flags, context).schema(url),
  };
  const findProblems = showsMoreThanHelm(context.io);
  const results: [string, LintResult][] = [];
  for (const path of all) results.push([path, await lintChart(path, { ...options, findProblems })]);
  const { lintReport, lintSummary } = await import('../output/lint-text.ts');
  lintReport(results, flags, context);
  const { printProblems } = await import('../print-problems.ts');
  for (const [chart, { problems }] of results) {
    context.useChart(chart);
    const manner = { title: `lint ${chart}`, chart };
    await printProblems(problems?.errors ?? [], { ...manner, level: 'error' }, context);
    await printProblems(problems?.warnings ?? [], { ...manner, level: 'warning' }, context);
  }
  lintSummary(results, flags, context);
}

async function kubeVersionOf({ kubeVersion }: LintRequest['flags']) {
  if (!kubeVersion) return undefined;
  const { readKubeVersion } = await import('../../render/kube-version.ts');
  return readKubeVersion(kubeVersion);
}

async function withSubcharts(paths: readonly string[]): Promise<string[]> {
  const { subchartPaths } = await import('../../actions/lint.ts');
  return [...paths, ...(await Promise.all(paths.map(subchartPaths))).flat()];
}
