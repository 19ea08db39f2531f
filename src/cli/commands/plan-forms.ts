import { Command } from 'commander';
import { accessFlags, chartInputFlags, chartInputs, valueFlags } from '../../actions/options/chart.ts';
import { installFlags } from '../../actions/options/install.ts';
import { rollbackFlags } from '../../actions/options/rollback.ts';
import { uninstallFlags } from '../../actions/options/uninstall.ts';
import { upgradeFlags } from '../../actions/options/upgrade.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { readRevision } from '../flags/arguments.ts';
import { nameFlags, refuseContradictions } from '../flags/chart-flags.ts';
import { flagCommand } from '../flags/flag-command.ts';
import { saveFlags, verifyFlag } from '../flags/saved-plan-flags.ts';
import { bringFlags, formFlags, type PlanFormRequest } from '../saved-plan/plan-request.ts';
import type { ReleasePlanRequest } from '../saved-plan/release-plan.ts';

/*
 * `tshelm plan install|upgrade|rollback|uninstall` takes the command line of the command itself, and stops when the plan is
 * decided: it is shown, saved, or both.
 */

const { 'hide-secret': _ofInstall, ...installOptionFlags } = installFlags;
const { 'hide-secret': _ofUpgrade, 'skip-unchanged': _whenRun, ...upgradeOptionFlags } = upgradeFlags;
const { 'dry-run': _dryRun, ...uninstallOptionFlags } = uninstallFlags;

/** As `plan` itself reads it, which reads the flags of its forms too. */
const serverSideFlag = { 'server-side': upgradeFlags['server-side'] };

const ofInstall = {
  ...installOptionFlags,
  ...serverSideFlag,
  ...nameFlags,
  ...chartInputFlags,
  ...bringFlags,
  ...formFlags,
};
const ofUpgrade = { ...upgradeOptionFlags, ...chartInputFlags, ...bringFlags, ...formFlags };
const ofRollback = { ...rollbackFlags, ...formFlags };
const ofUninstall = { ...uninstallOptionFlags, ...formFlags };

export type RunForm = (request: PlanFormRequest, context: CliContext) => Promise<void>;

export const runForm: RunForm = async (request, context) =>
  (await import('../saved-plan/plan.ts')).runPlanForm(request, context);

export const planInstallForm = (context: CliContext, run: RunForm): Command =>
  flagCommand('install', ofInstall, { usage: '[NAME] [CHART] [flags]', words: { atLeast: 1 } }, async (words, read) => {
    // `plan` itself reads the switch of Helm's install as the objects that an upgrade replaces: ["true"].
    const flags = { ...read, replace: String(read.replace) === 'true' };
    refuseContradictions(flags);
    const [naming, options] = [
      optionsOf(nameFlags, flags),
      optionsOf({ ...installOptionFlags, ...serverSideFlag }, flags),
    ];
    await run({ action: 'install', words, naming, options, ...given(flags), flags }, context);
  }).description('plan an install as it would run now');

export const planUpgradeForm = (context: CliContext, run: RunForm): Command =>
  flagCommand(
    'upgrade',
    ofUpgrade,
    { usage: '[RELEASE] [CHART] [flags]', words: { exactly: 2 } },
    async (words, flags) => {
      refuseContradictions(flags);
      const options = optionsOf(upgradeOptionFlags, flags);
      await run({ action: 'upgrade', words, naming: {}, options, ...given(flags), flags }, context);
    },
  ).description('plan an upgrade as it would run now');

const given = (flags: FlagsOf<typeof valueFlags & typeof accessFlags>) => ({
  ...chartInputs(flags),
});

/** Of an action that brings no chart. */
const nothing = { naming: {}, values: {}, access: {} };

export const planRollbackForm = (context: CliContext, run: RunForm): Command =>
  flagCommand(
    'rollback',
    ofRollback,
    { usage: '<RELEASE> [REVISION] [flags]', words: { atLeast: 1, atMost: 2 } },
    async (words, flags) => {
      refuseContradictions(flags);
      const revision = words[1] === undefined ? undefined : readRevision(words[1]);
      const options = { ...optionsOf(rollbackFlags, flags), revision };
      await run({ action: 'rollback', words: words.slice(0, 1), options, ...nothing, flags }, context);
    },
  ).description('plan a rollback as it would run now');

export const planUninstallForm = (context: CliContext, run: RunForm): Command =>
  flagCommand(
    'uninstall',
    ofUninstall,
    { usage: 'RELEASE_NAME [flags]', words: { exactly: 1 } },
    async (words, flags, command) => {
      refuseContradictions(flags);
      const isGiven = command.getOptionValueSource('cascade') !== 'default';
      const { cascade, ...options } = optionsOf(uninstallOptionFlags, flags);
      const all = isGiven ? { ...options, cascade } : options;
      await run({ action: 'uninstall', words, options: all, ...nothing, flags }, context);
    },
  ).description('plan an uninstall as it would run now');

export type RunRelease = (request: ReleasePlanRequest, context: CliContext) => Promise<void>;

export const runRelease: RunRelease = async (request, context) =>
  (await import('../saved-plan/release-plan.ts')).releasePlan(request, context);

export const planReleaseForm = (context: CliContext, run: RunRelease): Command =>
  flagCommand(
    'release',
    { 'sign-key': { ...saveFlags['sign-key'], description: releaseKeyText }, ...verifyFlag },
    { usage: 'FILE [flags]', words: { exactly: 1 } },
    ([path = ''], flags) => run({ path, flags }, context),
  ).description('release a saved plan, so that those who may apply only released plans can apply it');

const releaseKeyText = 'release the plan with this ed25519 private key (PEM or OpenSSH format)';
