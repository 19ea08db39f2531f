import type { UpgradeOptions } from '../actions/options/upgrade.ts';
import { chartFlags } from '../change/deploy/deploy-options.ts';
import type { FlagRows } from '../change/option-rows.ts';

/** What a run says for every release, over what the state says: flags of the command line, options of the library. */
export const upgradeOverrideFlags = {
  eager: chartFlags.eager,
  'no-lookup': chartFlags['no-lookup'],
  'skip-crds': chartFlags['skip-crds'],
  'skip-schema-validation': chartFlags['skip-schema-validation'],
  'take-ownership': chartFlags['take-ownership'],
  timeout: { type: 'duration', option: 'timeoutMs', description: 'time to wait for each release, instead of its own' },
  wait: chartFlags.wait,
  'wait-for-jobs': chartFlags['wait-for-jobs'],
} satisfies FlagRows<UpgradeOptions>;
