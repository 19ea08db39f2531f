import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import { exitCodeFlags } from '../flags/exit-code-flags.ts';
import { verifyFlag } from '../flags/saved-plan-flags.ts';
import type { GlobalFlags } from '../settings.ts';
import { diffFlag, showFlags } from './plan-request.ts';

export const showPlanFlags = {
  output: {
    ...showFlags.output,
    description:
      'prints the plan in the specified format. Allowed values: tree, json, yaml, dot, mermaid, html, markdown (a comment for a pull request, with the diff)',
  },
  ...diffFlag,
  ...verifyFlag,
  release: { type: 'string', description: 'the release whose plan is shown, if the file has several' },
  ...exitCodeFlags,
} satisfies Record<string, FlagSpec>;

export interface ShowPlanRequest {
  readonly path: string;
  readonly flags: GlobalFlags & FlagsOf<typeof showPlanFlags>;
}
