import { writePlainYaml } from '../yaml/index.ts';
import type { PlatformCommand, Plugin } from './types.ts';

/** A plugin as the text that is signed describes it: Go's structs of it, by their fields. Go: plugin.SignPlugin. */
export const pluginDescription = (plugin: Plugin): string =>
  writePlainYaml({
    APIVersion: plugin.apiVersion,
    Config: configOf(plugin),
    Name: plugin.name,
    Runtime: plugin.runtime,
    RuntimeConfig: {
      PlatformCommand: commandsOf(plugin.commands),
      PlatformHooks: hooksOf(plugin),
      ProtocolCommands: orNull(
        plugin.protocols.map(({ protocols, commands }) => ({
          PlatformCommand: commandsOf(commands),
          Protocols: protocols,
        })),
      ),
    },
    SourceURL: plugin.sourceUrl,
    Type: plugin.type,
    Version: plugin.version,
  });

function configOf({ type, config }: Plugin): object {
  if (type === 'getter/v1') return { Protocols: config.protocols };
  if (type !== 'cli/v1') return {};
  const { ignoreFlags, longHelp, shortHelp, usage } = config;
  return { IgnoreFlags: ignoreFlags, LongHelp: longHelp, ShortHelp: shortHelp, Usage: usage };
}

function hooksOf({ hooks }: Plugin): object | null {
  const events = Object.entries(hooks).map(([event, commands]) => [event, commandsOf(commands)] as const);
  return events.length === 0 ? null : Object.fromEntries(events);
}

const commandsOf = (commands: readonly PlatformCommand[]): readonly object[] | null =>
  orNull(
    commands.map(({ os = '', arch = '', command, args }) => ({
      Architecture: arch,
      Args: orNull(args),
      Command: command,
      OperatingSystem: os,
    })),
  );

/** Go has no value for a list that is not there. */
const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list);
