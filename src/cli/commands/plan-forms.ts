import { Command } from 'commander';
import { accessFlags, valueFlags } from '../../actions/options/chart.ts';
import { installFlags } from '../../actions/options/install.ts';
import { rollbackFlags } from '../../actions/options/rollback.ts';
import { uninstallFlags } from '../../actions/options/uninstall.ts';
import { upgradeFlags } from '../../actions/options/upgrade.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { readRevision, requireArguments } from '../flags/arguments.ts';
import { nameFlags, refuseContradictions } from '../flags/chart-flags.ts';
import { addFlags } from '../flags/flags.ts';
import { bringFlags, formFlags, type PlanFormRequest } from '../saved-plan/plan-request.ts';
import type { GlobalFlags } from '../settings.ts';

/*
 * `tshelm plan install|upgrade|rollback|uninstall` takes the command line of the command itself, and stops when the plan is
 * decided: it is shown, saved, or both.
 */

const { 'hide-secret': _ofInstall, ...installOptionFlags } = installFlags;
const { 'hide-secret': _ofUpgrade, ...upgradeOptionFlags } = upgradeFlags;
const { 'dry-run': _dryRun, ...uninstallOptionFlags } = uninstallFlags;

const ofInstall = { ...installOptionFlags, ...nameFlags, ...valueFlags, ...accessFlags, ...bringFlags, ...formFlags };
const ofUpgrade = { ...upgradeOptionFlags, ...valueFlags, ...accessFlags, ...bringFlags, ...formFlags };
const ofRollback = { ...rollbackFlags, ...formFlags };
const ofUninstall = { ...uninstallOptionFlags, ...formFlags };

export type RunForm = (request: PlanFormRequest, context: CliContext) => Promise<void>;

export const runForm: RunForm = async (request, context) =>
  (await import('../saved-plan/plan.ts')).runPlanForm(request, context);

export const planInstallForm = (context: CliContext, run: RunForm): Command =>
  addFlags(new Command('install'), ofInstall)
    .description('plan an install as it would run now')
    .argument('[words...]')
    .usage('[NAME] [CHART] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { atLeast: 1 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof ofInstall>>();
      refuseContradictions(flags);
      const [naming, options] = [optionsOf(nameFlags, flags), optionsOf(installOptionFlags, flags)];
      await run({ action: 'install', words, naming, options, ...given(flags), flags }, context);
    });

export const planUpgradeForm = (context: CliContext, run: RunForm): Command =>
  addFlags(new Command('upgrade'), ofUpgrade)
    .description('plan an upgrade as it would run now')
    .argument('[words...]')
    .usage('[RELEASE] [CHART] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 2 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof ofUpgrade>>();
      refuseContradictions(flags);
      const options = optionsOf(upgradeOptionFlags, flags);
      await run({ action: 'upgrade', words, naming: {}, options, ...given(flags), flags }, context);
    });

const given = (flags: FlagsOf<typeof valueFlags & typeof accessFlags>) => ({
  values: optionsOf(valueFlags, flags),
  access: optionsOf(accessFlags, flags),
});

/** Of an action that brings no chart. */
const nothing = { naming: {}, values: {}, access: {} };

export const planRollbackForm = (context: CliContext, run: RunForm): Command =>
  addFlags(new Command('rollback'), ofRollback)
    .description('plan a rollback as it would run now')
    .argument('[words...]')
    .usage('<RELEASE> [REVISION] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { atLeast: 1 });
      requireArguments(command, words, { atMost: 2 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof ofRollback>>();
      refuseContradictions(flags);
      const revision = words[1] === undefined ? undefined : readRevision(words[1]);
      const options = { ...optionsOf(rollbackFlags, flags), revision };
      await run({ action: 'rollback', words: words.slice(0, 1), options, ...nothing, flags }, context);
    });

export const planUninstallForm = (context: CliContext, run: RunForm): Command =>
  addFlags(new Command('uninstall'), ofUninstall)
    .description('plan an uninstall as it would run now')
    .argument('[words...]')
    .usage('RELEASE_NAME [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 1 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof ofUninstall>>();
      refuseContradictions(flags);
      const isGiven = command.getOptionValueSource('cascade') !== 'default';
      const { cascade, ...options } = optionsOf(uninstallOptionFlags, flags);
      const all = isGiven ? { ...options, cascade } : options;
      await run({ action: 'uninstall', words, options: all, ...nothing, flags }, context);
    });
