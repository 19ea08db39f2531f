import type { FlagSpec } from './flag-option.ts';

/** How failures are noticed; for the commands that wait for something. */
export interface FailureFlags {
  readonly grace: number;
  readonly noFailFast?: boolean;
  readonly report?: string;
}

export const failureFlags = {
  grace: {
    type: 'duration',
    default: 30_000,
    description:
      'how long pods that crash, cannot pull their image or miss their deadline may go on without progress before the wait fails (default 30s)',
  },
  'no-fail-fast': {
    type: 'bool',
    description: 'wait for as long as --timeout, even for what cannot become ready',
  },
  report: {
    type: 'string',
    placeholder: 'file',
    description: 'write how it went to this file, as JSON; after a failure with all causes, logs and events found',
  },
} satisfies Record<string, FlagSpec>;

/** The flags as options of the actions. */
export const failureOptions = ({ grace, noFailFast }: FailureFlags) => ({ graceMs: grace, failFast: !noFailFast });
