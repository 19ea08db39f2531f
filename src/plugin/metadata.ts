import { messageOf, TshelmError } from '../support/errors.ts';
import { YamlError } from '../yaml/index.ts';
import { type Fields, readStruct } from './fields.ts';
import type { PlatformCommand, Plugin, PluginConfig, PluginHooks, ProtocolCommand } from './types.ts';

/**
 * What a plugin.yaml says: Helm 4's `apiVersion: v1`, or the file of Helm 3, which names no version. Errors:
 * `invalid-plugin`, in Helm's words. Go: internal/plugin.loadMetadata.
 */
export function readPlugin(text: string, directory: string): Plugin {
  const apiVersion = withYamlErrors('failed to peek plugin.yaml API version: ', () =>
    readStruct(text, 'plugin.apiVersion', (fields) => fields.text('apiVersion')),
  );
  switch (apiVersion) {
    case '':
      return readLegacy(
        withYamlErrors('', () => readStruct(text, 'plugin.MetadataLegacy', legacyFile)),
        directory,
      );
    case 'v1':
      return readVersion1(
        withYamlErrors('', () => readStruct(text, 'plugin.MetadataV1', version1File)),
        directory,
      );
    default:
      throw invalid(`invalid plugin apiVersion: ${JSON.stringify(apiVersion)}`);
  }
}

function withYamlErrors<T>(prefix: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    throw invalid(`${prefix}${messageOf(cause)}`, cause);
  }
}

const version1Fields = ['apiVersion', 'name', 'type', 'runtime', 'version', 'sourceURL', 'config', 'runtimeConfig'];
const configTypes: Readonly<Record<string, { readonly type: string; readonly fields: readonly string[] }>> = {
  'cli/v1': { type: 'schema.ConfigCLIV1', fields: ['usage', 'shortHelp', 'longHelp', 'ignoreFlags'] },
  'getter/v1': { type: 'schema.ConfigGetterV1', fields: ['protocols'] },
  'postrenderer/v1': { type: 'schema.ConfigPostRendererV1', fields: [] },
  'test/v1': { type: 'schema.ConfigTestV1', fields: [] },
};

/** The plugin.yaml of Helm 4, as it is there. */
function version1File(fields: Fields) {
  fields.refuseOthers(version1Fields, 'plugin.MetadataV1');
  const type = fields.text('type');
  const config = fields.within('config', 'map[string]interface {}');
  const known = configTypes[type];
  if (known !== undefined) config.refuseOthers(known.fields, known.type);
  const run = fields.within('runtimeConfig', 'map[string]interface {}');
  return {
    name: fields.text('name'),
    version: fields.text('version'),
    type,
    runtime: fields.text('runtime'),
    sourceUrl: fields.text('sourceURL'),
    config: {
      usage: config.text('usage'),
      shortHelp: config.text('shortHelp'),
      longHelp: config.text('longHelp'),
      ignoreFlags: config.flag('ignoreFlags'),
      protocols: config.texts('protocols'),
    },
    commands: commandsOf(run, 'platformCommand'),
    hooks: hooksOf(run.within('platformHooks', 'plugin.PlatformHooks')),
    protocols: run.each('protocolCommands', 'plugin.SubprocessProtocolCommand').map(
      (one): ProtocolCommand => ({
        protocols: one.texts('protocols'),
        commands: commandsOf(one, 'platformCommand'),
      }),
    ),
  };
}

function readVersion1(file: ReturnType<typeof version1File>, directory: string): Plugin {
  const { name, version, type, runtime, config } = file;
  if (!isName(name)) throw invalid('invalid plugin `name`');
  if (version === '') throw invalid('plugin `version` is required');
  if (!isVersion(version)) throw invalid(`invalid plugin \`version\` ${JSON.stringify(version)}: must be valid semver`);
  if (type === '') throw invalid('`type` missing');
  if (runtime === '') throw invalid('`runtime` missing');
  const unconverted = 'failed to convert MetadataV1 to Metadata: ';
  if (configTypes[type] === undefined) throw invalid(`${unconverted}unknown plugin type ${JSON.stringify(type)}`);
  if (runtime !== 'extism/v1' && runtime !== 'subprocess')
    throw invalid(`${unconverted}unsupported plugin runtime type: ${JSON.stringify(runtime)}`);
  checkConfig(type, config);
  // Variables in the arguments of hooks stay as they are: Helm loses its mark for it on the way.
  const common = { ...file, runtime, apiVersion: 'v1', directory, expandsHooks: false } as const;
  return runtime === 'subprocess' ? common : { ...common, commands: [], hooks: {}, protocols: [] };
}

