import { failureFlags, orderFlags, waitFlag } from '../../change/deploy/deploy-options.ts';
import { type LogChoice, logsFlag } from '../../change/deploy/logs-option.ts';
import { type LockOptions, lockFlags, timeoutFlag } from '../../change/lock-options.ts';
import type { KeepObjects } from '../../change/moves/kept-objects.ts';
import type { FlagRows } from '../../change/option-rows.ts';
import type { WaitMode } from '../../plan/types.ts';
import { checkName } from '../../release/name.ts';
import { TshelmError } from '../../support/errors.ts';

export interface UninstallOptions extends LockOptions {
  readonly name: string;
  /** Keeps the record, with the status `uninstalled`. Default false. */
  readonly keepHistory?: boolean | undefined;
  /**
   * Leaves objects in the cluster, which belong to no release then: all of them, those that a label selector matches, or
   * those that are named as `ConfigMap/settings`, with commas between; or several of these. Default false.
   */
  readonly keepObjects?: KeepObjects | undefined;
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
  readonly wait?: WaitMode | undefined;
  /** With `ordered`: limits each batch, where that is less than `timeoutMs`. */
  readonly readinessTimeoutMs?: number | undefined;
  /** With `ordered`: each unit or group starts as soon as those that depend on it are gone. Default false. */
  readonly eager?: boolean | undefined;
  /** The description that the record gets. */
  readonly description?: string | undefined;
  /** Requests at a time. Default 16. */
  readonly concurrency?: number | undefined;
  /**
   * Reports what the pods of hooks write, line by line (events `log-line`): `true`, all of them; or those of a label
   * selector, or of hooks such as `Job/backup`. Default false.
   */
  readonly logs?: LogChoice | undefined;
  /** Hooks that cannot succeed end before their time. Default true. */
  readonly failFast?: boolean | undefined;
  /** How long what is likely dead may go on without progress. Default 30 seconds. */
  readonly graceMs?: number | undefined;
}

const cascades = ['background', 'foreground', 'orphan'] as const;

/** The flags that are an uninstall's options; plan has them too. */
export const uninstallFlags = {
  cascade: {
    type: 'string',
    option: 'cascade',
    default: 'background',
    choices: cascades,
    as: cascadeOf,
    description:
      'Must be "background", "orphan", or "foreground". Selects the deletion cascading strategy for the dependents. Use "foreground" with --wait to ensure resources with finalizers are fully deleted before returning.',
  },
  'delete-hooks': {
    type: 'bool',
    option: 'deleteHooks',
    description: 'also delete hook objects, which are kept by default',
  },
  description: { type: 'string', option: 'description', description: 'add a custom description' },
  'dry-run': { type: 'bool', option: 'dryRun', description: 'simulate a uninstall' },
  ...failureFlags,
  'ignore-not-found': {
    type: 'bool',
    option: 'ignoreNotFound',
    description: 'Treat "release not found" as a successful uninstall',
  },
  'keep-history': {
    type: 'bool',
    option: 'keepHistory',
    description: 'remove all associated resources and mark the release as deleted, but retain the release history',
  },
  ...lockFlags,
  logs: {
    ...logsFlag.logs,
    description:
      'show what the pods of hooks write, line by line: all of them, those that match a label selector (app=web), or those of hooks (Job/backup)',
  },
  'keep-objects': {
    type: 'stringArray',
    option: 'keepObjects',
    alone: 'true',
    as: keepObjectsOf,
    placeholder: '[=SELECTOR]',
    description:
      'leave objects in the cluster, owned by no release: all of them, those that match a label selector, or a list such as ConfigMap/settings,Secret/keys (can be repeated)',
  },
  'no-hooks': { type: 'bool', option: 'noHooks', description: 'prevent hooks from running during uninstallation' },
  ...orderFlags,
  ...timeoutFlag,
  ...waitFlag,
} satisfies FlagRows<UninstallOptions>;

/** Refuses what is no name of a release, in Helm's words. Errors: `invalid-release-name`. */
export const checkUninstallName = (name: string): void =>
  checkName(name, `uninstall: Release name is invalid: ${name}`);

/** Errors: `bad-flag` for an empty value. */
function keepObjectsOf(texts: readonly string[]): KeepObjects {
  if (texts.includes('true')) return true;
  const chosen = texts.filter((text) => text !== 'false');
  if (!chosen.some((text) => text.trim() === '')) return chosen.length > 0 && chosen;
  const message =
    '--keep-objects= has no value; name objects such as ConfigMap/settings, give a label selector, or write --keep-objects alone to keep all';
  throw new TshelmError('bad-flag', { message });
}

function cascadeOf(text: string): (typeof cascades)[number] {
  const cascade = cascades.find((one) => one === text);
  if (cascade !== undefined) return cascade;
  const message = `invalid cascade value (${text}). Must be "background", "foreground", or "orphan"`;
  throw new TshelmError('bad-flag', { message });
}
