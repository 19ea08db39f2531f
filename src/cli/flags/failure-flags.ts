import type { FlagSpec } from '../../change/option-rows.ts';

export const reportFlag = {
  report: {
    type: 'string',
    placeholder: 'file',
    description:
      'write a report of the run to this file as JSON; after a failure it has all causes, logs and events found',
  },
} satisfies Record<string, FlagSpec>;
