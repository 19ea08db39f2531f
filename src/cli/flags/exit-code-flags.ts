import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';

/** Of every command that tells whether there is anything to do; the helm-diff plugin and helmfile spell it the second way. */
export const exitCodeFlags = {
  'exit-code': {
    type: 'bool',
    description: 'exit with code 2 if there are changes, 0 if there are none, and 1 on failure',
  },
  'detailed-exitcode': { type: 'bool', hidden: true, description: 'the same as --exit-code' },
} satisfies Record<string, FlagSpec>;

export type ExitCodeFlags = FlagsOf<typeof exitCodeFlags>;

export const wantsExitCode = ({ exitCode, detailedExitcode }: ExitCodeFlags): boolean =>
  exitCode === true || detailedExitcode === true;

/** Says by the exit code that there are changes, where that is asked for. */
export function endWithChanges(hasChanges: boolean, flags: ExitCodeFlags, context: CliContext): void {
  if (hasChanges && wantsExitCode(flags)) context.endWith(2);
}
