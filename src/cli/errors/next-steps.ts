import type { RecordedFailure } from '../../change/undo.ts';
import type { Problem } from '../../problem/problem.ts';
import { nearestReleaseName } from '../../release/name.ts';
import { addedDetail, type DetailsOf, hasCode, problemsOf } from '../../support/errors.ts';
import { keysText } from '../../words/value.ts';
import type { CliContext } from '../context.ts';
import { detachedFlag, pathOf } from '../flags/arguments.ts';
import { type Mark, markedCommand, markedDetail } from './line-role.ts';
import { nextCommand, sameCommand } from './next-command.ts';
import { swappedCommand } from './swapped-arguments.ts';

/** How to go on after a failure: what it has left, and the commands that continue or take it back; '' where that is not known. */
export async function nextStepsText(failure: unknown, context: CliContext, mark: Mark): Promise<string> {
  if (hasCode(failure, 'name-in-use')) {
    const { release, status } = failure.details;
    const instead = await deployCommand(['upgrade'], release, await namespaceOf(context), context);
    return `  ${markedCommand(mark, 'fix', `release ${release} already exists (${status}): change it with`, instead)}\n`;
  }
  const swapped = await swappedCommand(failure, context);
  if (swapped !== undefined) return `  ${markedCommand(mark, 'fix', 'the release comes before its chart:', swapped)}\n`;
  if (hasCode(failure, 'invalid-release-name') && failure.details.command !== undefined) {
    const near = nearestReleaseName(failure.details.name);
    const rule =
      'use lower-case letters, digits, "-" and "."; start and end with a letter or digit; at most 53 characters';
    return `  ${markedDetail(mark, 'fix', near === undefined ? rule : `${rule}, for example ${near}`)}\n`;
  }
  if (hasCode(failure, 'invalid-arguments', 'bad-arguments', 'chart-not-found') && context.given !== undefined) {
    const meant = detachedFlag(context.given.command, context.given.words);
    return meant === undefined ? '' : `  ${markedDetail(mark, 'fix', `did you mean ${meant}?`)}\n`;
  }
  if (hasCode(failure, 'cannot-resume')) return stepsInsteadOfResume(failure.details, context, mark);
  const recorded = addedDetail(failure, 'recorded');
  if (recorded === undefined) return '';
  const shows = verbsFor(failure);
  const left = hasCode(failure, 'preflight-refused') ? '' : '; the objects already applied are still there';
  return stepsAfter({ ...recorded, left, shows, wrong: valuesByFlag(failure) }, context, mark);
}

/** Where chart or values are not those of the revision that failed. */
async function stepsInsteadOfResume(
  { release, revision, differ }: DetailsOf<'cannot-resume'>,
  context: CliContext,
  mark: Mark,
): Promise<string> {
  const { given } = context;
  if (given === undefined || pathOf(given.command) !== 'upgrade') return '';
  const namespace = await namespaceOf(context);
  const anew = await sameCommand(['upgrade'], given.words, namespace, context);
  const lines = [markedCommand(mark, 'fix', `to deploy the ${differ.join(' and the ')} given now:`, anew)];
  if (!differ.includes('chart')) {
    const shown = await nextCommand(['get', 'values', release, `--revision=${revision}`], namespace, context);
    lines.unshift(markedCommand(mark, 'fix', `to resume, give the values that revision ${revision} has:`, shown));
  }
  return lines.map((line) => `  ${line}\n`).join('');
}

