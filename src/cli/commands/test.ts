import { Command } from 'commander';
import type { TestOptions } from '../../actions/options/test.ts';
import { testFlags } from '../../actions/options/test.ts';
import type { TestResult } from '../../actions/test-release.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import { beforeRun } from '../before-run.ts';
import type { CliContext } from '../context.ts';
import { errorText } from '../errors/error-text.ts';
import { reportFlag } from '../flags/failure-flags.ts';
import { flagCommand, type Request } from '../flags/flag-command.ts';
import { helm3Flags } from '../flags/helm3-flags.ts';
import { progressFlags, progressRequest } from '../flags/progress-flags.ts';
import { helmColors } from '../output/helm-colors.ts';
import { releaseText } from '../output/release-text.ts';
import type { Outcome } from '../progress/reporter.ts';

const ownFlags = { ...progressFlags, ...reportFlag };

const flagsOfCommand = {
  ...helm3Flags.test,
  ...testFlags,
  ...ownFlags,
  filter: {
    type: 'strings',
    description:
      'specify tests by attribute (currently "name") using attribute=value syntax or \'!attribute=value\' to exclude a test (can specify multiple or separate values with commas: name=test1,name=test2)',
  },
} satisfies Record<string, FlagSpec>;

export const command = (context: CliContext, run = runTest): Command =>
  flagCommand('test', flagsOfCommand, { usage: '[RELEASE] [flags]', words: { exactly: 1 } }, async (words, flags) => {
    const filters = readFilters(flags.filter ?? []);
    await run({ options: { ...optionsOf(testFlags, flags), ...filters, name: words[0] as string }, flags }, context);
  }).description('run tests for a release');

async function runTest({ options, flags }: Request<TestOptions, typeof ownFlags>, context: CliContext): Promise<void> {
  const { name } = options;
  const { testRelease } = await import('../../actions/test-release.ts');
  const progress = progressRequest(flags);
  const session = await beforeRun({ command: 'test', release: name, progress }, flags, context, () =>
    context.open(flags, { progress }),
  );
  session.reporter.begin({ action: 'test', release: name, namespace: session.namespace });
  const { withReport } = await import('../errors/failure-report.ts');
  const subject = { command: 'test', release: name, namespace: session.namespace } as const;
  const run = (): Promise<TestResult> => testRelease(options, session);
  const result = await withReport({ file: flags.report, subject }, context, run, ({ failure }) => failure);
  session.reporter.finish(outcomeOf(result.failure));
  const colors = helmColors(session.settings, context.io);
  context.io.stdout.write(releaseText(result.release, { hideNotes: true, colors, io: context.io }), colors.kind);
  if (options.logs === true) {
    const texts = result.logs.map(({ pod, container, text }) => `POD LOGS: ${pod} (${container})\n${text}\n`);
    context.io.stdout.write(`\n${texts.join('')}`);
  }
  if (result.failure !== undefined) throw result.failure;
}

const outcomeOf = (failure: unknown): Outcome =>
  failure === undefined ? { kind: 'succeeded' } : { kind: 'failed', failure, text: errorText(failure) };

const notName = /^!\s?name=/;

/** `name=a` and `!name=b`; anything else is no filter, as in Helm. */
function readFilters(filters: readonly string[]): Pick<TestOptions, 'include' | 'exclude'> {
  return {
    include: filters.filter((filter) => filter.startsWith('name=')).map((filter) => filter.slice('name='.length)),
    exclude: filters.filter((filter) => notName.test(filter)).map((filter) => filter.replace(notName, '')),
  };
}
