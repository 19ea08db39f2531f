import type { TestResult } from '../../actions/test-release.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { needsFlags } from '../../stack/option-flags.ts';
import { testStack } from '../../stack/work/test.ts';
import type { CliContext } from '../context.ts';
import { stackTestFlags, stackTestOptionFlags } from './change-flags.ts';
import type { StackFlags } from './flags.ts';
import { openWork } from './open-work.ts';

type TestVerbFlags = StackFlags & FlagsOf<typeof stackTestFlags>;

/** Runs the tests of the releases, and prints their logs where these are asked for. Errors: as of testStack. */
export async function runStackTest(flags: TestVerbFlags, context: CliContext): Promise<void> {
  const { io, secrets } = context;
  const { work, progress } = await openWork('test', flags, optionsOf(needsFlags, flags), context);
  const options = optionsOf(stackTestOptionFlags, flags);
  await testStack(work, {
    concurrency: flags.concurrency,
    failFast: flags.failFast,
    options,
    onTested: (_id, { logs }) => {
      if (options.logs === true) io.stdout.write(secrets.redact(logText(logs)));
    },
  });
  progress.finish();
}

const logText = (logs: TestResult['logs']): string =>
  logs.map(({ pod, container, text }) => `POD LOGS: ${pod} (${container})\n${text}\n`).join('');
