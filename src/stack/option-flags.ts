import { accessFlags, signerFlags, trustPolicyFlag, verifyFlag } from '../actions/options/chart.ts';
import type { UpgradeOptions } from '../actions/options/upgrade.ts';
import { chartFlags } from '../change/deploy/deploy-options.ts';
import type { FlagRows } from '../change/option-rows.ts';
import type { TrustOptions } from '../source/chart-access.ts';
import type { NeedsOptions } from './choose.ts';
import type { StackPlanOptions } from './plan-stack.ts';

/** What a run says for every release, over what the state says: flags of the command line, options of the library. */
export const upgradeOverrideFlags = {
  eager: chartFlags.eager,
  'no-lookup': chartFlags['no-lookup'],
  'replace-immutable': chartFlags['replace-immutable'],
  'skip-crds': chartFlags['skip-crds'],
  'skip-schema-validation': chartFlags['skip-schema-validation'],
  'take-ownership': chartFlags['take-ownership'],
  timeout: {
    type: 'duration',
    option: 'timeoutMs',
    description: 'timeout for each release, overriding its own timeout',
  },
  wait: chartFlags.wait,
  'wait-for-jobs': chartFlags['wait-for-jobs'],
} satisfies FlagRows<UpgradeOptions>;

/** What charts that are fetched must prove, over what the state files say. */
export const stackTrustFlags = {
  keyring: accessFlags.keyring,
  ...signerFlags,
  ...trustPolicyFlag,
  verify: verifyFlag('verify the charts that are fetched'),
} satisfies FlagRows<TrustOptions>;

export const needsFlags = {
  'include-needs': {
    type: 'bool',
    option: 'includeNeeds',
    description: 'also choose the releases that the chosen ones need',
  },
  'include-transitive-needs': {
    type: 'bool',
    option: 'includeTransitiveNeeds',
    description: 'also choose the releases that the chosen ones need, directly or not',
  },
  'skip-needs': {
    type: 'bool',
    option: 'skipNeeds',
    description: 'leave out needed releases that the selectors do not choose',
  },
} satisfies FlagRows<NeedsOptions>;

export const planFlags = {
  ...needsFlags,
  'file-order': {
    type: 'bool',
    option: 'fileOrder',
    description: 'each file waits for those before it, as in helmfile; by default, releases only wait for their needs',
  },
} satisfies FlagRows<StackPlanOptions>;
