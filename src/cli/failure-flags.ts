import type { DeployOptions } from '../change/deploy/deploy-options.ts';
import type { FlagSpec } from './flag-option.ts';
import type { FlagRows } from './flag-rows.ts';

/** How failures are noticed; for the commands that wait for something. */
export const failureFlags = {
  grace: {
    type: 'duration',
    option: 'graceMs',
    default: 30_000,
    description:
      'how long pods that crash, cannot pull their image or miss their deadline may go on without progress before the wait fails (default 30s)',
  },
  'no-fail-fast': {
    type: 'bool',
    option: 'failFast',
    as: (waitsToTheEnd) => !waitsToTheEnd,
    description: 'wait for as long as --timeout, even for what cannot become ready',
  },
} satisfies FlagRows<Pick<DeployOptions, 'graceMs' | 'failFast'>>;

export const reportFlag = {
  report: {
    type: 'string',
    placeholder: 'file',
    description: 'write how it went to this file, as JSON; after a failure with all causes, logs and events found',
  },
} satisfies Record<string, FlagSpec>;
