import type { FlagSpec } from '../../change/option-rows.ts';

export const assumeFlag = {
  assume: {
    type: 'stringToString',
    description:
      "how long workloads take: Deployment=30s, deployment/web=1m, or '*=5s' (can specify multiple or separate with commas)",
  },
} satisfies Record<string, FlagSpec>;
