import type { Command } from 'commander';
import type { ReleaseMetadata } from '../../actions/get.ts';
import { type GetValuesOptions, getFlags, getValuesFlags } from '../../actions/options/readings.ts';
import { type FlagSpec, type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { Dependency } from '../../chart/types.ts';
import { writeJson } from '../../go/json/json.ts';
import type { Value } from '../../go/value.ts';
import { compareText } from '../../support/order.ts';
import type { CliContext } from '../context.ts';
import { commandGroup, flagCommand } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { helmColors } from '../output/helm-colors.ts';
import { hooksText, releaseText, storedValues } from '../output/release-text.ts';
import type { GlobalFlags } from '../settings.ts';
import { formatted, formattedValue } from '../terminal/format.ts';
import { kindOf } from '../terminal/io.ts';

const optionFlags = { ...getFlags, ...getValuesFlags };

const templateFlag = {
  template: { type: 'string', description: 'go template for formatting the output, eg: {{.Release.Name}}' },
} satisfies Record<string, FlagSpec>;

export interface GetRequest {
  readonly options: GetValuesOptions;
  readonly flags: GlobalFlags & Partial<FlagsOf<typeof outputFlag & typeof templateFlag>>;
}
type GetRun = (request: GetRequest, context: CliContext) => Promise<void>;

export const getRuns: Readonly<Record<'all' | 'hooks' | 'manifest' | 'metadata' | 'notes' | 'values', GetRun>> = {
  all: getAll,
  hooks: getHooks,
  manifest: getManifest,
  metadata: getMetadataOf,
  notes: getNotes,
  values: getValuesOf,
};

/** The parts with what help says of them, and with their own flags. */
const parts: Readonly<Record<keyof typeof getRuns, readonly [description: string, flags: Record<string, FlagSpec>]>> = {
  all: ['download all information for a named release', { ...templateFlag, ...outputFlag }],
  hooks: ['download all hooks for a named release', {}],
  manifest: ['download the manifest for a named release', {}],
  metadata: ['This command fetches metadata for a given release', outputFlag],
  notes: ['download the notes for a named release', {}],
  values: ['download the values file for a named release', { ...getValuesFlags, ...outputFlag }],
};

export function command(context: CliContext, runs = getRuns): Command {
  const subcommands = Object.entries(parts).map(([part, [description, ownFlags]]) =>
    flagCommand(
      part,
      { ...ownFlags, ...getFlags },
      { usage: 'RELEASE_NAME [flags]', words: { exactly: 1 } },
      ([name = ''], given) => {
        const flags: GetRequest['flags'] & FlagsOf<typeof optionFlags> = given;
        return runs[part as keyof typeof runs]({ options: { ...optionsOf(optionFlags, flags), name }, flags }, context);
      },
    ).description(description),
  );
  return commandGroup('get', 'download extended information of a named release', subcommands, context);
}

async function release({ options, flags }: GetRequest, context: CliContext) {
  const { getRelease } = await import('../../actions/get.ts');
  return getRelease(options, await context.open(flags));
}

async function getAll({ options, flags }: GetRequest, context: CliContext): Promise<void> {
  const { getRelease } = await import('../../actions/get.ts');
  const { computedValues } = await import('../../release/computed-values.ts');
  const found = await getRelease(options, await context.open(flags));
  if (flags.template) {
    const { releaseTemplateText } = await import('../output/release-template.ts');
    context.io.stdout.write(releaseTemplateText(flags.template, found), 'data');
    return;
  }
  const { output = 'table' } = flags;
  if (output !== 'table') {
    const { releaseOutput } = await import('../output/release-output.ts');
    context.io.stdout.write(releaseOutput(found, output), 'data');
    return;
  }
  const everything = { suppliedValues: storedValues(found.config), computedValues: computedValues(found) };
  const colors = helmColors(context.settings(flags), context.io);
  context.io.stdout.write(releaseText(found, { showMetadata: true, everything, colors, io: context.io }), colors.kind);
}

async function getHooks(request: GetRequest, context: CliContext): Promise<void> {
  context.io.stdout.write(hooksText(await release(request, context)), 'data');
}

async function getManifest(request: GetRequest, context: CliContext): Promise<void> {
  context.io.stdout.write(`${(await release(request, context)).manifest}\n`, 'data');
}

async function getNotes(request: GetRequest, context: CliContext): Promise<void> {
  const { notes = '' } = (await release(request, context)).info;
  if (notes !== '') context.io.stdout.write(`NOTES:\n${notes}\n`);
}

async function getValuesOf({ options, flags }: GetRequest, context: CliContext): Promise<void> {
  const { getValues } = await import('../../actions/get.ts');
  const found = await getValues(options, await context.open(flags));
  const values = options.all ? found : storedValues(found);
  const title = options.all ? 'COMPUTED VALUES:' : 'USER-SUPPLIED VALUES:';
  const { output = 'table' } = flags;
  context.io.stdout.write(
    output === 'table' ? `${title}\n${formattedValue(values, 'yaml')}` : formattedValue(values, output),
    'data',
  );
}

async function getMetadataOf({ options, flags }: GetRequest, context: CliContext): Promise<void> {
  const { getMetadata } = await import('../../actions/get.ts');
  const metadata = await getMetadata(options, await context.open(flags));
  const { output = 'table' } = flags;
  context.io.stdout.write(
    output === 'table' ? metadataText(metadata) : formatted(metadataJson(metadata), output),
    kindOf(output),
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
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort(compareText)
    .join(',');
const orNone = <T extends object>(value: T): T | undefined => (Object.keys(value).length === 0 ? undefined : value);

/** Go's chart.Dependency: its fields in their order, those that are empty left out. */
const dependencyJson = (dependency: Dependency) => ({
  name: dependency.name,
  version: dependency.version || undefined,
  repository: dependency.repository ?? '',
  condition: dependency.condition || undefined,
  tags: orNone(dependency.tags ?? []),
  enabled: dependency.enabled || undefined,
  'import-values': orNone((dependency.importValues ?? []).map(plainValue)),
  alias: dependency.alias || undefined,
});

const plainValue = (value: unknown): unknown => JSON.parse(writeJson(value as Value));

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
