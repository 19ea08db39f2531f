import { Command } from 'commander';
import type { ReleaseMetadata } from '../../actions/get.ts';
import type { Dependency } from '../../chart/types.ts';
import { sortedEntries } from '../../support/order.ts';
import { requireArguments } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import type { FlagSpec, OutputFormat } from '../flag-option.ts';
import { addFlags, outputFlag } from '../flags.ts';
import { formatted, formattedValue } from '../output/format.ts';
import { hooksText, releaseText, storedValues } from '../output/release-text.ts';
import type { GlobalFlags } from '../settings.ts';

export interface GetFlags extends GlobalFlags {
  readonly all?: boolean;
  readonly output: OutputFormat;
  readonly revision?: number;
  readonly template?: string;
}

type GetRun = (name: string, flags: GetFlags, context: CliContext) => Promise<void>;

export const getRuns: Readonly<Record<'all' | 'hooks' | 'manifest' | 'metadata' | 'notes' | 'values', GetRun>> = {
  all: getAll,
  hooks: getHooks,
  manifest: getManifest,
  metadata: getMetadataOf,
  notes: getNotes,
  values: getValuesOf,
};

export function getCommand(context: CliContext, runs = getRuns): Command {
  const command = new Command('get').description('download extended information of a named release').usage('[command]');
  const add = (name: keyof typeof runs, description: string, flags: Record<string, FlagSpec> = {}): void => {
    const subcommand = addFlags(new Command(name), {
      ...flags,
      revision: { type: 'int', description: 'get the named release with revision' },
    })
      .description(description)
      .argument('[release...]')
      .usage('RELEASE_NAME [flags]')
      .action(async (words: string[], _flags, self: Command) => {
        requireArguments(self, words, { exactly: 1 });
        await runs[name](words[0] as string, self.optsWithGlobals<GetFlags>(), context);
      });
    command.addCommand(subcommand);
  };
  add('all', 'download all information for a named release', {
    template: { type: 'string', description: 'go template for formatting the output, eg: {{.Release.Name}}' },
  });
  add('hooks', 'download all hooks for a named release');
  add('manifest', 'download the manifest for a named release');
  add('metadata', 'This command fetches metadata for a given release', outputFlag);
  add('notes', 'download the notes for a named release');
  add('values', 'download the values file for a named release', {
    all: { type: 'bool', short: 'a', description: 'dump all (computed) values' },
    ...outputFlag,
  });
  // As in Helm, an unknown name is no mistake here.
  return command.argument('[words...]').action(() => context.io.stdout.write(command.helpInformation()));
}

async function release(name: string, flags: GetFlags, context: CliContext) {
  const { getRelease } = await import('../../actions/get.ts');
  return getRelease({ name, revision: flags.revision }, await context.open(flags));
}

async function getAll(name: string, flags: GetFlags, context: CliContext): Promise<void> {
  const { getRelease, computedValues } = await import('../../actions/get.ts');
  const found = await getRelease({ name, revision: flags.revision }, await context.open(flags));
  if (flags.template) {
    const { releaseTemplateText } = await import('../output/release-template.ts');
    context.io.stdout.write(releaseTemplateText(flags.template, found));
    return;
  }
  const everything = { suppliedValues: storedValues(found.config), computedValues: computedValues(found) };
  context.io.stdout.write(releaseText(found, { showMetadata: true, everything }));
}

async function getHooks(name: string, flags: GetFlags, context: CliContext): Promise<void> {
  context.io.stdout.write(hooksText(await release(name, flags, context)));
}

async function getManifest(name: string, flags: GetFlags, context: CliContext): Promise<void> {
  context.io.stdout.write(`${(await release(name, flags, context)).manifest}\n`);
}

async function getNotes(name: string, flags: GetFlags, context: CliContext): Promise<void> {
  const { notes = '' } = (await release(name, flags, context)).info;
  if (notes !== '') context.io.stdout.write(`NOTES:\n${notes}\n`);
}

async function getValuesOf(name: string, flags: GetFlags, context: CliContext): Promise<void> {
  const { getValues } = await import('../../actions/get.ts');
  const found = await getValues({ name, revision: flags.revision, all: flags.all }, await context.open(flags));
  const values = flags.all ? found : storedValues(found);
  const title = flags.all ? 'COMPUTED VALUES:' : 'USER-SUPPLIED VALUES:';
  context.io.stdout.write(
    flags.output === 'table' ? `${title}\n${formattedValue(values, 'yaml')}` : formattedValue(values, flags.output),
  );
}

async function getMetadataOf(name: string, flags: GetFlags, context: CliContext): Promise<void> {
  const { getMetadata } = await import('../../actions/get.ts');
  const metadata = await getMetadata({ name, revision: flags.revision }, await context.open(flags));
  context.io.stdout.write(
    flags.output === 'table' ? metadataText(metadata) : formatted(metadataJson(metadata), flags.output),
  );
}

const applyMethods: Readonly<Record<string, string>> = {
  '': 'client-side apply (defaulted)',
  csa: 'client-side apply',
  ssa: 'server-side apply',
};

function metadataText(metadata: ReleaseMetadata): string {
  const lines: [string, string | number][] = [
    ['NAME', metadata.name],
    ['CHART', metadata.chart],
    ['VERSION', metadata.version],
    ['APP_VERSION', metadata.appVersion],
    ['ANNOTATIONS', labelText(metadata.annotations)],
    ['LABELS', labelText(metadata.labels)],
    [
      'DEPENDENCIES',
      metadata.dependencies
        .map((one) => one.name)
        .sort()
        .join(','),
    ],
    ['NAMESPACE', metadata.namespace],
    ['REVISION', metadata.revision],
    ['STATUS', metadata.status],
    ['DEPLOYED_AT', metadata.deployedAt],
    ['APPLY_METHOD', applyMethods[metadata.applyMethod] ?? `unknown (${JSON.stringify(metadata.applyMethod)})`],
  ];
  return lines.map(([title, text]) => `${title}: ${text}\n`).join('');
}

const labelText = (labels: Readonly<Record<string, string>>): string =>
  sortedEntries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
const orNone = <T extends object>(value: T): T | undefined => (Object.keys(value).length === 0 ? undefined : value);

/** Lists that are there and empty are left out, as Go's omitempty does. */
const dependencyJson = ({ tags = [], importValues = [], ...dependency }: Dependency) => ({
  ...dependency,
  tags: orNone(tags),
  importValues: orNone(importValues),
});

const metadataJson = (metadata: ReleaseMetadata) => ({
  name: metadata.name,
  chart: metadata.chart,
  version: metadata.version,
  appVersion: metadata.appVersion,
  annotations: orNone(metadata.annotations),
  labels: orNone(metadata.labels),
  dependencies: orNone(metadata.dependencies.map(dependencyJson)),
  namespace: metadata.namespace,
  revision: metadata.revision,
  status: metadata.status,
  deployedAt: metadata.deployedAt,
  applyMethod: metadata.applyMethod || undefined,
});
