import { setMaxListeners } from 'node:events';
import { CommanderError } from 'commander';
import { openContext } from './context.ts';
import { errorText } from './error-text.ts';
import { type Io, processIo } from './io.ts';
import { isHelpShown, runProgram } from './program.ts';

/** Runs tshelm with a command line; the exit code is Helm's: 0 ok, 1 failure, 130 and 143 after a signal. */
export async function main(words: readonly string[], io: Io = processIo()): Promise<number> {
  // Every request that is under way listens for the interruption: more than Node's ten are no leak.
  setMaxListeners(0);
  const context = openContext(io);
  try {
    await runProgram(words, context);
    return context.exitCode();
  } catch (thrown) {
    if (isHelpShown(thrown)) return 0;
    const failure = thrown instanceof CommanderError ? new Error(thrown.message.replace(/^error: /, '')) : thrown;
    io.stderr.write(errorText(failure));
    return context.exitCode() || 1;
  } finally {
    await context.close();
  }
}
