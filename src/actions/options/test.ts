import { failureFlags } from '../../change/deploy/deploy-options.ts';
import { type LockOptions, lockFlags, timeoutFlag } from '../../change/lock-options.ts';
import type { FlagRows } from '../../change/option-rows.ts';

export interface TestOptions extends LockOptions {
  readonly name: string;
  /** Only the tests of these names. Default: all. */
  readonly include?: readonly string[] | undefined;
  /** Not the tests of these names. */
  readonly exclude?: readonly string[] | undefined;
  /** Fetches the logs of the test pods before they are deleted. Default false. */
  readonly logs?: boolean | undefined;
  /** Waits that cannot succeed end before their time. Default true. */
  readonly failFast?: boolean | undefined;
  /** How long what is likely dead may go on without progress. Default 30 seconds. */
  readonly graceMs?: number | undefined;
}

/** The flags of its options. */
export const testFlags = {
  ...failureFlags,
  ...lockFlags,
  logs: {
    type: 'bool',
    option: 'logs',
    description: 'dump the logs from test pods (this runs after all tests are complete, but before any cleanup)',
  },
  ...timeoutFlag,
} satisfies FlagRows<TestOptions>;
