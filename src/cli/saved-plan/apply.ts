import type { Plan } from '../../plan/types.ts';
import {
  type AppliedRelease,
  applyRelease,
  checkRelease,
  inputsToLoad,
  type LoadedInputs,
  type PreparedRelease,
  prepareRelease,
} from '../../saved-plan/apply.ts';
import type { SavedInputs, SavedPlan, SavedRelease } from '../../saved-plan/types.ts';
import { isUntrustedBy, refusedBy } from '../../stack/untrusted.ts';
import { TshelmError } from '../../support/errors.ts';
import { beforeRun, carryOut } from '../before-run.ts';
import type { CliContext, CommandSession } from '../context.ts';
import { progressRequest } from '../flags/progress-flags.ts';
import { openerOf } from '../flags/saved-plan-flags.ts';
import { writeRelease } from '../output/deployed.ts';
import { tellWayIntoSandbox } from '../output/sandbox-note.ts';
import type { ProgressRequest } from '../progress/request.ts';
import type { GlobalFlags } from '../settings.ts';
import { postRendererOf } from '../sources/post-renderer.ts';
import type { ApplyRequest } from './apply-request.ts';

/**
 * Carries a saved plan out, once all its releases are as they were when it was made. Errors: `plan-unusable`,
 * `plan-expired`, `plan-of-other-version`, `plan-of-other-cluster`, `plan-outdated`, `plan-key`, those of the actions.
 */
export async function runApply(saved: SavedPlan, request: ApplyRequest, context: CliContext): Promise<void> {
  if (request.flags.release !== undefined)
    throw new TshelmError('bad-flag', {
      message: '--release is for the plan of a stack, but this is the plan of one release',
    });
  const runs: OpenedRelease[] = [];
  for (const release of saved.releases) runs.push(await opened(release, saved, request, context));
  for (const run of runs) await applyPreparedRelease(run, request, context);
}

interface OpenedRelease {
  readonly prepared: PreparedRelease;
  readonly session: CommandSession;
  readonly progress: ProgressRequest;
  readonly plan: Plan | undefined;
}

/** A release that is ready to be applied: everything is as it was. */
async function opened(
  release: SavedRelease,
  plan: SavedPlan,
  request: ApplyRequest,
  context: CliContext,
): Promise<OpenedRelease> {
  const { action, name, inputs, options } = release;
  const flags = flagsFor(release, request.flags);
  const progress = progressRequest(request.flags, { output: request.flags.output });
  const run = { command: action, release: name, chart: inputs?.reference, progress };
  const { postRenderer: program } = inputs ?? {};
  if (program !== undefined && isUntrustedBy(context.io.env))
    throw refusedBy(`the plan of release "${name}" runs the post-renderer ${program.command}`);
  return beforeRun(run, { ...flags, ...reportOf(request) }, context, async () => {
    const opener = await openerOf(request.flags, context.io);
    const loaded = inputs && (await loadedInputs(inputs, release, request, context));
    const postRenderer = program && {
      postRenderer: program.command,
      postRendererArgs: program.args,
    };
    const session = await context.open(flags, {
      progress,
      postRenderer: postRenderer && postRendererOf({ ...flags, ...postRenderer }, context),
      health: request.flags.health,
      mayUndo: options['rollbackOnFailure'] === true || options['cleanupOnFail'] === true,
    });
    const allowed = request.flags.allow ?? [];
    const prepared = await prepareRelease(release, { plan, inputs: loaded, opener, allowed });
    const checked = await checkRelease(prepared, session);
    return { prepared, session, progress, plan: checked?.plan };
  });
}

const reportOf = ({ flags: { report } }: ApplyRequest): { report?: string } => (report === undefined ? {} : { report });

/** Where the plan says that its release is. Errors: `bad-flag`. */
export function flagsFor(
  { name, namespace, kubeContext }: Pick<SavedRelease, 'name' | 'namespace' | 'kubeContext'>,
  flags: GlobalFlags,
): GlobalFlags {
  if (flags.namespace !== undefined && flags.namespace !== '' && flags.namespace !== namespace) {
    throw new TshelmError('bad-flag', {
      message: `the plan of release "${name}" is for the namespace ${namespace}, not ${flags.namespace}`,
    });
  }
  return { ...flags, namespace, kubeContext: flags.kubeContext ?? kubeContext } as GlobalFlags;
}

/** The chart as it is now; the values too, where the file does not have them. */
export async function loadedInputs(
  inputs: SavedInputs,
  release: Pick<SavedRelease, 'sealed'>,
  given: ApplyRequest,
  context: CliContext,
): Promise<LoadedInputs> {
  const { loadRequest } = await import('../sources/load-request.ts');
  const { dependencyUpdate, ...again } = inputs.access;
  const named = inputsToLoad(release, { ...inputs, access: again }, given);
  const updating = { ...given.flags, ...(dependencyUpdate === true && { dependencyUpdate }) };
  return loadRequest({ ...named, flags: updating }, context);
}

async function applyPreparedRelease(
  { prepared, session, progress, plan }: OpenedRelease,
  request: ApplyRequest,
  context: CliContext,
): Promise<void> {
  const { action, name, inputs } = prepared.saved;
  const run = { command: action, release: name, chart: inputs?.reference, progress };
  const change = async () => ({ ...(await applyRelease(prepared, session)), plan });
  const result = await carryOut(run, request.flags, { session, context }, change);
  printResult(prepared.saved, result, request.flags, context);
  if (result.release !== undefined && (action === 'install' || action === 'upgrade'))
    await tellWayIntoSandbox(result.release, flagsFor(prepared.saved, request.flags), context);
}

export const fixedText = (name: string): string => `release "${name}" is as its revision says again\n`;

/** What is told of a saved change that was carried out. */
export function printResult(
  { action, name }: SavedRelease,
  result: AppliedRelease,
  flags: GlobalFlags & Pick<ApplyRequest['flags'], 'hideNotes' | 'output'>,
  context: CliContext,
): void {
  const { io, secrets } = context;
  const { release, info } = result;
  if (action === 'uninstall') {
    if (info !== '') io.stdout.write(`${info}\n`);
    io.stdout.write(`release "${name}" uninstalled\n`);
  } else if (action === 'fix') {
    refuseRest(result);
    io.stdout.write(fixedText(name));
  } else if (action === 'rollback') io.stdout.write('Rollback was a success! Happy Helming!\n');
  else if (release !== undefined) {
    if (action === 'upgrade' && release.version > 1 && flags.output === 'table')
      io.stdout.write(`Release "${name}" has been upgraded. Happy Helming!\n`);
    writeRelease(release, flags, { io, secrets, settings: context.settings(flags) });
  }
}

/** Whether a fix has brought everything back. Errors: `drift-remains`, with what it has left as it is, and why. */
export function refuseRest(result: Pick<AppliedRelease, 'release' | 'warnings'>): void {
  const rest = remainingDrift(result);
  if (rest !== undefined) throw rest;
}

/** What a fix has left as it is, and why; undefined where that is nothing. */
export function remainingDrift({
  release,
  warnings,
}: Pick<AppliedRelease, 'release' | 'warnings'>): TshelmError<'drift-remains'> | undefined {
  if (release === undefined || warnings.length === 0) return undefined;
  const { name, version } = release;
  return new TshelmError('drift-remains', {
    message: `release "${name}" is not as its revision ${version} says:\n  ${warnings.join('\n  ')}`,
    details: { release: name, revision: version, objects: warnings },
  });
}
