import type { DeployOptions } from '../../change/deploy/deploy-options.ts';
import type { FlagSpec } from './flag-option.ts';
import type { FlagRows } from './flag-rows.ts';

/** How failures are noticed; for the commands that wait for something. */
export const failureFlags = {
  grace: {
    type: 'duration',
    option: 'graceMs',
    default: 30_000,
    description:
      'how long pods that crash, cannot pull their image or miss their deadline may make no progress before the wait fails (default 30s)',
  },
  'no-fail-fast': {
    type: 'bool',
    option: 'failFast',
    as: (waitsToTheEnd) => !waitsToTheEnd,
    description: 'wait until --timeout even for objects that cannot become ready',
  },
} satisfies FlagRows<Pick<DeployOptions, 'graceMs' | 'failFast'>>;

export const reportFlag = {
  report: {
    type: 'string',
    placeholder: 'file',
    description:
      'write a report of the run to this file as JSON; after a failure it has all causes, logs and events found',
  },
} satisfies Record<string, FlagSpec>;
