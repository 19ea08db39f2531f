import type { Context } from '../change/context.ts';
import { leftText } from '../change/deploy/uninstall-texts.ts';
import { prefixed } from '../change/failure.ts';
import { goThrough } from '../change/go-through.ts';
import type { LockOptions } from '../change/lock-options.ts';
import { endUninstall, purge, stopUninstall } from '../change/record/end.ts';
import { withLock } from '../change/record/with-lock.ts';
import { takeAway, takeHookObjects, uninstalling } from '../change/take-away.ts';
import { hookName } from '../plan/names.ts';
import type { Plan, WaitStrategy } from '../plan/types.ts';
import { checkName } from '../release/name.ts';
import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';
import { findToUninstall, type ToUninstall } from './find-to-uninstall.ts';

export interface UninstallOptions extends LockOptions {
  readonly name: string;
  readonly keepHistory?: boolean | undefined;
  readonly cascade?: 'background' | 'foreground' | 'orphan' | undefined;
  readonly noHooks?: boolean | undefined;
  /** Deletes the objects of hooks too, which otherwise stay; also of a release that is gone. */
  readonly deleteHooks?: boolean | undefined;
  readonly ignoreNotFound?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly wait?: WaitStrategy | undefined;
  readonly readinessTimeoutMs?: number | undefined;
  readonly eager?: boolean | undefined;
  readonly description?: string | undefined;
  readonly concurrency?: number | undefined;
  /** As in DeployOptions; for the hooks. */
  readonly failFast?: boolean | undefined;
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
 * history is kept. With `deleteHooks` what hooks have left of a release that is gone is a release to uninstall, too.
 * Errors: `release-not-found`, `already-uninstalled`, `uninstall-failed`.
 */
export async function uninstall(options: UninstallOptions, context: Context): Promise<UninstallResult> {
  const { name } = options;
  checkName(name, `uninstall: Release name is invalid: ${name}`);
  if (!options.dryRun) return withLock('uninstall', options, context, (locked) => uninstallLocked(options, locked));
  const found = await findToUninstall(options, context);
  if (found === undefined) return { info: '' };
  const { last, history, leftHooks } = found;
  const change =
    history.length === 0 ? takeHookObjects(last, options, leftHooks) : takeAway(options, history, leftHooks);
  const { release, plan } = await goThrough({ ...change, until: 'decided' }, context);
  return { release, plan, info: leftText(change.manifests, []) };
}

async function uninstallLocked(options: UninstallOptions, context: Context): Promise<UninstallResult> {
  const found = await prefixed(`uninstall: Release not loaded: ${options.name}`, () =>
    findToUninstall(options, context),
  );
  if (found === undefined) return { info: '' };
  const { last, history, leftHooks } = found;
  if (last.info.status === 'uninstalled') return purgeUninstalled(found, options, context);
  const change = takeAway(options, history, leftHooks);
  const outcome = await goThrough({ ...change, release: uninstalling(last, options, context) }, context);
  if (outcome.kind === 'stopped') {
    await stopUninstall(outcome, context);
    throw outcome.error;
  }
  const release = await endUninstall(outcome, options, context);
  return { release, plan: outcome.plan, info: leftText(change.manifests, outcome.result.spared) };
}

/** Of what was uninstalled with its history kept, only the history is left, and objects of hooks. */
async function purgeUninstalled(
  { last, history, leftHooks }: ToUninstall,
  options: UninstallOptions,
  context: Context,
): Promise<UninstallResult> {
  if (options.keepHistory) {
    throw new TshelmError('already-uninstalled', {
      message: `the release named "${options.name}" is already deleted`,
      details: { release: options.name },
    });
  }
  const isGone = history.length === 0;
  const note = isGone
    ? `release "${last.name}" is gone; its hooks have left ${leftHooks.map(hookName).join(', ')}`
    : undefined;
  const outcome = await goThrough({ ...takeHookObjects(last, options, leftHooks), note }, context);
  const failure = outcome.kind === 'stopped' ? outcome : outcome.result.failures[0];
  if (failure !== undefined) throw failure.error;
  await prefixed('uninstall: Failed to purge the release', () => purge(history, context));
  return { release: last, info: '' };
}
