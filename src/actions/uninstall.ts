import type { Context } from '../change/context.ts';
import { leftText } from '../change/deploy/uninstall-texts.ts';
import { withStepPrefix } from '../change/failure.ts';
import { namesOf } from '../change/moves/named-objects.ts';
import { removeOwnership } from '../change/moves/owners.ts';
import { prepareUninstall, takeHookObjects, uninstalling } from '../change/prepare-uninstall.ts';
import { endUninstall, purge, stopUninstall } from '../change/record/end.ts';
import { withLock } from '../change/record/with-lock.ts';
import { runPhases } from '../change/run-phases.ts';
import type { Manifest } from '../manifest/types.ts';
import type { Plan } from '../plan/types.ts';
import type { Remedy } from '../problem/remedy.ts';
import { lastRevision } from '../release/history.ts';
import { releaseNotFound } from '../release/record.ts';
import type { Release, ReleaseId } from '../release/types.ts';
import { addedDetail, TshelmError } from '../support/errors.ts';
import { checkUninstallName, type UninstallOptions } from './options/uninstall.ts';

export interface UninstallResult {
  /** Undefined when there was none and --ignore-not-found was given. */
  readonly release?: Release | undefined;
  readonly plan?: Plan | undefined;
  /** What Helm prints about resources that stay; '' when nothing does. */
  readonly info: string;
}

/**
 * Uninstalls a release. Follows action.Uninstall: what belongs to the release is deleted, its record too unless the
 * history is kept. Errors: `release-not-found`, `already-uninstalled`, `uninstall-failed`.
 */
export async function uninstall(options: UninstallOptions, context: Context): Promise<UninstallResult> {
  const { name } = options;
  checkUninstallName(name);
  if (!options.dryRun) return withLock('uninstall', options, context, (locked) => uninstallLocked(options, locked));
  const history = await historyOf(options, context);
  if (history === undefined) return { info: '' };
  const change = prepareUninstall(options, history);
  const { release, plan } = await runPhases({ ...change, lastPhase: 'decided' }, context);
  return { release, plan, info: leftText(change.manifests, { kept: [], asked: change.kept, isDryRun: true }) };
}

async function uninstallLocked(options: UninstallOptions, context: Context): Promise<UninstallResult> {
  const history = await withStepPrefix(`uninstall: Release not loaded: ${options.name}`, () =>
    historyOf(options, context),
  );
  if (history === undefined) return { info: '' };
  const last = lastRevision(options.name, history);
  if (last.info.status === 'uninstalled') return purgeUninstalled(last, history, options, context);
  const change = prepareUninstall(options, history);
  const asked = change.kept;
  const owner = { release: last.name, namespace: last.namespace };
  await removeOwnership(asked, owner, context, { dryRun: true });
  const release = uninstalling(change.release, options, context);
  const run = { ...context, onRecorded: () => removeOwnership(asked, owner, context) };
  const outcome = await runPhases({ ...change, release }, run);
  const begun = { asked, options, owner };
  if (outcome.kind === 'stopped') {
    await stopUninstall(outcome, context);
    throw outcome.isRecorded ? withKept(outcome.error, begun) : outcome.error;
  }
  const uninstalled = await endUninstall(outcome, options, context).catch((error: unknown) => {
    throw withKept(error, begun);
  });
  return {
    release: uninstalled,
    plan: outcome.plan,
    info: leftText(change.manifests, { kept: outcome.result.kept, asked }),
  };
}

interface Begun {
  readonly asked: readonly Manifest[];
  readonly options: UninstallOptions;
  readonly owner: ReleaseId;
}

/** What a failed uninstall keeps is safe, and the same command finishes it. */
function withKept(error: unknown, { asked, options, owner }: Begun): unknown {
  if (asked.length === 0 || !(error instanceof TshelmError)) return error;
  const { release, namespace } = owner;
  const keep = [options.keepObjects].flat().map((one) => ['--keep-objects', String(one)].join('='));
  const again: Remedy = { kind: 'run', verb: 'uninstall', arguments: [release, ...keep], namespace };
  return error.wrapped({
    message: `${error.message}; no uninstall deletes what is kept: ${namesOf(asked).join(', ')}`,
    details: { remedies: [...(addedDetail(error, 'remedies') ?? []), again] },
  });
}

async function historyOf(options: UninstallOptions, context: Context): Promise<readonly Release[] | undefined> {
  const history = await (await context.storage()).revisions(options.name);
  if (history.length > 0) return history;
  if (options.ignoreNotFound) return undefined;
  throw releaseNotFound(options.name);
}

/** Of what was uninstalled with its history kept, only the history is left, and objects of hooks. */
async function purgeUninstalled(
  last: Release,
  history: readonly Release[],
  options: UninstallOptions,
  context: Context,
): Promise<UninstallResult> {
  if (options.keepHistory) {
    throw new TshelmError('already-uninstalled', {
      message: `the release named "${options.name}" is already deleted`,
      details: { release: options.name },
    });
  }
  const outcome = await runPhases(takeHookObjects(last, options), context);
  const failure = outcome.kind === 'stopped' ? outcome : outcome.result.failures[0];
  if (failure !== undefined) throw failure.error;
  await withStepPrefix('uninstall: Failed to purge the release', () => purge(history, context));
  return { release: last, info: '' };
}
