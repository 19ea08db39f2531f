import { Command } from 'commander';
import { type DriftOptions, driftFlags } from '../../actions/options/readings.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { endWithChanges, exitCodeFlags } from '../flags/exit-code-flags.ts';
import { flagCommand, type Request } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { kindOf } from '../terminal/io.ts';

const ownFlags = {
  ...exitCodeFlags,
  ...outputFlag,
} satisfies Record<string, FlagSpec>;

const flagsOfCommand = { ...driftFlags, ...ownFlags };

export const command = (context: CliContext, run = runDrift): Command =>
  flagCommand('drift', flagsOfCommand, { usage: 'RELEASE_NAME [flags]', words: { exactly: 1 } }, ([name = ''], flags) =>
    run({ options: { ...optionsOf(driftFlags, flags), name }, flags }, context),
  ).description('show where the cluster no longer matches a release, and who changed it');

async function runDrift(
  { options, flags }: Request<DriftOptions, typeof ownFlags>,
  context: CliContext,
): Promise<void> {
  const { drift } = await import('../../actions/drift.ts');
  const found = await drift(options, await context.open(flags));
  const { driftData, driftText } = await import('../../show/changes/drift-text.ts');
  const { formatted } = await import('../terminal/format.ts');
  context.io.stdout.write(
    flags.output === 'table' ? driftText(found) : formatted(driftData(found), flags.output),
    kindOf(flags.output),
  );
  endWithChanges(found.isDrifted, flags, context);
}
