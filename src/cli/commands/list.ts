import { Command } from 'commander';
import { type ListOptions, listFlags } from '../../actions/options/readings.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import type { Release, ReleaseStatus } from '../../release/types.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags, type Request } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { helm3Flags } from '../flags/helm3-flags.ts';
import { type HelmColors, helmColors } from '../output/helm-colors.ts';
import { chartLabel } from '../output/release-text.ts';
import { formatTimeAs, timeCell, timeString } from '../output/time.ts';
import { type Cell, fittedTable } from '../terminal/fitted-table.ts';
import { formatted } from '../terminal/format.ts';
import { type Io, kindOf } from '../terminal/io.ts';

const ownFlags = {
  ...helm3Flags.list,
  deployed: { type: 'bool', description: 'show deployed releases' },
  failed: { type: 'bool', description: 'show failed releases' },
  filter: {
    type: 'string',
    short: 'f',
    description:
      'a regular expression (Perl compatible). Any releases that match the expression will be included in the results',
  },
  'no-headers': { type: 'bool', description: "don't print headers when using the default output format" },
  ...outputFlag,
  pending: { type: 'bool', description: 'show pending releases' },
  short: { type: 'bool', short: 'q', description: 'output short (quiet) listing format' },
  superseded: { type: 'bool', description: 'show superseded releases' },
  'time-format': {
    type: 'string',
    description: 'format time using golang time formatter. Example: --time-format "2006-01-02 15:04:05Z0700"',
  },
  uninstalled: {
    type: 'bool',
    description: "show uninstalled releases (if 'helm uninstall --keep-history' was used)",
  },
  uninstalling: { type: 'bool', description: 'show releases that are currently being uninstalled' },
} satisfies Record<string, FlagSpec>;

const flagsOfCommand = { ...listFlags, ...ownFlags };

type ListFlags = GivenFlags<typeof ownFlags>;

export const command = (context: CliContext, run = runList): Command =>
  flagCommand('list', flagsOfCommand, { usage: '[flags]', words: { exactly: 0 } }, async (_words, flags) => {
    const statuses = statusesOf(flags);
    await run({ options: { ...optionsOf(listFlags, flags), statuses }, flags }, context);
  })
    .alias('ls')
    .description('list releases');

async function runList({ options, flags }: Request<ListOptions, typeof ownFlags>, context: CliContext): Promise<void> {
  const { list } = await import('../../actions/list.ts');
  const session = await context.open(flags);
  const releases = await list({ ...options, matches: await nameFilter(flags.filter) }, session);
  const colors = helmColors(session.settings, context.io);
  const kind = flags.output === 'table' && !flags.short ? colors.kind : kindOf(flags.output);
  context.io.stdout.write(await listText(releases, flags, { colors, io: context.io }), kind);
}

/** Helm's state mask: no filter means every status. */
function statusesOf(flags: ListFlags): ReleaseStatus[] | undefined {
  const statuses: ReleaseStatus[] = [
    ...(flags.deployed ? (['deployed'] as const) : []),
    ...(flags.failed ? (['failed'] as const) : []),
    ...(flags.pending ? (['pending-install', 'pending-rollback', 'pending-upgrade'] as const) : []),
    ...(flags.uninstalled ? (['uninstalled'] as const) : []),
    ...(flags.uninstalling ? (['uninstalling'] as const) : []),
    ...(flags.superseded ? (['superseded'] as const) : []),
  ];
  return statuses.length === 0 ? undefined : statuses;
}

async function nameFilter(filter: string | undefined): Promise<((name: string) => boolean) | undefined> {
  if (filter === undefined || filter === '') return undefined;
  const { compileRegexp } = await import('../../go/regexp.ts');
  try {
    const regexp = compileRegexp(filter);
    return (name) => regexp.matches(name);
  } catch (cause) {
    throw new TshelmError('bad-filter', { message: messageOf(cause), cause });
  }
}

interface Manner {
  readonly colors: HelmColors;
  readonly io: Io;
}

async function listText(releases: readonly Release[], flags: ListFlags, { colors, io }: Manner): Promise<string> {
  const names = releases.map((release) => release.name);
  if (flags.short) {
    return flags.output === 'table' ? names.map((name) => `${name}\n`).join('') : formatted(names, flags.output);
  }
  const elements = await Promise.all(releases.map((release) => element(release, flags.timeFormat)));
  if (flags.output !== 'table') return formatted(elements, flags.output);
  const rows = elements.map((one, index) => [
    one.name,
    colors.namespace(one.namespace),
    one.revision,
    updatedCell(one.updated, releases[index], flags.timeFormat),
    colors.status(one.status),
    one.chart,
    one.app_version,
  ]);
  const header = ['NAME', 'NAMESPACE', 'REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION'];
  const hasHeader = !flags.noHeaders;
  return fittedTable(hasHeader ? [header.map(colors.header), ...rows] : rows, io, { hasHeader });
}

const element = async (release: Release, timeFormat: string | undefined) => ({
  name: release.name,
  namespace: release.namespace,
  revision: String(release.version),
  updated: await updatedText(release.info.lastDeployed, timeFormat),
  status: release.info.status,
  chart: chartLabel(release),
  app_version: release.chart.metadata.appVersion ?? '',
});

async function updatedText(time: string | undefined, layout: string | undefined): Promise<string> {
  if (time === undefined) return '-';
  return layout ? formatTimeAs(time, layout) : timeString(time);
}

/** A time in a layout of the user's own stays as it is. */
const updatedCell = (text: string, release: Release | undefined, timeFormat: string | undefined): Cell => {
  const time = release?.info.lastDeployed;
  return time === undefined || timeFormat ? text : timeCell(time, text);
};
