import { Command } from 'commander';
import { type DriftOptions, driftFlags } from '../../actions/options/readings.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type Request } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { saveFlags } from '../flags/saved-plan-flags.ts';
import { kindOf } from '../terminal/io.ts';

const ownFlags = {
  ...saveFlags,
  'exit-code': {
    type: 'bool',
    description: 'exit with code 2 if something has drifted, 0 if nothing has, and 1 on failure',
  },
  fix: {
    type: 'bool',
    description:
      'show what would bring the drifted objects back to what the release says, ask, and do it; with --out, save it as a plan for tshelm apply',
  },
  yes: { type: 'bool', description: 'with --fix, do not ask' },
  ...outputFlag,
} satisfies Record<string, FlagSpec>;

const flagsOfCommand = { ...driftFlags, ...ownFlags };

export type DriftRequest = Request<DriftOptions, typeof ownFlags>;

const runs = { drift: runDrift, fix: runFix };

export const command = (context: CliContext, run = runs): Command =>
  flagCommand(
    'drift',
    flagsOfCommand,
    { usage: 'RELEASE_NAME [flags]', words: { exactly: 1 } },
    async ([name = ''], flags) => {
      refuseContradictions(flags);
      const request = { options: { ...optionsOf(driftFlags, flags), name }, flags };
      await (flags.fix ? run.fix : run.drift)(request, context);
    },
  ).description('show where the cluster no longer matches a release, and who changed it; --fix brings it back');

/** Errors: `bad-flag`. */
function refuseContradictions({ fix, yes, out, encryptTo, signKey }: DriftRequest['flags']): void {
  const ofPlan = [out && '--out', encryptTo && '--encrypt-to', signKey && '--sign-key', yes && '--yes'];
  const idle = ofPlan.find((name) => name !== undefined && name !== '' && name !== false);
  if (!fix && idle) throw new TshelmError('bad-flag', { message: `${idle} needs --fix` });
  if (yes && out !== undefined)
    throw new TshelmError('bad-flag', { message: '--out saves the plan, and --yes carries it out: give one of them' });
}

async function runDrift({ options, flags }: DriftRequest, context: CliContext): Promise<void> {
  const { drift } = await import('../../actions/drift.ts');
  const found = await drift(options, await context.open(flags));
  const { driftData, driftText } = await import('../../show/changes/drift-text.ts');
  const { formatted } = await import('../terminal/format.ts');
  context.io.stdout.write(
    flags.output === 'table' ? driftText(found) : formatted(driftData(found), flags.output),
    kindOf(flags.output),
  );
  if (flags.exitCode && found.isDrifted) context.endWith(2);
}

async function runFix(request: DriftRequest, context: CliContext): Promise<void> {
  await (await import('../saved-plan/fix.ts')).runFix(request, context);
}
