import { type ChartOptions, chartFlags, failureFlags, recordFlags } from '../../change/deploy/deploy-options.ts';
import { logsFlag } from '../../change/deploy/logs-option.ts';
import { replaceFlags } from '../../change/deploy/replace-options.ts';
import type { ValuesReuse } from '../../change/deploy/reused-values.ts';
import { type RevisionOptions, revisionFlags } from '../../change/deploy/revision-options.ts';
import { lockFlags } from '../../change/lock-options.ts';
import type { FlagRows } from '../../change/option-rows.ts';

export interface UpgradeOptions extends ChartOptions, RevisionOptions, ValuesReuse {
  readonly name: string;
  /** Installs the release when there is none, or when it was uninstalled. Default false. */
  readonly install?: boolean | undefined;
  /** Told before that install begins. */
  readonly onInstall?: (() => void) | undefined;
  /** Goes on with a revision that failed, after the last hook and batch that it finished. Default false. */
  readonly resume?: boolean | undefined;
  /** Changes nothing, and records no revision, where the release is already as it would be. Default false. */
  readonly skipUnchanged?: boolean | undefined;
  /** Deletes what a failed upgrade created. Default false. */
  readonly cleanupOnFail?: boolean | undefined;
}

/** The flags that are an upgrade's options; diff and stacks have them too. */
export const upgradeFlags = {
  ...chartFlags,
  'cleanup-on-fail': {
    type: 'bool',
    option: 'cleanupOnFail',
    description: 'allow deletion of new resources created in this upgrade when upgrade fails',
  },
  ...failureFlags,
  ...revisionFlags,
  install: {
    type: 'bool',
    option: 'install',
    short: 'i',
    description: "if a release by this name doesn't already exist, run an install",
  },
  ...lockFlags,
  ...logsFlag,
  ...recordFlags,
  replace: replaceFlags.replace,
  'allow-data-loss': replaceFlags['allow-data-loss'],
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
  'skip-unchanged': {
    type: 'bool',
    option: 'skipUnchanged',
    description:
      'do nothing if chart, values and labels are those of the deployed revision and every object in the cluster is still as its manifest says',
  },
} satisfies FlagRows<UpgradeOptions>;
