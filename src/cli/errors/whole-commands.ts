import type { Evidence } from '../../problem/problem.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { addedDetail, hasCode, TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { givenChart, sameFlags, whereWords } from './next-command.ts';

/**
 * The same failure, whose remedies name the user's cluster too: a command that is pasted must not go to another one. Of a
 * stack the failure of each release.
 */
export async function withWholeCommands(failure: unknown, context: CliContext): Promise<unknown> {
  if (!(failure instanceof TshelmError)) return failure;
  const { message } = failure;
  if (hasCode(failure, 'stack-failed')) {
    const named = Object.entries(failure.details.errors).map(
      async ([id, error]) => [id, await withWholeCommands(error, context)] as const,
    );
    const errors = Object.fromEntries(await Promise.all(named));
    return new TshelmError('stack-failed', { message, details: { ...failure.details, errors }, cause: failure });
  }
  const [remedies, problems] = [addedDetail(failure, 'remedies'), addedDetail(failure, 'problems')];
  const all = [...(remedies ?? []), ...(problems ?? []).flatMap((problem) => problem.remedies)];
  const isInSandbox = context.opened?.settings.sandboxDirectory !== undefined;
  if (!isInSandbox && !all.some(isOnCluster)) return failure;
  const whole = (some: readonly Remedy[]) => Promise.all(some.map((remedy) => wholeRemedy(remedy, context)));
  return failure.wrapped({
    message,
    details: {
      ...(remedies && { remedies: await whole(remedies) }),
      ...(problems && {
        problems: await Promise.all(
          problems.map(async (one) => ({
            ...one,
            remedies: await whole(one.remedies),
            // What shows more of it is a command of kubectl, which finds no sandbox.
            evidence: isInSandbox ? one.evidence.map(withoutCommand) : one.evidence,
          })),
        ),
      }),
    },
  });
}

const withoutCommand = (evidence: Evidence): Evidence => ({ ...evidence, command: undefined });

type OnCluster = Extract<Remedy, { kind: 'run' }>;

/** An install is the command that runs, with what it lacks. */
const isOnCluster = (remedy: Remedy): remedy is OnCluster =>
  remedy.kind === 'run' && (remedy.namespace !== undefined || remedy.verb === 'install');

async function wholeRemedy(remedy: Remedy, context: CliContext): Promise<Remedy> {
  if (!isOnCluster(remedy)) return remedy;
  const { namespace = await context.namespace(context.given?.command.optsWithGlobals() ?? {}), ...run } = remedy;
  if (run.verb === 'install')
    return { ...run, arguments: [...run.arguments, ...(await sameFlags(namespace, context))] };
  const chart = run.verb === 'adopt' ? givenChart(context) : undefined;
  const words = run.arguments.map((word) => (word === 'CHART' ? (chart?.reference ?? word) : word));
  return { ...run, arguments: [...words, ...(chart?.flags ?? []), ...(await whereWords(namespace, context))] };
}
