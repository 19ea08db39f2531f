import type { ChartInputs } from '../../actions/options/chart.ts';
import { healthFlag } from '../../actions/options/health.ts';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import { reportFlag } from '../flags/failure-flags.ts';
import { outputFlag } from '../flags/flags.ts';
import { progressFlags, quietFlag } from '../flags/progress-flags.ts';
import { openFlags } from '../flags/saved-plan-flags.ts';
import { offlineFlag } from '../flags/source-flags.ts';
import type { GlobalFlags } from '../settings.ts';

export const applyOwnFlags = {
  ...outputFlag,
  ...progressFlags,
  ...quietFlag,
  ...reportFlag,
  ...healthFlag,
  ...openFlags,
  ...offlineFlag,
  allow: {
    type: 'stringArray',
    placeholder: 'object',
    description:
      'apply even if this object has changed since the plan was made, and take over the fields that the plan sets: Deployment/web or NAMESPACE/Deployment/web (can specify multiple)',
  },
  concurrency: {
    type: 'int',
    default: 8,
    description: 'for the plan of a stack: number of releases at a time (default 8)',
  },
  release: {
    type: 'stringArray',
    placeholder: 'release',
    description:
      'for a stack plan: apply only this release, named as in the needs of a release (can specify multiple); the releases it needs are assumed to be done',
  },
  'hide-notes': { type: 'bool', description: 'if set, do not show notes in the output' },
} satisfies Record<string, FlagSpec>;

export interface ApplyRequest extends ChartInputs {
  readonly path: string;
  readonly flags: GlobalFlags & FlagsOf<typeof applyOwnFlags>;
}
