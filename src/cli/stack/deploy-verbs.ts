import { logsFlag } from '../../change/deploy/logs-option.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { planFlags } from '../../stack/option-flags.ts';
import { deployStack, destroyStack } from '../../stack/work/deploy.ts';
import type { CliContext } from '../context.ts';
import { type deployFlags, type destroyFlags, destroyOptionFlags } from './change-flags.ts';
import type { StackFlags } from './flags.ts';
import { openWork, runOptionsOf } from './open-work.ts';

type DeployFlags = StackFlags & FlagsOf<typeof deployFlags>;

/** Every release is upgraded, whether something of it changes or not. */
export const runSync = (flags: DeployFlags, context: CliContext): Promise<void> => deploy('sync', flags, context);

/** Only releases of which something changes are upgraded. */
export const runApply = (flags: DeployFlags, context: CliContext): Promise<void> => deploy('apply', flags, context);

async function deploy(command: 'sync' | 'apply', flags: DeployFlags, context: CliContext): Promise<void> {
  const { work, progress } = await openWork(command, flags, optionsOf(planFlags, flags), context);
  const { failFast, resume } = flags;
  const run = runOptionsOf(flags);
  const overrides = { ...run.overrides, ...optionsOf(logsFlag, flags) };
  await deployStack(work, { ...run, overrides, failFast, resume });
  progress.finish();
}

type DestroyFlags = StackFlags & FlagsOf<typeof destroyFlags>;

/** Uninstalls all releases, each after those that need it. */
export async function runDestroy(flags: DestroyFlags, context: CliContext): Promise<void> {
  const { work, progress } = await openWork('destroy', flags, optionsOf(planFlags, flags), context);
  const { concurrency, failFast } = flags;
  await destroyStack(work, { concurrency, failFast, overrides: optionsOf(destroyOptionFlags, flags) });
  progress.finish();
}
