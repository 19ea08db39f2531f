import { Command } from 'commander';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { atoi } from '../../support/strconv.ts';
import { requireArguments } from '../arguments.ts';
import { deployOptions, postRendererOf, valueOptions } from '../chart-flags.ts';
import type { CliContext } from '../context.ts';
import { type DiffFlags, diffFlags, writeDiff } from '../diff-flags.ts';
import type { FlagSpec } from '../flag-option.ts';
import { addFlags } from '../flags.ts';
import { recordOptions } from '../record-flags.ts';
import { type RollbackFlags, rollbackFlags } from './rollback.ts';
import { applyMode, type UpgradeFlags, upgradeFlags } from './upgrade.ts';

export type DiffUpgradeFlags = DiffFlags & Omit<UpgradeFlags, 'output'> & { readonly allowUnreleased?: boolean };
export type DiffRollbackFlags = DiffFlags & RollbackFlags;

const runs = { upgrade: diffUpgrade, rollback: diffRollback, revision: diffRevision, release: diffRelease };

/** `diff RELEASE CHART`, and the forms of the helm-diff plugin. */
export const diffCommand = (context: CliContext, run = runs): Command => {
  const { maxHistory } = context.settings({});
  const ofUpgrade = { ...relevantOnly(upgradeFlags(maxHistory)), ...unreleasedFlag, ...diffFlags };
  const upgradeAction = async (words: string[], _flags: unknown, command: Command): Promise<void> => {
    requireArguments(command, words, { exactly: 2 });
    await run.upgrade(words[0] as string, words[1] as string, command.optsWithGlobals<DiffUpgradeFlags>(), context);
  };
  const rollback = addFlags(new Command('rollback'), { ...relevantOnly(rollbackFlags(maxHistory)), ...diffFlags })
    .description('show what a rollback would change in the cluster')
    .argument('[words...]')
    .usage('RELEASE [REVISION] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { atLeast: 1 });
      requireArguments(command, words, { atMost: 2 });
      await run.rollback(
        words[0] as string,
        revisionOf(words[1]),
        command.optsWithGlobals<DiffRollbackFlags>(),
        context,
      );
    });
  const revision = addFlags(new Command('revision'), diffFlags)
    .description('show what differs between two revisions of a release, or between one and the newest')
    .argument('[words...]')
    .usage('RELEASE REVISION [REVISION] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { atLeast: 2 });
      requireArguments(command, words, { atMost: 3 });
      const [from, to] = [revisionOf(words[1]), revisionOf(words[2])];
      await run.revision(words[0] as string, from as number, to, command.optsWithGlobals<DiffFlags>(), context);
    });
  const release = addFlags(new Command('release'), diffFlags)
    .description('show what differs between the newest revisions of two releases')
    .argument('[words...]')
    .usage('RELEASE RELEASE [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 2 });
      await run.release(words[0] as string, words[1] as string, command.optsWithGlobals<DiffFlags>(), context);
    });
  return addFlags(new Command('diff'), ofUpgrade)
    .description('show what an upgrade, or with --install an install, would change in the cluster')
    .argument('[words...]')
    .usage('RELEASE CHART [flags]')
    .action(upgradeAction)
    .addCommand(
      addFlags(new Command('upgrade'), ofUpgrade)
        .description('the same as diff RELEASE CHART')
        .argument('[words...]')
        .usage('RELEASE CHART [flags]')
        .action(upgradeAction),
    )
    .addCommand(rollback)
    .addCommand(revision)
    .addCommand(release);
};

/** The plugin's name for --install. */
const unreleasedFlag = {
  'allow-unreleased': { type: 'bool', hidden: true, description: 'the same as --install' },
} satisfies Record<string, FlagSpec>;

const irrelevantFlags = [
  'cleanup-on-fail',
  'description',
  'dry-run',
  'eager',
  'hide-notes',
  'hide-secret',
  'history-max',
  'labels',
  'readiness-timeout',
  'render-subchart-notes',
  'rollback-on-failure',
  'timeout',
  'trim-record',
  'wait',
  'wait-for-jobs',
];

/** A deploy's command line is a diff's too: flags that change nothing here are taken, and help does not show them. */
const relevantOnly = (flags: Readonly<Record<string, FlagSpec>>): Record<string, FlagSpec> =>
  Object.fromEntries(
    Object.entries(flags).map(([name, spec]) => [
      name,
      irrelevantFlags.includes(name) ? { ...spec, hidden: true } : spec,
    ]),
  );

async function diffUpgrade(
  name: string,
  reference: string,
  flags: DiffUpgradeFlags,
  context: CliContext,
): Promise<void> {
  const serverSide = applyMode(flags.serverSide);
  const { loadRequest } = await import('../load-request.ts');
  const { chart, values } = await loadRequest(reference, valueOptions(flags), context);
  const { diffUpgrade: compare } = await import('../../actions/diff.ts');
  const session = await context.open(flags, { postRenderer: postRendererOf(flags) });
  const diff = await compare(
    chart,
    values,
    {
      ...deployOptions(flags),
      ...recordOptions(flags),
      hideSecret: undefined,
      name,
      install: flags.install || flags.allowUnreleased,
      resetThenReuseValues: flags.resetThenReuseValues,
      resetValues: flags.resetValues,
      reuseValues: flags.reuseValues,
      serverSide,
      showSecrets: flags.showSecrets,
    },
    session,
  );
  await writeDiff(diff, flags, context);
}

async function diffRollback(
  name: string,
  revision: number | undefined,
  flags: DiffRollbackFlags,
  context: CliContext,
): Promise<void> {
  const { diffRollback: compare } = await import('../../actions/diff.ts');
  const options = {
    name,
    revision,
    forceConflicts: flags.forceConflicts,
    forceReplace: flags.forceReplace || flags.force,
    noHooks: flags.noHooks,
    serverSide: applyMode(flags.serverSide),
    concurrency: flags.concurrency,
    showSecrets: flags.showSecrets,
  };
  await writeDiff(await compare(options, await context.open(flags)), flags, context);
}

async function diffRevision(
  name: string,
  from: number,
  to: number | undefined,
  flags: DiffFlags,
  context: CliContext,
): Promise<void> {
  const { diffRevisions } = await import('../../actions/comparison/diff-manifests.ts');
  const session = await context.open(flags);
  await writeDiff(await diffRevisions({ name, from, to, showSecrets: flags.showSecrets }, session), flags, context);
}

async function diffRelease(first: string, second: string, flags: DiffFlags, context: CliContext): Promise<void> {
  const { diffTwoReleases } = await import('../../actions/comparison/diff-manifests.ts');
  const session = await context.open(flags);
  await writeDiff(await diffTwoReleases({ first, second, showSecrets: flags.showSecrets }, session), flags, context);
}

function revisionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    return Number(atoi(text));
  } catch (cause) {
    const message = `could not convert revision to a number: ${messageOf(cause)}`;
    throw new TshelmError('bad-arguments', { message, cause });
  }
}
