import type { UpgradeOptions } from '../../actions/upgrade.ts';
import { chartFlags, hideSecretFlag } from './chart-flags.ts';
import { failureFlags } from './failure-flags.ts';
import type { FlagRows } from './flag-rows.ts';
import { lockFlags } from './flags.ts';
import { recordFlags } from './record-flags.ts';
import { historyMaxFlag, serverSideFlag } from './revision-flags.ts';

/** The flags that are an upgrade's options; diff and stacks have them too. */
export const upgradeFlags = {
  ...chartFlags,
  'cleanup-on-fail': {
    type: 'bool',
    option: 'cleanupOnFail',
    description: 'allow deletion of new resources created in this upgrade when upgrade fails',
  },
  ...failureFlags,
  ...hideSecretFlag,
  ...historyMaxFlag,
  install: {
    type: 'bool',
    option: 'install',
    short: 'i',
    description: "if a release by this name doesn't already exist, run an install",
  },
  ...lockFlags,
  ...recordFlags,
  'reset-then-reuse-values': {
    type: 'bool',
    option: 'resetThenReuseValues',
    description:
      "when upgrading, reset the values to the ones built into the chart, apply the last release's values and merge in any overrides from the command line via --set and -f. If '--reset-values' or '--reuse-values' is specified, this is ignored",
  },
  'reset-values': {
    type: 'bool',
    option: 'resetValues',
    description: 'when upgrading, reset the values to the ones built into the chart',
  },
  resume: {
    type: 'bool',
    option: 'resume',
    description:
      'resume a failed install or upgrade after the last hook and batch that it finished; chart and values must be the same',
  },
  'reuse-values': {
    type: 'bool',
    option: 'reuseValues',
    description:
      "when upgrading, reuse the last release's values and merge in any overrides from the command line via --set and -f. If '--reset-values' is specified, this is ignored",
  },
  ...serverSideFlag,
} satisfies FlagRows<UpgradeOptions>;
