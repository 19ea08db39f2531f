import type { FlagSpec } from '../../change/option-rows.ts';

/** Whether subcharts that are missing are fetched first. */
export const dependencyUpdateFlag = {
  'dependency-update': {
    type: 'bool',
    description: 'update dependencies if they are missing before installing the chart',
  },
} satisfies Record<string, FlagSpec>;

/** Whether anything may be fetched. */
export const offlineFlag = {
  offline: { type: 'bool', description: 'download nothing: use the caches, and list what is missing there' },
} satisfies Record<string, FlagSpec>;
