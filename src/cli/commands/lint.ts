import { Command } from 'commander';
import { messageText } from '../../actions/lint/message.ts';
import type { LintResult } from '../../actions/lint.ts';
import { TshelmError } from '../../support/errors.ts';
import { requireArguments } from '../arguments.ts';
import { type ValueFlags, valueOptions } from '../chart-flags.ts';
import type { CliContext } from '../context.ts';
import type { FlagSpec } from '../flag-option.ts';
import { addFlags, valueFlags, type WaitFlagValue, waitFlag } from '../flags.ts';
import type { GlobalFlags } from '../settings.ts';

export interface LintFlags extends GlobalFlags, ValueFlags {
  readonly kubeVersion?: string;
  readonly quiet?: boolean;
  readonly skipSchemaValidation?: boolean;
  readonly strict?: boolean;
  readonly wait?: WaitFlagValue;
  readonly withSubcharts?: boolean;
}

const lintFlags = {
  'kube-version': { type: 'string', description: 'Kubernetes version used for capabilities and deprecation checks' },
  quiet: { type: 'bool', description: 'print only warnings and errors' },
  'skip-schema-validation': { type: 'bool', description: 'if set, disables JSON schema validation' },
  strict: { type: 'bool', description: 'fail on lint warnings' },
  wait: {
    ...waitFlag.wait,
    description: "with 'ordered', also examine the order in which a chart is deployed that declares none",
  },
  'with-subcharts': { type: 'bool', description: 'lint dependent charts' },
  ...valueFlags,
} satisfies Record<string, FlagSpec>;

export const lintCommand = (context: CliContext, run = runLint): Command =>
  addFlags(new Command('lint'), lintFlags)
    .description('examine a chart for possible issues')
    .argument('[paths...]')
    .usage('PATH [flags]')
    .action(async (paths: string[], _flags, command: Command) => {
      requireArguments(command, paths, { atLeast: 1 });
      await run(paths, command.optsWithGlobals<LintFlags>(), context);
    });

async function runLint(paths: readonly string[], flags: LintFlags, context: CliContext): Promise<void> {
  const { lintChart } = await import('../../actions/lint.ts');
  const { mergeRequestValues, noticesOn } = await import('../load-request.ts');
  const kubeVersion = await kubeVersionOf(flags);
  const all = flags.withSubcharts ? await withSubcharts(paths) : paths;
  const options = {
    ...flags,
    kubeVersion,
    namespace: await context.namespace(flags),
    values: await mergeRequestValues(valueOptions(flags), context),
    onNotice: noticesOn(context),
    downloadSchema: async (url: string) => (await import('../download.ts')).downloadSchema(url),
  };
  const results: [string, LintResult][] = [];
  for (const path of all) results.push([path, await lintChart(path, options)]);
  report(results, flags, context);
}

async function kubeVersionOf({ kubeVersion }: LintFlags) {
  if (!kubeVersion) return undefined;
  const { readKubeVersion } = await import('../../render/kube-version.ts');
  return readKubeVersion(kubeVersion);
}

async function withSubcharts(paths: readonly string[]): Promise<string[]> {
  const { subchartPaths } = await import('../../actions/lint.ts');
  return [...paths, ...(await Promise.all(paths.map(subchartPaths))).flat()];
}

function report(
  results: readonly (readonly [string, LintResult])[],
  { quiet }: LintFlags,
  { io, secrets }: CliContext,
): void {
  const shown = results.filter(([, result]) => !quiet || isNotable(result));
  io.stdout.write(secrets.redact(shown.map(([path, result]) => resultText(path, result, quiet === true)).join('')));
  const failed = results.filter(([, { isFailed }]) => isFailed).length;
  const summary = `${results.length} chart(s) linted, ${failed} chart(s) failed`;
  if (failed > 0) throw new TshelmError('lint-failed', { message: summary });
  if (shown.length > 0) io.stdout.write(`${summary}\n`);
}

const isNotable = ({ messages, isFailed }: LintResult): boolean =>
  isFailed || messages.some(({ severity }) => severity !== 'info');

function resultText(path: string, { messages, problem }: LintResult, isQuiet: boolean): string {
  const shown = messages.filter(({ severity }) => !isQuiet || severity !== 'info').map(messageText);
  const lines = [`==> Linting ${path}`, ...(problem === undefined ? [] : [`Error ${problem}`]), ...shown];
  return `${lines.join('\n')}\n\n`;
}
