import { Command } from 'commander';
import { messageText } from '../../actions/lint/message.ts';
import type { LintOptions, LintResult } from '../../actions/lint.ts';
import type { ValueOptions } from '../../chart/value-options.ts';
import { TshelmError } from '../../support/errors.ts';
import { requireArguments } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import type { FlagSpec } from '../flag-option.ts';
import { type FlagRows, type FlagsOf, type OptionsOf, optionsOf } from '../flag-rows.ts';
import { addFlags, valueFlags, waitFlag } from '../flags.ts';
import type { GlobalFlags } from '../settings.ts';

const optionFlags = {
  'skip-schema-validation': {
    type: 'bool',
    option: 'skipSchemaValidation',
    description: 'if set, disables JSON schema validation',
  },
  strict: { type: 'bool', option: 'strict', description: 'fail on lint warnings' },
  wait: {
    ...waitFlag.wait,
    description: "with 'ordered', also examine the order in which a chart is deployed that declares none",
  },
} satisfies FlagRows<LintOptions>;

const ownFlags = {
  'kube-version': { type: 'string', description: 'Kubernetes version used for capabilities and deprecation checks' },
  quiet: { type: 'bool', description: 'print only warnings and errors' },
  'with-subcharts': { type: 'bool', description: 'lint dependent charts' },
} satisfies Record<string, FlagSpec>;

const lintFlags = { ...optionFlags, ...valueFlags, ...ownFlags };

export interface LintRequest {
  readonly paths: readonly string[];
  readonly options: OptionsOf<typeof optionFlags>;
  readonly values: ValueOptions;
  readonly flags: GlobalFlags & FlagsOf<typeof ownFlags>;
}

export const lintCommand = (context: CliContext, run = runLint): Command =>
  addFlags(new Command('lint'), lintFlags)
    .description('examine a chart for possible issues')
    .argument('[paths...]')
    .usage('PATH [flags]')
    .action(async (paths: string[], _flags, command: Command) => {
      requireArguments(command, paths, { atLeast: 1 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof lintFlags>>();
      const options = optionsOf(optionFlags, flags);
      await run({ paths, options, values: optionsOf(valueFlags, flags), flags }, context);
    });

async function runLint({ paths, flags, ...request }: LintRequest, context: CliContext): Promise<void> {
  const { lintChart } = await import('../../actions/lint.ts');
  const { mergeRequestValues } = await import('../load-request.ts');
  const { noticesOn } = await import('../notices.ts');
  const kubeVersion = await kubeVersionOf(flags);
  const all = flags.withSubcharts ? await withSubcharts(paths) : paths;
  const options: LintOptions = {
    ...request.options,
    kubeVersion,
    namespace: await context.namespace(flags),
    values: await mergeRequestValues(request.values, context),
    onNotice: noticesOn(context),
    downloadSchema: async (url: string) => (await import('../download.ts')).downloadSchema(url, flags, context),
  };
  const results: [string, LintResult][] = [];
  for (const path of all) results.push([path, await lintChart(path, options)]);
  report(results, flags, context);
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

function report(
  results: readonly (readonly [string, LintResult])[],
  { quiet }: LintRequest['flags'],
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
