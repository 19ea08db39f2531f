import type { UninstallOptions } from '../../actions/uninstall.ts';
import type { UpgradeOptions } from '../../actions/upgrade.ts';
import type { StackPlanOptions } from '../../stack/plan-stack.ts';
import { chartFlags } from '../chart-flags.ts';
import { diffFlags, showSecretsFlag } from '../diff-flags.ts';
import type { FlagSpec } from '../flag-option.ts';
import type { FlagRows } from '../flag-rows.ts';
import { needsFlags } from './flags.ts';
import { releaseValueFlags } from './show-flags.ts';

export const planFlags = {
  ...needsFlags,
  'file-order': {
    type: 'bool',
    option: 'fileOrder',
    description: 'each file waits for those before it, as in helmfile; by default only needs are waited for',
  },
} satisfies FlagRows<StackPlanOptions>;

export const runFlags = {
  concurrency: { type: 'int', default: 8, description: 'releases at a time (default 8)' },
  'fail-fast': { type: 'bool', description: 'after the first failure nothing more is begun' },
} satisfies Record<string, FlagSpec>;

/** What the command line says for every release, over what the state says. */
export const upgradeOverrideFlags = {
  'skip-crds': chartFlags['skip-crds'],
  'skip-schema-validation': chartFlags['skip-schema-validation'],
  'take-ownership': chartFlags['take-ownership'],
  timeout: { type: 'duration', option: 'timeoutMs', description: 'time to wait for each release, over its own' },
  wait: chartFlags.wait,
  'wait-for-jobs': chartFlags['wait-for-jobs'],
} satisfies FlagRows<UpgradeOptions>;

export const resumeFlag = {
  resume: { type: 'bool', description: 'go on with releases that failed, after the last batch that they finished' },
} satisfies Record<string, FlagSpec>;

export const deployFlags = { ...planFlags, ...runFlags, ...upgradeOverrideFlags, ...releaseValueFlags, ...resumeFlag };

export const destroyOptionFlags = {
  cascade: {
    type: 'choice',
    option: 'cascade',
    parse: cascadeMode,
    description: 'how what belongs to objects is deleted: background, foreground, or orphan',
  },
} satisfies FlagRows<UninstallOptions>;

function cascadeMode(text: string): NonNullable<UninstallOptions['cascade']> {
  if (text === 'background' || text === 'foreground' || text === 'orphan') return text;
  throw new Error('must be one of: background, foreground, orphan');
}

export const destroyFlags = { ...planFlags, ...runFlags, ...destroyOptionFlags };

export const stackDiffFlags = {
  ...needsFlags,
  ...releaseValueFlags,
  ...showSecretsFlag,
  concurrency: runFlags.concurrency,
  context: diffFlags.context,
  output: {
    type: 'choice',
    short: 'o',
    placeholder: 'format',
    default: 'diff',
    parse: diffFormat,
    description:
      'prints the changes in the specified format. Allowed values: diff, markdown (a comment for a pull request)',
  },
  'detailed-exitcode': { ...diffFlags['detailed-exitcode'], hidden: false },
} satisfies Record<string, FlagSpec>;

function diffFormat(text: string): string {
  if (text === 'diff' || text === 'markdown') return text;
  throw new Error('must be one of: diff, markdown');
}
