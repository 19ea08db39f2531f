import { Command } from 'commander';
import { checkUninstallName, type UninstallOptions, uninstallFlags } from '../../actions/options/uninstall.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { isValidReleaseName } from '../../release/name.ts';
import { TshelmError } from '../../support/errors.ts';
import { shellWord } from '../../support/text.ts';
import { beforeRun, carryOut } from '../before-run.ts';
import type { CliContext } from '../context.ts';
import { refuseContradictions } from '../flags/chart-flags.ts';
import { reportFlag } from '../flags/failure-flags.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { keepQuiet, progressFlags, progressRequest, quietFlag } from '../flags/progress-flags.ts';

const ownFlags = { ...progressFlags, ...quietFlag, ...reportFlag };
const flagsOfCommand = { ...uninstallFlags, ...ownFlags };

export interface UninstallRequest {
  readonly names: readonly string[];
  readonly options: Omit<UninstallOptions, 'name'>;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runUninstall): Command =>
  flagCommand(
    'uninstall',
    flagsOfCommand,
    { usage: 'RELEASE_NAME [...] [flags]', words: { atLeast: 1 } },
    async (names, flags, command) => {
      refuseContradictions(flags);
      refuseInvalidNames(names, flags);
      const options = optionsOf(uninstallFlags, flags);
      // Where it was not given, an order decides.
      const isGiven = command.getOptionValueSource('cascade') !== 'default';
      await run({ names, options: isGiven ? options : { ...options, cascade: undefined }, flags }, context);
    },
  )
    .aliases(['del', 'delete', 'un'])
    .description('uninstall a release');

/**
 * Before anything is uninstalled. A word that is no name is, behind `--keep-objects`, the value of that flag without its `=`.
 * Errors: `bad-flag`, `invalid-release-name`.
 */
function refuseInvalidNames(names: readonly string[], { keepObjects }: FlagsOf<typeof uninstallFlags>): void {
  const detached = names.find((name) => !isValidReleaseName(name));
  if (detached !== undefined && keepObjects?.includes(uninstallFlags['keep-objects'].alone) === true)
    throw new TshelmError('bad-flag', {
      message: `${JSON.stringify(detached)} is not the name of a release; a value of --keep-objects follows "=": --keep-objects=${shellWord(detached)}`,
    });
  names.forEach(checkUninstallName);
}

async function runUninstall({ names, options, flags }: UninstallRequest, context: CliContext): Promise<void> {
  keepQuiet(flags, context);
  const { uninstall } = await import('../../actions/uninstall.ts');
  const progress = progressRequest(flags, { isDryRun: options.dryRun });
  const session = await beforeRun({ command: 'uninstall', release: names.join(' '), progress }, flags, context, () =>
    context.open(flags, { progress }),
  );
  for (const name of names) {
    const run = { command: 'uninstall', release: name } as const;
    const result = await carryOut(run, flags, { session, context }, () => uninstall({ ...options, name }, session));
    if (result.info !== '') context.io.stdout.write(`${result.info}\n`);
    context.io.stdout.write(`release "${name}" uninstalled\n`);
  }
}
