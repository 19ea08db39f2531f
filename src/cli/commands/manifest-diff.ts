import type { ManifestComparison } from '../../actions/manifest-diff/compare.ts';
import { type ChartInputs, capabilityFlags } from '../../actions/options/chart.ts';
import type { UpgradeOptions } from '../../actions/options/upgrade.ts';
import type { Context } from '../../change/context.ts';
import { type FlagSpec, type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { Release } from '../../release/types.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { readRevision } from '../flags/arguments.ts';
import type { postRendererFlags } from '../flags/chart-flags.ts';
import {
  isTrue,
  type ManifestDiffFlags,
  type ManifestDiffSettings,
  manifestDiffFlags,
  manifestDiffSettings,
} from '../output/manifest-diff-flags.ts';
import type { SourceFlags } from '../sources/named-chart.ts';
import { postRendererOf } from '../sources/post-renderer.ts';
import { kindOf, showsMoreThanHelm } from '../terminal/io.ts';

/** What `diff upgrade` has beside the flags of `upgrade`. */
export const manifestUpgradeFlags = {
  'allow-unreleased': {
    type: 'bool',
    description: 'enables diffing of releases that are not yet deployed, as --install',
  },
  ...capabilityFlags,
  'disable-validation': {
    type: 'bool',
    description: 'do not ask the cluster for its capabilities, nor validate against it',
  },
  'dry-run': {
    type: 'choice',
    placeholder: 'string[=client]',
    alone: 'client',
    parse: dryRunOf,
    description:
      '"client" (also true, or the flag without a value) does not contact the cluster and shows everything as added; "server" and false behave as if the flag were not set',
  },
  'include-crds': { type: 'bool', description: 'include CRDs in the diffing' },
  'three-way-merge': {
    type: 'bool',
    description: 'compare the live objects with the result of a server-side dry run',
  },
  ...manifestDiffFlags,
} satisfies Record<string, FlagSpec>;

function dryRunOf(text: string): string {
  if (['server', 'client', 'true', 'false', 'none'].includes(text)) return text;
  throw new Error('must take a bool value or either "client" or "server"');
}

export interface ManifestUpgradeRequest extends ChartInputs {
  readonly chart: string;
  readonly options: UpgradeOptions;
  readonly flags: SourceFlags & ManifestDiffFlags & FlagsOf<typeof manifestUpgradeFlags & typeof postRendererFlags>;
}

/** `diff upgrade RELEASE CHART`: the recorded manifest and the rendered one. Follows helm-diff's upgrade.go. */
export async function runManifestUpgrade(request: ManifestUpgradeRequest, context: CliContext): Promise<void> {
  const { options, flags } = request;
  const { env } = context.io;
  const settings = await manifestDiffSettings(flags, context);
  const isOffline = flags.dryRun === 'client' || flags.dryRun === 'true';
  const session = await context.open(flags, { postRenderer: postRendererOf(flags, context), isOffline });
  const current = isOffline ? undefined : await currentRevision(options, session, context);
  const { baseValues, compareUpgrade } = await import('../../actions/manifest-diff/upgrade.ts');
  const hasOwnValues = Object.values(request.values).some((given: readonly string[]) => given.length > 0);
  const base = baseValues(current, { ...options, hasOwnValues });
  const { loadRequest } = await import('../sources/load-request.ts');
  const { chart, values } = await loadRequest(
    { ...request, reference: request.chart, values: { ...request.values, base } },
    context,
  );
  if (base.size === 0 && showsMoreThanHelm(context.io)) {
    const { warnOfUnreadValues } = await import('../print-problems.ts');
    const title = `diff ${options.name}`;
    await warnOfUnreadValues({ title, chart: request.chart, loaded: { chart, values } }, context);
  }
  const asksCluster = !isOffline && !flags.disableValidation && flags.dryRun !== 'false';
  const render = {
    ...optionsOf(capabilityFlags, flags),
    cluster: asksCluster ? await session.cluster() : undefined,
    downloadSchema: async (url: string) =>
      (await import('../sources/sources.ts')).sourcesOf(flags, context).schema(url),
    enableDns: options.enableDns,
    includeCrds: flags.includeCrds,
    isUpgrade: current !== undefined || isOffline,
    noHooks: options.noHooks,
    noLookup: options.noLookup,
    now: context.io.now,
    secrets: context.secrets,
    postRenderer: postRendererOf(flags, context),
    signal: session.signal,
    skipSchemaValidation: options.skipSchemaValidation,
  };
  const comparison = await compareUpgrade(
    {
      ...settings,
      name: options.name,
      chart,
      values,
      current,
      render,
      dryRun: isTrue(env['HELM_DIFF_USE_UPGRADE_DRY_RUN']) ? options : undefined,
      takeOwnership: options.takeOwnership,
      threeWayMerge: flags.threeWayMerge ?? isTrue(env['HELM_DIFF_THREE_WAY_MERGE']),
    },
    session,
  );
  await writeComparison(comparison, settings, context);
}

const unreleased =
  '********************\n\n\tRelease was not present in Helm.  Include the `--allow-unreleased` to perform diff without exiting in error.\n\n********************\n';

async function currentRevision(
  { name, install }: UpgradeOptions,
  session: Context,
  context: CliContext,
): Promise<Release | undefined> {
  const { newestRevision } = await import('../../actions/manifest-diff/upgrade.ts');
  const current = await newestRevision(name, session);
  if (current !== undefined || install) return current;
  context.io.stderr.write(unreleased);
  throw new TshelmError('release-not-found', { message: 'release: not found', details: { release: name } });
}

export interface RecordRequest {
  readonly words: readonly string[];
  readonly flags: ManifestDiffFlags;
}
export type RecordRun = (request: RecordRequest, context: CliContext) => Promise<void>;

/** `diff revision RELEASE REVISION [REVISION]`: two records, the older first. */
export const runManifestRevision: RecordRun = async ({ words: [name = '', first, second], flags }, context) => {
  const settings = await manifestDiffSettings(flags, context);
  const { compareRevisions } = await import('../../actions/manifest-diff/records.ts');
  const revisions = [readRevision(first ?? ''), second === undefined ? undefined : readRevision(second)] as const;
  const comparison = await compareRevisions(name, revisions, settings, await context.open(flags));
  await writeComparison(comparison, settings, context);
};

/** `diff rollback RELEASE [REVISION]`: from the newest record to the one that a rollback goes to. */
export const runManifestRollback: RecordRun = async ({ words: [name = '', revision], flags }, context) => {
  const settings = await manifestDiffSettings(flags, context);
  const { compareRollback } = await import('../../actions/manifest-diff/records.ts');
  const wanted = revision === undefined ? undefined : readRevision(revision);
  const comparison = await compareRollback(name, wanted, settings, await context.open(flags));
  await writeComparison(comparison, settings, context);
  if (!context.io.stderr.isTerminal || settings.format !== 'diff') return;
  const { fullCommand } = await import('../errors/next-command.ts');
  const live = await fullCommand(context, { more: ['--live'] });
  context.io.stderr.write(`this compares the records, as helm-diff does; what changes in the cluster:\n  ${live}\n`);
};

/** `diff release [NAMESPACE/]RELEASE [NAMESPACE/]RELEASE`: two releases of one chart. */
export const runManifestRelease: RecordRun = async ({ words, flags }, context) => {
  const settings = await manifestDiffSettings(flags, context);
  const { findRelease } = await import('../../actions/find-release.ts');
  const { compareReleases } = await import('../../actions/manifest-diff/records.ts');
  const sideOf = async (word: string) => {
    const at = word.indexOf('/');
    const session = await context.open(at < 0 ? flags : { ...flags, namespace: word.slice(0, at) });
    const release = await findRelease(word.slice(at + 1), undefined, session);
    return { release, namespace: session.namespace };
  };
  const [first, second] = [await sideOf(words[0] ?? ''), await sideOf(words[1] ?? '')];
  const [from, to] = [first.release.chart.metadata.name, second.release.chart.metadata.name];
  if (from !== to) {
    const text = `Unable to compare releases from two different charts "${from}", "${to}".`;
    context.io.stdout.write(`Error : Incomparable Releases \n ${text} \n try helm diff release --help to know more \n`);
    return;
  }
  await writeComparison(compareReleases(first, second, settings), settings, context);
};

const changedMessage =
  'identified at least one change, exiting with non-zero exit code (detailed-exitcode parameter enabled)';

async function writeComparison(
  comparison: ManifestComparison,
  settings: ManifestDiffSettings,
  context: CliContext,
): Promise<void> {
  const { manifestDiffText, shownChanges } = await import('../output/manifest-diff.ts');
  const changes = shownChanges(comparison.changes, settings);
  const isText = settings.format === 'diff' || settings.format === 'simple';
  context.io.stdout.write(manifestDiffText(changes, settings), isText ? 'painted' : kindOf(settings.format));
  if (
    !settings.exitsWithChanges ||
    !comparison.hasChanges ||
    (settings.format === 'structured' && changes.length === 0)
  )
    return;
  context.io.stderr.write(`Error: ${changedMessage}\n`);
  context.endWith(2);
}

/** Errors: `wrong-arguments`, in helm-diff's words. */
export function requireWords(words: readonly string[], ...names: readonly string[]): void {
  if (words.length === names.length) return;
  const message = `This command needs ${names.length} arguments: ${names.join(', ')}`;
  throw new TshelmError('wrong-arguments', { message });
}

/** The same for `revision`, which takes one revision or two. */
export function checkRevisions(words: readonly string[]): void {
  if (words.length === 2 || words.length === 3) return;
  const [much, rule] = words.length < 2 ? ['few', 'Minimum 2'] : ['many', 'Maximum 3'];
  const names = words.length < 2 ? 'required: release name, revision' : 'allowed: release name, revision1, revision2';
  throw new TshelmError('wrong-arguments', {
    message: `Too ${much} arguments to Command "revision".\n${rule} arguments ${names}`,
  });
}
