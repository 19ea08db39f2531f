import { messageOf, TshelmError } from '../support/errors.ts';
import { readPlainYaml } from '../yaml/index.ts';
import type { PlatformCommand, Plugin, PluginConfig, PluginHooks, ProtocolCommand } from './types.ts';

/**
 * What a plugin.yaml says: Helm 4's `apiVersion: v1`, or the file of Helm 3, which names no version. Errors:
 * `invalid-plugin`, in Helm's words. Go: internal/plugin.loadMetadata.
 */
export function readPlugin(text: string, directory: string): Plugin {
  const fields = mapOf(readFields(text));
  switch (fields['apiVersion'] ?? '') {
    case '':
      return readLegacy(fields, directory);
    case 'v1':
      return readVersion1(fields, directory);
    default:
      throw invalid(`invalid plugin apiVersion: ${JSON.stringify(fields['apiVersion'])}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function readFields(text: string): unknown {
  try {
    return readPlainYaml(text);
  } catch (cause) {
    throw invalid(`failed to peek plugin.yaml API version: ${messageOf(cause)}`, cause);
  }
}

const version1Fields = ['apiVersion', 'name', 'type', 'runtime', 'version', 'sourceURL', 'config', 'runtimeConfig'];
const configFields: Readonly<Record<string, readonly string[]>> = {
  'cli/v1': ['usage', 'shortHelp', 'longHelp', 'ignoreFlags'],
  'getter/v1': ['protocols'],
  'postrenderer/v1': [],
  'test/v1': [],
};

function readVersion1(fields: Fields, directory: string): Plugin {
  refuseOthers(fields, version1Fields, 'plugin.MetadataV1');
  const name = textOf(fields['name']);
  const version = textOf(fields['version']);
  const [type, runtime] = [textOf(fields['type']), textOf(fields['runtime'])];
  if (!isName(name)) throw invalid('invalid plugin `name`');
  if (version === '') throw invalid('plugin `version` is required');
  if (!isVersion(version)) throw invalid(`invalid plugin \`version\` ${JSON.stringify(version)}: must be valid semver`);
  if (type === '') throw invalid('`type` missing');
  if (runtime === '') throw invalid('`runtime` missing');
  const known = configFields[type];
  if (known === undefined)
    throw invalid(`failed to convert MetadataV1 to Metadata: unknown plugin type ${JSON.stringify(type)}`);
  const config = mapOf(fields['config']);
  refuseOthers(config, known, 'schema.Config');
  const run = mapOf(fields['runtimeConfig']);
  const common = { name, version, apiVersion: 'v1', directory, sourceUrl: textOf(fields['sourceURL']) } as const;
  if (runtime === 'extism/v1')
    return {
      ...common,
      type,
      runtime,
      config: configOf(type, config),
      commands: [],
      hooks: {},
      expandsHooks: true,
      protocols: [],
    };
  if (runtime !== 'subprocess') throw invalid(`unsupported plugin runtime type: ${JSON.stringify(runtime)}`);
  return {
    ...common,
    type,
    runtime,
    config: configOf(type, config),
    commands: commandsOf(run['platformCommand']),
    hooks: hooksOf(run['platformHooks']),
    expandsHooks: true,
    protocols: listOf(run['protocolCommands']).map((one): ProtocolCommand => {
      const { protocols, platformCommand } = mapOf(one);
      return { protocols: listOf(protocols).map(textOf), commands: commandsOf(platformCommand) };
    }),
  };
}

function configOf(type: string, config: Fields): PluginConfig {
  const protocols = listOf(config['protocols']).map(textOf);
  if (type === 'getter/v1' && protocols.length === 0)
    throw invalid('config validation failed: getter has no protocols');
  const empty = protocols.indexOf('');
  if (empty >= 0) throw invalid(`config validation failed: getter has empty protocol at index ${empty}`);
  return {
    usage: textOf(config['usage']),
    shortHelp: textOf(config['shortHelp']),
    longHelp: textOf(config['longHelp']),
    ignoreFlags: config['ignoreFlags'] === true,
    protocols,
  };
}

function readLegacy(fields: Fields, directory: string): Plugin {
  const name = textOf(fields['name']);
  const version = textOf(fields['version']);
  if (!isName(name))
    throw invalid(`invalid plugin name ${JSON.stringify(name)}: must contain only a-z, A-Z, 0-9, _ and -`);
  if (version !== '' && !isVersion(version))
    throw invalid(`invalid plugin version ${JSON.stringify(version)}: must be valid semver`);
  const command = textOf(fields['command']);
  const commands = commandsOf(fields['platformCommand']);
  if (commands.length > 0 && command !== '') throw invalid('both platformCommand and command are set');
  const hooks = hooksOf(fields['platformHooks']);
  const plainHooks = Object.entries(mapOf(fields['hooks']));
  if (Object.keys(hooks).length > 0 && plainHooks.length > 0) throw invalid('both platformHooks and hooks are set');
  const protocols = listOf(fields['downloaders']).map(downloaderOf);
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
      shortHelp: printableOf(textOf(fields['usage'])),
      longHelp: textOf(fields['description']),
      ignoreFlags: fields['ignoreFlags'] === true,
      protocols: protocols.flatMap((one) => one.protocols),
    },
    commands: commands.length > 0 || command === '' ? commands : [{ command, args: [] }],
    hooks:
      plainHooks.length === 0
        ? hooks
        : Object.fromEntries(plainHooks.map(([event, text]) => [event, [shell(textOf(text))]])),
    expandsHooks: plainHooks.length === 0,
    protocols,
  };
}

const shell = (command: string): PlatformCommand => ({ command: 'sh', args: ['-c', command] });

function downloaderOf(value: unknown, index: number): ProtocolCommand {
  const { command, protocols } = mapOf(value);
  const names = listOf(protocols).map(textOf);
  if (textOf(command) === '') throw invalid(`downloader ${index} has empty command`);
  if (names.length === 0) throw invalid(`downloader ${index} has no protocols`);
  const empty = names.indexOf('');
  if (empty >= 0) throw invalid(`downloader ${index} has empty protocol at index ${empty}`);
  return { protocols: names, commands: [{ command: textOf(command), args: [] }] };
}

const commandsOf = (value: unknown): PlatformCommand[] =>
  listOf(value).map((one) => {
    const { os, arch, command, args } = mapOf(one);
    return { os: textOf(os), arch: textOf(arch), command: textOf(command), args: listOf(args).map(textOf) };
  });

const hooksOf = (value: unknown): PluginHooks =>
  Object.fromEntries(Object.entries(mapOf(value)).map(([event, commands]) => [event, commandsOf(commands)]));

const isName = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name);
const isVersion = (version: string): boolean =>
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/.test(
    version,
  );

/** Spaces for what is white, and nothing for what cannot be printed. */
const printableOf = (text: string): string => text.replace(/\s/g, ' ').replace(/[\p{C}]/gu, '');

function refuseOthers(fields: Fields, known: readonly string[], type: string): void {
  const other = Object.keys(fields).find((name) => !known.includes(name));
  if (other !== undefined) throw invalid(`yaml: unmarshal errors:\n  field ${other} not found in type ${type}`);
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const mapOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const invalid = (message: string, cause?: unknown): TshelmError =>
  new TshelmError('invalid-plugin', { message, cause });
