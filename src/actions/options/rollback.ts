import {
  chartFlags,
  type DeployOptions,
  failureFlags,
  orderFlags,
  preflightFlag,
  strictPlanFlag,
  takeFieldsFlag,
  waitFlag,
} from '../../change/deploy/deploy-options.ts';
import { logsFlag } from '../../change/deploy/logs-option.ts';
import { replaceFlags } from '../../change/deploy/replace-options.ts';
import { type RevisionOptions, revisionFlags } from '../../change/deploy/revision-options.ts';
import { lockFlags, timeoutFlag } from '../../change/lock-options.ts';
import type { FlagRows } from '../../change/option-rows.ts';

export interface RollbackOptions extends DeployOptions, RevisionOptions {
  readonly name: string;
  /** The revision to restore. Default 0: the one before the last. */
  readonly revision?: number | undefined;
  /** Deletes what a failed rollback created. Default false. */
  readonly cleanupOnFail?: boolean | undefined;
}

/** The flags that are a rollback's options; diff has them too. */
export const rollbackFlags = {
  'cleanup-on-fail': {
    type: 'bool',
    option: 'cleanupOnFail',
    description: 'allow deletion of new resources created in this rollback when rollback fails',
  },
  description: {
    type: 'string',
    option: 'description',
    description: 'add a custom description for the rollback (max 256 characters)',
  },
  ...failureFlags,
  force: chartFlags.force,
  'force-conflicts': chartFlags['force-conflicts'],
  'force-replace': chartFlags['force-replace'],
  ...revisionFlags,
  ...lockFlags,
  ...logsFlag,
  ...replaceFlags,
  'no-hooks': { type: 'bool', option: 'noHooks', description: 'prevent hooks from running during rollback' },
  ...orderFlags,
  ...preflightFlag,
  'status-grace': chartFlags['status-grace'],
  ...strictPlanFlag,
  ...takeFieldsFlag,
  ...timeoutFlag,
  ...waitFlag,
  'wait-for-jobs': chartFlags['wait-for-jobs'],
} satisfies FlagRows<RollbackOptions>;
