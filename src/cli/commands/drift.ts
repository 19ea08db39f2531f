import { Command } from 'commander';
import { driftFlags } from '../../actions/options/readings.ts';
import { optionsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { endWithChanges } from '../flags/exit-code-flags.ts';
import { flagCommand } from '../flags/flag-command.ts';
import { keepQuiet } from '../flags/progress-flags.ts';
import { type DriftRequest, driftOwnFlags, refuseIdleFixFlags } from '../saved-plan/drift-request.ts';
import { tableFitting } from '../terminal/fitted-table.ts';
import { kindOf } from '../terminal/io.ts';

const flagsOfCommand = { ...driftFlags, ...driftOwnFlags };

const runs = { drift: runDrift, fix: runFix };

export const command = (context: CliContext, run = runs): Command =>
  flagCommand(
    'drift',
    flagsOfCommand,
    { usage: 'RELEASE_NAME [flags]', words: { exactly: 1 } },
    async ([name = ''], flags) => {
      const request = { options: { ...optionsOf(driftFlags, flags), name }, flags };
      await (flags.fix ? run.fix : run.drift)(request, context);
    },
  ).description('show where the cluster no longer matches a release, and who changed it; --fix brings it back');

async function runDrift({ options, flags }: DriftRequest, context: CliContext): Promise<void> {
  refuseIdleFixFlags(flags);
  keepQuiet(flags, context);
  const { drift } = await import('../../actions/drift.ts');
  const found = await drift(options, await context.open(flags));
  const { driftData, driftText } = await import('../../show/changes/drift-text.ts');
  const { formatted } = await import('../terminal/format.ts');
  context.io.stdout.write(
    flags.output === 'table' ? driftText(found, tableFitting(context.io)) : formatted(driftData(found), flags.output),
    kindOf(flags.output),
  );
  endWithChanges(found.isDrifted, flags, context);
}

async function runFix(request: DriftRequest, context: CliContext): Promise<void> {
  refuseIdleFixFlags(request.flags);
  keepQuiet(request.flags, context);
  await (await import('../saved-plan/fix.ts')).runFix(request, context);
}
