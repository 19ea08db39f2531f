import { readAssumed } from '../../actions/rehearsal/assumptions.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { planFlags } from '../../stack/option-flags.ts';
import type { StackRehearsal } from '../../stack/rehearsed.ts';
import { type RehearsedStack, rehearseStack } from '../../stack/work/rehearse.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { rehearsalColumns } from '../output/rehearsal-text.ts';
import { kindOf } from '../terminal/io.ts';
import type { stackRehearseFlags } from './change-flags.ts';
import type { StackFlags } from './flags.ts';
import { openWork, runOptionsOf } from './open-work.ts';

type RehearseFlags = StackFlags & FlagsOf<typeof stackRehearseFlags>;

/** Prints how a run over the graph would go. Errors: `rehearsal-failed` for a failure that nobody asked for, as of rehearseStack. */
export async function runStackRehearse(flags: RehearseFlags, context: CliContext): Promise<void> {
  const { work } = await openWork('rehearse', flags, optionsOf(planFlags, flags), context);
  const rehearsed = await rehearseStack(work, {
    ...runOptionsOf(flags),
    failFast: flags.failFast,
    live: flags.live,
    assumed: readAssumed(flags.assume ?? new Map()),
    fail: flags.fail,
    now: context.io.now(),
    signal: context.signal,
    namespace: () => context.namespace(flags),
  });
  context.io.stdout.write(
    context.secrets.redact(await outputText(rehearsed.whole, flags, context)),
    flags.output === 'table' ? 'folded' : kindOf(flags.output),
  );
  reportProblems(rehearsed, flags, context);
}

async function outputText(whole: StackRehearsal, { output }: RehearseFlags, { io }: CliContext): Promise<string> {
  if (output === 'table') {
    const { stackRehearsalText } = await import('../output/stack-rehearsal.ts');
    return stackRehearsalText(whole, rehearsalColumns(io.stdout));
  }
  if (output === 'html') return (await import('../output/stack-rehearsal.ts')).stackRehearsalPage(whole);
  const { stackRehearsalData } = await import('../../stack/rehearsed-data.ts');
  const { formatted } = await import('../terminal/format.ts');
  return formatted(stackRehearsalData(whole), output);
}

/** What was said and came to nothing; what failed and was not said to. Errors: `rehearsal-failed`. */
function reportProblems(
  { idleAssumptions, isFailIdle, unexpectedFailures }: RehearsedStack,
  { fail }: RehearseFlags,
  { io }: CliContext,
): void {
  for (const workload of idleAssumptions)
    io.stderr.write(`warning: --assume ${workload}: no release has such a workload\n`, 'folded');
  if (isFailIdle)
    io.stderr.write(
      `warning: ${fail} did not fail: the run does not start any of it, or does not wait for it\n`,
      'folded',
    );
  if (unexpectedFailures.length === 0) return;
  const lines = unexpectedFailures.map(({ id, message }) => `  ${id}: ${message}`);
  throw new TshelmError('rehearsal-failed', { message: `the rehearsal failed:\n${lines.join('\n')}` });
}
