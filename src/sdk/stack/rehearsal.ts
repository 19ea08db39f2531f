import { stackRehearsalData } from '../../stack/rehearsed-data.ts';
import { rehearseStack } from '../../stack/work/rehearse.ts';
import { assumedTimes } from '../rehearsal.ts';
import type { GivenStack } from './given.ts';
import type { StackRehearsalReport, StackRehearseOptions } from './options.ts';
import { runOptionsOf, workOf } from './runs.ts';

/** How a run over the graph would go. A failure is in the report. Errors: those of reading the files, `bad-options`. */
export async function rehearsed(given: GivenStack, options: StackRehearseOptions): Promise<StackRehearsalReport> {
  const { session } = given;
  const { live, failFast, assume = {}, fail, signal = new AbortController().signal } = options;
  const { whole, idleAssumptions, isFailIdle } = await rehearseStack(await workOf('rehearse', given, options), {
    ...runOptionsOf(options),
    live,
    failFast,
    fail,
    signal,
    assumed: assumedTimes(assume),
    now: session.clock.now(),
    namespace: async () => session.namespace({}),
  });
  return { ...stackRehearsalData(whole), idleAssumptions, isFailIdle };
}
