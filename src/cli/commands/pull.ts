import { Command } from 'commander';
import { accessFlags } from '../../actions/options/chart.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import type { ChartAccess } from '../../source/chart-access.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { offlineFlag } from '../flags/source-flags.ts';
import { type ImageFormat, imageFormats, printImages } from './images.ts';

const ownFlags = {
  ...offlineFlag,
  destination: {
    type: 'string',
    short: 'd',
    default: '.',
    description: 'location to write the chart. If this and untardir are specified, untardir is appended to this',
  },
  'image-list': {
    type: 'choice',
    alone: 'list',
    placeholder: 'format[="list"]',
    choices: imageFormats,
    description:
      'print the images that the chart would run with its default values instead of pulling it. Allowed values: list (one image per line, for mirroring), table, json, yaml; use `images` for other values',
  },
  prov: { type: 'bool', description: "fetch the provenance file, but don't perform verification" },
  untar: { type: 'bool', description: 'if set to true, will untar the chart after downloading it' },
  untardir: {
    type: 'string',
    default: '.',
    description:
      'if untar is specified, this flag specifies the name of the directory into which the chart is expanded',
  },
} satisfies Record<string, FlagSpec>;

const pullFlags = { ...accessFlags, ...ownFlags };

export interface PullRequest {
  readonly references: readonly string[];
  readonly access: ChartAccess;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runPull): Command =>
  flagCommand(
    'pull',
    pullFlags,
    { usage: '[chart URL | repo/chartname] [...] [flags]', words: { atLeast: 1 } },
    (words, flags) => run({ references: words, access: optionsOf(accessFlags, flags), flags }, context),
  )
    .alias('fetch')
    .description('download a chart from a repository and (optionally) unpack it in local directory');

async function runPull({ references, access, flags }: PullRequest, context: CliContext): Promise<void> {
  if (flags.imageList !== undefined) return listImages(flags.imageList, { references, access, flags }, context);
  const { sourcesOf } = await import('../sources/sources.ts');
  const { MissingOffline } = await import('../../source/missing-offline.ts');
  const { pullChart } = await import('../../source/pull-chart.ts');
  const { verifyArchive } = await import('../../session/sources.ts');
  const { defaultKeyring } = await import('../../source/provenance/keyring.ts');
  const { io } = context;
  const sources = await sourcesOf(flags, context).open({ ...access, tell: (text) => io.stdout.write(text) });
  const missing = new MissingOffline();
  for (const reference of references) {
    const pulled = pullChart(reference, {
      access: { ...access, keyring: access.keyring ?? defaultKeyring(io.env) },
      folder: flags.destination,
      untarFolder: flags.untar ? flags.untardir : undefined,
      provenance: access.verify ? 'verify' : flags.prov ? 'fetch' : 'none',
      tools: { sources, verify: verifyArchive },
    });
    io.stdout.write((await missing.collect(() => pulled)) ?? '');
  }
  missing.throwIfAny();
}

async function listImages(
  output: ImageFormat,
  { references, access, flags }: PullRequest,
  context: CliContext,
): Promise<void> {
  for (const chart of references) {
    await printImages({ chart, access, capabilities: {}, values: {}, flags: { ...flags, output } }, context);
  }
}
