import { setMaxListeners } from 'node:events';
import { CommanderError } from 'commander';
import { withFieldHints } from '../change/field-hints.ts';
import { addedDetail, causesOf, hasCode, TshelmError } from '../support/errors.ts';
import { printable } from '../support/printable.ts';
import { comesFromStackOverflow } from '../support/stack-overflow.ts';
import { trimPrefix } from '../support/text.ts';
import type { StartThread } from '../unittest/threads.ts';
import { type CliContext, openContext } from './context.ts';
import { errorText, wrapForTerminal } from './errors/error-text.ts';
import { type Mark, marked, markedDetail, unmarked } from './errors/line-role.ts';
import { nextStepsText } from './errors/next-steps.ts';
import { codesNote } from './errors/problems-text.ts';
import { withWholeCommands } from './errors/whole-commands.ts';
import { nameOf, runProgram } from './program.ts';
import { type Io, processIo, showsMoreThanHelm } from './terminal/io.ts';
import type { Paint } from './terminal/paint.ts';

/** Runs the same command line again with a larger stack, and gives its exit code. Gets what was read from standard input. */
export type Rerun = (stdin: Uint8Array | undefined) => Promise<number>;

/** What only the program that starts the command line can do; each is missing where it cannot. */
export interface Launcher {
  readonly rerun?: Rerun | undefined;
  /** Starts a thread that runs `unittestThread` with this data. */
  readonly startThread?: StartThread | undefined;
}

/**
 * Runs tshelm with a command line; the exit code is Helm's: 0 ok, 1 failure, 130 and 143 after a signal.
 * With `rerun`, a chart whose templates fill JavaScript's stack gets another try, unless something has been done by then.
 */
export async function main(words: readonly string[], io: Io = processIo(), launcher: Launcher = {}): Promise<number> {
  // Every request that is under way listens for the interruption: more than Node's ten are no leak.
  setMaxListeners(0);
  let stdin: Uint8Array | undefined;
  const readStdin = async (): Promise<Uint8Array> => {
    stdin = await io.readStdin();
    return stdin;
  };
  const context = openContext({ ...io, readStdin }, launcher.startThread);
  try {
    await runProgram(words, context);
    return context.exitCode();
  } catch (thrown) {
    const failure = await explained(
      thrown instanceof CommanderError ? new Error(trimPrefix(thrown.message, 'error: ')) : thrown,
      context,
    );
    if (launcher.rerun === undefined || context.hasActed || !isStackOverflowFailure(failure)) {
      await tellFailure(failure, context);
      return context.exitCode() || 1;
    }
  } finally {
    await context.close();
  }
  return launcher.rerun(stdin);
}

/** What a thread does that `startThread` of the launcher starts. */
export const unittestThread = async (): Promise<void> => (await import('../unittest/thread.ts')).runThread();

async function tellFailure(failure: unknown, context: CliContext): Promise<void> {
  const { stderr } = context.io;
  const mark = stderr.isTerminal ? marked : unmarked;
  const text = printable(context.secrets.redact(await failureText(failure, context, mark)));
  const shown = (paint?: Paint): string => (stderr.isTerminal ? wrapForTerminal(text, stderr.columns, paint) : text);
  if (!context.fail(failure, shown())) stderr.write(shown(await context.errorPaint()), 'painted');
}

/** All that is told of a failure. */
async function failureText(thrown: unknown, context: CliContext, mark: Mark): Promise<string> {
  const failure = await withWholeCommands(thrown, context);
  const texts = [
    errorText(failure, context.onDisk, mark),
    defaultsNote(failure, context, mark),
    await whereItIs(failure, context, mark),
    await nextStepsText(failure, context, mark),
    showsMoreThanHelm(context.io) ? codesNote(failure, mark) : '',
  ];
  return texts.join('');
}

/** Where a flag that is refused may come from a file. */
const defaultsNote = (failure: unknown, { defaults }: CliContext, mark: Mark): string =>
  defaults.length === 0 || !hasCode(failure, 'bad-flag', 'bad-arguments', 'wrong-arguments')
    ? ''
    : defaults
        .map(({ words, place }) => `  ${markedDetail(mark, 'where', `${words.join(' ')} comes from ${place}`)}\n`)
        .join('');

/** Loaded only where something was not found. Programs that call `helm` get what Helm writes. */
async function whereItIs(failure: unknown, context: CliContext, mark: Mark): Promise<string> {
  const isNotFound = hasCode(
    failure,
    'chart-not-found',
    'repository-unknown',
    'values-unreadable',
    'cluster-unreachable',
    'release-not-found',
    'revision-not-found',
    'no-deployed-releases',
  );
  if (nameOf(context) === 'helm' && !showsMoreThanHelm(context.io)) return '';
  return isNotFound || isUnknownUser(failure)
    ? (await import('./errors/where-it-is.ts')).whereItIsText(failure, context, mark)
    : '';
}

/** Credentials may expire while a command runs. */
const isUnknownUser = (failure: unknown): boolean =>
  causesOf(failure).some((cause) => hasCode(cause, 'api-error') && cause.details.status === 401);

/** With what can only be reported here: what a misspelt field may mean, and where the user gave a value. */
async function explained(thrown: unknown, { valueOptions }: CliContext): Promise<unknown> {
  const { withYamlProblem } = await import('../render/yaml-problem.ts');
  const failure = withYamlProblem(thrown);
  if (!(['problems', 'findProblems'] as const).some((name) => addedDetail(failure, name) !== undefined)) return failure;
  const { withGivenPlaces } = await import('./errors/given-values.ts');
  const given = withGivenPlaces(failure, valueOptions);
  const problems = addedDetail(given, 'problems');
  if (!(given instanceof TshelmError) || problems === undefined) return given;
  return given.wrapped({ message: given.message, details: { problems: await withFieldHints(problems) } });
}

/** Whether templates, values or documents of the chart, or of one in a stack, were nested deeper than the stack holds. */
const isStackOverflowFailure = (failure: unknown): boolean =>
  hasCode(failure, 'stack-failed')
    ? Object.values(failure.details.errors).some(isStackOverflowFailure)
    : comesFromStackOverflow(failure);
