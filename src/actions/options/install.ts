import type { ApplyMode } from '../../change/deploy/apply-method.ts';
import { type ChartOptions, chartFlags, failureFlags, recordFlags } from '../../change/deploy/deploy-options.ts';
import { logsFlag } from '../../change/deploy/logs-option.ts';
import { lockFlags } from '../../change/lock-options.ts';
import type { FlagRows } from '../../change/option-rows.ts';

export interface InstallOptions extends ChartOptions {
  readonly name: string;
  /** Takes over the name of a release that failed or was uninstalled with its history kept. Default false. */
  readonly replace?: boolean | undefined;
  /** Server-side apply (`true`, and here `auto` too) or client-side apply (`false`). Default true. */
  readonly serverSide?: ApplyMode | undefined;
}

/** The flags that are an install's options; plan has them too. */
export const installFlags = {
  ...chartFlags,
  ...failureFlags,
  ...lockFlags,
  ...logsFlag,
  ...recordFlags,
  replace: {
    type: 'bool',
    option: 'replace',
    description:
      'reuse the given name, only if that name is a deleted release which remains in the history. This is unsafe in production',
  },
  'server-side': {
    type: 'bool',
    option: 'serverSide',
    default: true,
    description: 'object updates run in the server instead of the client (default true)',
  },
} satisfies FlagRows<InstallOptions>;
