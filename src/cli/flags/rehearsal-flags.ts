import type { FlagSpec } from '../../change/option-rows.ts';

export const assumeFlag = {
  assume: {
    type: 'stringToString',
    description:
      "how long to assume that workloads take to become ready: Deployment=30s, deployment/web=1m, or '*=5s' (can specify multiple or separate with commas)",
  },
} satisfies Record<string, FlagSpec>;

export const failFlag = {
  fail: {
    type: 'string',
    description:
      'make this fail in the sandbox: a workload or hook (web, job/migrate), a subchart or a group; web=image-pull says how it fails',
  },
} satisfies Record<string, FlagSpec>;