function checkConfig(type: string, { protocols }: PluginConfig): void {
  if (type === 'getter/v1' && protocols.length === 0)
    throw invalid('config validation failed: getter has no protocols');
  const empty = protocols.indexOf('');
  if (empty >= 0) throw invalid(`config validation failed: getter has empty protocol at index ${empty}`);
}

/** The plugin.yaml of Helm 3, as it is there. */
function legacyFile(fields: Fields) {
  const hooks = fields.within('hooks', 'plugin.Hooks');
  return {
    name: fields.text('name'),
    version: fields.text('version'),
    usage: fields.text('usage'),
    description: fields.text('description'),
    ignoreFlags: fields.flag('ignoreFlags'),
    command: fields.text('command'),
    commands: commandsOf(fields, 'platformCommand'),
    hooks: hooksOf(fields.within('platformHooks', 'plugin.PlatformHooks')),
    plainHooks: hooks.names.map((event) => [event, hooks.text(event)] as const),
    downloaders: fields.each('downloaders', 'plugin.Downloaders').map((one) => ({
      command: one.text('command'),
      args: one.texts('args'),
      protocols: one.texts('protocols'),
    })),
  };
}

function readLegacy(file: ReturnType<typeof legacyFile>, directory: string): Plugin {
  const { name, version, command, commands, hooks, plainHooks } = file;
  if (!isName(name))
    throw invalid(`invalid plugin name ${JSON.stringify(name)}: must contain only a-z, A-Z, 0-9, _ and -`);
  if (version !== '' && !isVersion(version))
    throw invalid(`invalid plugin version ${JSON.stringify(version)}: must be valid semver`);
  if (commands.length > 0 && command !== '') throw invalid('both platformCommand and command are set');
  if (Object.keys(hooks).length > 0 && plainHooks.length > 0) throw invalid('both platformHooks and hooks are set');
  const protocols = file.downloaders.map(downloaderOf);
  return {
    name,
    version,
    apiVersion: 'legacy',
    type: protocols.length > 0 ? 'getter/v1' : 'cli/v1',
    runtime: 'subprocess',
    directory,
    sourceUrl: '',
    config: {
      usage: '',
      shortHelp: printableOf(file.usage),
      longHelp: file.description,
      ignoreFlags: file.ignoreFlags,
      protocols: protocols.flatMap((one) => one.protocols),
    },
    commands: commands.length > 0 || command === '' ? commands : [{ command, args: [] }],
    hooks:
      plainHooks.length === 0 ? hooks : Object.fromEntries(plainHooks.map(([event, text]) => [event, [shell(text)]])),
    expandsHooks: plainHooks.length === 0,
    protocols,
  };
}

const shell = (command: string): PlatformCommand => ({ command: 'sh', args: ['-c', command] });

interface Downloader {
  readonly args: readonly string[];
  readonly command: string;
  readonly protocols: readonly string[];
}

function downloaderOf({ command, args, protocols }: Downloader, index: number): ProtocolCommand {
  if (command === '') throw invalid(`downloader ${index} has empty command`);
  if (protocols.length === 0) throw invalid(`downloader ${index} has no protocols`);
  const empty = protocols.indexOf('');
  if (empty >= 0) throw invalid(`downloader ${index} has empty protocol at index ${empty}`);
  return { protocols, commands: [{ command, args }] };
}

const commandsOf = (fields: Fields, name: string): PlatformCommand[] =>
  fields.each(name, 'plugin.PlatformCommand').map((one) => ({
    os: one.text('os'),
    arch: one.text('arch'),
    command: one.text('command'),
    args: one.texts('args'),
  }));

const hooksOf = (fields: Fields): PluginHooks =>
  Object.fromEntries(fields.names.map((event) => [event, commandsOf(fields, event)]));

const isName = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name);
const isVersion = (version: string): boolean =>
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/.test(
    version,
  );

/** Spaces for what is white, and nothing for what cannot be printed. */
const printableOf = (text: string): string => text.replace(/\s/g, ' ').replace(/[\p{C}]/gu, '');

const invalid = (message: string, cause?: unknown): TshelmError =>
  new TshelmError('invalid-plugin', { message, cause });
