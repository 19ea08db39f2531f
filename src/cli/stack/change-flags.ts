import { healthFlag } from '../../actions/options/health.ts';
import { ignoreFlag, showSecretsFlag } from '../../actions/options/readings.ts';
import { type TestOptions, testLogsFlag } from '../../actions/options/test.ts';
import type { UninstallOptions } from '../../actions/options/uninstall.ts';
import { chartFlags } from '../../change/deploy/deploy-options.ts';
import { logsFlag } from '../../change/deploy/logs-option.ts';
import type { FlagRows, FlagSpec } from '../../change/option-rows.ts';
import { needsFlags, planFlags, stackTrustFlags, upgradeOverrideFlags } from '../../stack/option-flags.ts';
import { diffFlags } from '../flags/diff-flags.ts';
import { exitCodeFlags } from '../flags/exit-code-flags.ts';
import { drawnOutputFlag, formatFlag, outputFlag } from '../flags/flags.ts';
import { progressFlags } from '../flags/progress-flags.ts';
import { assumeFlag } from '../flags/rehearsal-flags.ts';
import { saveFlags } from '../flags/saved-plan-flags.ts';
import { fixFlags } from '../saved-plan/drift-request.ts';
import { releaseValueFlags } from './show-flags.ts';

export const stackProgressFlags = progressFlags;

export const runFlags = {
  concurrency: { type: 'int', default: 8, description: 'number of releases at a time (default 8)' },
  'fail-fast': { type: 'bool', description: 'do not start any more releases after the first failure' },
} satisfies Record<string, FlagSpec>;

export const recoveryFlags = {
  resume: {
    type: 'bool',
    description:
      'resume a run that failed or was killed: failed releases continue after the last batch they finished; finished releases that have not changed are skipped',
  },
  'rollback-on-failure': {
    type: 'choice',
    placeholder: 'release|stack',
    alone: 'release',
    choices: ['release', 'stack'] as const,
    description:
      "on failure, roll back the failed release ('release', the default without a value), or stop and roll back every release that this run changed ('stack')",
  },
} satisfies Record<string, FlagSpec>;

export const deployFlags = {
  ...planFlags,
  ...runFlags,
  ...upgradeOverrideFlags,
  ...releaseValueFlags,
  ...stackTrustFlags,
  ...recoveryFlags,
  ...logsFlag,
  ...healthFlag,
  ...stackProgressFlags,
};

export const stackRehearseFlags = {
  ...planFlags,
  ...runFlags,
  ...upgradeOverrideFlags,
  ...releaseValueFlags,
  ...stackTrustFlags,
  ...drawnOutputFlag,
  ...assumeFlag,
  ...healthFlag,
  fail: {
    type: 'string',
    description:
      'show what would happen if this failed: a release (shop/web), or a workload or hook of one (shop/web:job/migrate); shop/web=image-pull says how it fails',
  },
  live: {
    type: 'bool',
    description:
      'read the cluster: existing releases are upgraded, and their history says how long their workloads take (default: every release is new)',
  },
} satisfies Record<string, FlagSpec>;

/** What `stack plan` decides with; a saved plan keeps them. */
export const stackDecideFlags = { ...planFlags, ...upgradeOverrideFlags, ...releaseValueFlags, ...stackTrustFlags };

export const stackPlanFlags = {
  ...stackDecideFlags,
  ...saveFlags,
  concurrency: runFlags.concurrency,
  ...formatFlag('plan', ['tree', 'json', 'yaml', 'dot', 'mermaid', 'markdown'], {
    markdown: 'a comment for a pull request, with the diff',
  }),
} satisfies Record<string, FlagSpec>;

export const stackExportFlags = {
  ...planFlags,
  jobs: {
    type: 'int',
    description: 'distribute the releases over at most this many jobs (default: one job for each release)',
  },
  to: {
    type: 'choice',
    placeholder: 'engine',
    choices: ['gitlab-ci', 'github-actions', 'argo-workflows'] as const,
    description: 'the CI engine to write the jobs for. Allowed values: gitlab-ci, github-actions, argo-workflows',
  },
  'with-plan': {
    type: 'bool',
    description: 'the first job saves a plan of all releases, and each other job applies its part of that plan',
  },
} satisfies Record<string, FlagSpec>;

export const destroyOptionFlags = {
  cascade: {
    type: 'choice',
    option: 'cascade',
    choices: ['background', 'foreground', 'orphan'] as const,
    description: 'how dependents of deleted objects are deleted: background, foreground, or orphan',
  },
} satisfies FlagRows<UninstallOptions>;

/** What `stack test` has of the flags of `test`. */
export const stackTestOptionFlags = {
  ...testLogsFlag,
  timeout: {
    type: 'duration',
    option: 'timeoutMs',
    description: 'timeout for each test, overriding the timeout of the release',
  },
} satisfies FlagRows<TestOptions>;

export const stackTestFlags = { ...needsFlags, ...runFlags, ...stackTestOptionFlags, ...stackProgressFlags };

export const stackDriftFlags = {
  ...needsFlags,
  ...fixFlags,
  ...outputFlag,
  concurrency: runFlags.concurrency,
  ...ignoreFlag,
  ...showSecretsFlag,
} satisfies Record<string, FlagSpec>;

export const destroyFlags = { ...planFlags, ...runFlags, ...destroyOptionFlags, ...stackProgressFlags };

export const stackDiffFlags = {
  ...needsFlags,
  ...releaseValueFlags,
  ...stackTrustFlags,
  ...showSecretsFlag,
  concurrency: runFlags.concurrency,
  context: diffFlags.context,
  'no-lookup': chartFlags['no-lookup'],
  ...formatFlag('changes', ['diff', 'markdown'], { markdown: 'a comment for a pull request' }),
  ...exitCodeFlags,
} satisfies Record<string, FlagSpec>;
