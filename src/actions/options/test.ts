import { failureFlags } from '../../change/deploy/deploy-options.ts';
import { type LogChoice, logsFlag } from '../../change/deploy/logs-option.ts';
import { type LockOptions, lockFlags, timeoutFlag } from '../../change/lock-options.ts';
import type { FlagRows } from '../../change/option-rows.ts';

export interface TestOptions extends LockOptions {
  readonly name: string;
  /** Only the tests of these names. Default: all. */
  readonly include?: readonly string[] | undefined;
  /** Not the tests of these names. */
  readonly exclude?: readonly string[] | undefined;
  /**
   * `true` fetches the logs of the test pods before they are deleted. A label selector, names such as `Pod/smoke`, or
   * `all` reports the lines of these pods while they run instead (events `log-line`). Default false.
   */
  readonly logs?: LogChoice | undefined;
  /** Waits that cannot succeed end before their time. Default true. */
  readonly failFast?: boolean | undefined;
  /** How long what is likely dead may go on without progress. Default 30 seconds. */
  readonly graceMs?: number | undefined;
}

/** Alone it is Helm's. */
export const testLogsFlag = {
  logs: {
    ...logsFlag.logs,
    description:
      'dump the logs from test pods (this runs after all tests are complete, but before any cleanup); with a value, show the lines while the tests run instead: of all of them (all), of those that match a label selector, or of objects (Pod/smoke)',
  },
} satisfies FlagRows<Pick<TestOptions, 'logs'>>;

/** The flags of its options. */
export const testFlags = {
  ...failureFlags,
  ...lockFlags,
  ...testLogsFlag,
  ...timeoutFlag,
} satisfies FlagRows<TestOptions>;
