import type { Context } from '../change/context.ts';
import { leftText } from '../change/deploy/uninstall-texts.ts';
import { prefixed } from '../change/failure.ts';
import { goThrough } from '../change/go-through.ts';
import type { LockOptions } from '../change/lock-options.ts';
import { endUninstall, purge, stopUninstall } from '../change/record/end.ts';
import { withLock } from '../change/record/with-lock.ts';
import { takeAway, takeHookObjects, uninstalling } from '../change/take-away.ts';
import type { Plan, WaitStrategy } from '../plan/types.ts';
import { lastRevision } from '../release/history.ts';
import { checkName } from '../release/name.ts';
import { releaseNotFound } from '../release/record.ts';
import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';

export interface UninstallOptions extends LockOptions {
  readonly name: string;
  /** Keeps the record, with the status `uninstalled`. Default false. */
  readonly keepHistory?: boolean | undefined;
  /** How what belongs to deleted objects is deleted. Default `background`. */
  readonly cascade?: 'background' | 'foreground' | 'orphan' | undefined;
  /** Runs no hooks. Default false. */
  readonly noHooks?: boolean | undefined;
  /** Deletes the objects of hooks too, which otherwise stay. Default false. */
  readonly deleteHooks?: boolean | undefined;
  /** A release that does not exist is no error. Default false. */
  readonly ignoreNotFound?: boolean | undefined;
  /** Changes nothing; the result says what would be done. Default false. */
  readonly dryRun?: boolean | undefined;
  /**
   * `watcher` and `legacy` wait until everything is gone; `ordered` also deletes batch by batch. Default `hookOnly`:
   * only hooks are waited for.
   */
  readonly wait?: WaitStrategy | undefined;
  /** With `ordered`: limits each batch, where that is less than `timeoutMs`. */
  readonly readinessTimeoutMs?: number | undefined;
  /** With `ordered`: each unit or group starts as soon as those that depend on it are gone. Default false. */
  readonly eager?: boolean | undefined;
  /** The description that the record gets. */
  readonly description?: string | undefined;
  /** Requests at a time. Default 16. */
  readonly concurrency?: number | undefined;
  /** Hooks that cannot succeed end before their time. Default true. */
  readonly failFast?: boolean | undefined;
  /** How long what is likely dead may go on without progress. Default 30 seconds. */
  readonly graceMs?: number | undefined;
}

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
  checkName(name, `uninstall: Release name is invalid: ${name}`);
  if (!options.dryRun) return withLock('uninstall', options, context, (locked) => uninstallLocked(options, locked));
  const history = await historyOf(options, context);
  if (history === undefined) return { info: '' };
  const change = takeAway(options, history);
  const { release, plan } = await goThrough({ ...change, until: 'decided' }, context);
  return { release, plan, info: leftText(change.manifests, []) };
}

async function uninstallLocked(options: UninstallOptions, context: Context): Promise<UninstallResult> {
  const history = await prefixed(`uninstall: Release not loaded: ${options.name}`, () => historyOf(options, context));
  if (history === undefined) return { info: '' };
  const last = lastRevision(options.name, history);
  if (last.info.status === 'uninstalled') return purgeUninstalled(last, history, options, context);
  const change = takeAway(options, history);
  const outcome = await goThrough({ ...change, release: uninstalling(last, options, context) }, context);
  if (outcome.kind === 'stopped') {
    await stopUninstall(outcome, context);
    throw outcome.error;
  }
  const release = await endUninstall(outcome, options, context);
  return { release, plan: outcome.plan, info: leftText(change.manifests, outcome.result.spared) };
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
  const outcome = await goThrough(takeHookObjects(last, options), context);
  const failure = outcome.kind === 'stopped' ? outcome : outcome.result.failures[0];
  if (failure !== undefined) throw failure.error;
  await prefixed('uninstall: Failed to purge the release', () => purge(history, context));
  return { release: last, info: '' };
}