/** After a revision that is marked failed. */
async function stepsAfter(
  recorded: RecordedFailure & {
    readonly left: string;
    readonly shows: readonly LookVerb[];
    readonly wrong: readonly string[];
  },
  context: CliContext,
  mark: Mark,
): Promise<string> {
  const { release, namespace, revision, good, left, shows, wrong } = recorded;
  const again = await againCommand(recorded, context);
  const change = wrong.length === 0 ? '' : `change ${wrong.join(' or ')}, or `;
  const forward = context.signal.aborted ? 'continue with' : `${change}fix the cause and run`;
  const back = good === undefined ? ['uninstall', release] : ['rollback', release, String(good)];
  const undone = await nextCommand(back, namespace, context);
  const looks = shows.map(async (verb) =>
    markedCommand(mark, 'more', lookTexts[verb], await nextCommand([verb, release], namespace, context)),
  );
  return [
    `\nRevision ${revision} of ${release} is marked failed${left}.`,
    ...(await Promise.all(looks)).map((line) => `  ${line}`),
    `  ${markedCommand(mark, 'next', forward, again)}`,
    // A rollback to the last good revision is what undoes it too.
    ...(isRollbackTo(good, revision, context)
      ? []
      : [`  ${markedCommand(mark, 'or', 'undo the change with', undone)}`]),
    '',
  ].join('\n');
}

type LookVerb = 'logs' | 'status';
const lookTexts: Readonly<Record<LookVerb, string>> = {
  logs: 'what the programs of its pods write:',
  status: 'which of its pods run, and in which state the others are:',
};

/** Where the cause is inside of a program, its log may name it; a pod that has not begun has none. */
const lookVerbs: { readonly [Code in Problem['code']]?: LookVerb } = {
  'program-ended': 'logs',
  'killed-by-probe': 'logs',
  'probe-failed': 'logs',
  'container-not-ready': 'logs',
  'still-running': 'logs',
  'pod-pending': 'status',
  'pod-failed': 'status',
};

const verbsFor = (failure: unknown): readonly LookVerb[] => [
  ...new Set(problemsOf(failure).flatMap(({ cause }) => lookVerbs[cause.code] ?? [])),
];

/** What flags of this command set and a problem names: the command that comes next has it once more. */
function valuesByFlag(failure: unknown): readonly string[] {
  const places = problemsOf(failure).flatMap((problem) => problem.places);
  const values = places.flatMap((place) =>
    place.kind === 'value' ? [place] : place.kind === 'field' ? (place.values ?? []) : [],
  );
  return [...new Set(values.filter(({ flag }) => flag !== undefined).map(({ keys }) => keysText(keys)))];
}

const isRollbackTo = (target: number | undefined, failed: number, { given }: CliContext): boolean =>
  given !== undefined && pathOf(given.command) === 'rollback' && targetOf(given.words, failed) === String(target);

/** Without a number it went back to the revision before the last; after it, that would be another one. */
const targetOf = ([, wanted = '0']: readonly string[], failed: number): string =>
  wanted === '0' ? String(failed - 2) : wanted;

/** The command once more; of an install its release is there now, so it is an upgrade. What was interrupted is resumed. */
function againCommand({ release, namespace, revision }: RecordedFailure, context: CliContext): Promise<string> {
  const { given, signal } = context;
  const path = given === undefined ? '' : pathOf(given.command);
  const resume = signal.aborted ? ['--resume'] : [];
  if (given !== undefined && path === 'rollback')
    return sameCommand([path], [release, targetOf(given.words, revision)], namespace, context);
  return path === 'upgrade'
    ? deployCommand(['upgrade', ...resume], release, namespace, context)
    : deployCommand(['upgrade', '--install', ...resume], release, namespace, context);
}

/** What deploys the release whether it is there or not. */
export const installCommand = (release: string, namespace: string, context: CliContext): Promise<string> =>
  deployCommand(['upgrade', '--install'], release, namespace, context);

/** With the chart and the flags of the command that runs, where it has them. */
function deployCommand(
  command: readonly string[],
  release: string,
  namespace: string,
  context: CliContext,
): Promise<string> {
  const { given } = context;
  const isDeploy = given !== undefined && ['install', 'upgrade'].includes(pathOf(given.command));
  const chart = isDeploy ? given.words.at(-1) : undefined;
  return chart === undefined
    ? nextCommand([...command, release, 'CHART'], namespace, context)
    : sameCommand(command, [release, chart], namespace, context);
}

const namespaceOf = (context: CliContext): Promise<string> =>
  context.namespace(context.given?.command.optsWithGlobals() ?? {});
