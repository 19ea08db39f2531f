import { TshelmError } from '../support/errors.ts';

/** A command for one system; the first that fits best is run. */
export interface PlatformCommand {
  /** `linux`, `darwin`, `windows`; empty for all. */
  readonly os?: string | undefined;
  /** `amd64`, `arm64` …; empty for all. */
  readonly arch?: string | undefined;
  /** A program and, behind spaces, its first arguments; variables in it are replaced. */
  readonly command: string;
  readonly args: readonly string[];
}

export type PluginHooks = Readonly<Record<string, readonly PlatformCommand[]>>;

/** What a getter runs for URLs of these schemes. */
export interface ProtocolCommand {
  readonly protocols: readonly string[];
  readonly commands: readonly PlatformCommand[];
}

export interface PluginConfig {
  readonly usage: string;
  readonly shortHelp: string;
  readonly longHelp: string;
  /** Gets none of the flags and arguments of its command line. */
  readonly ignoreFlags: boolean;
  readonly protocols: readonly string[];
}

/** A plugin of Helm, as its plugin.yaml describes it. */
export interface Plugin {
  readonly name: string;
  readonly version: string;
  readonly apiVersion: 'legacy' | 'v1';
  /** `cli/v1`, `getter/v1`, `postrenderer/v1`, `test/v1`. */
  readonly type: string;
  readonly runtime: 'subprocess' | 'extism/v1';
  readonly directory: string;
  readonly sourceUrl: string;
  readonly config: PluginConfig;
  readonly commands: readonly PlatformCommand[];
  readonly hooks: PluginHooks;
  /** Whether variables in the arguments of hooks are replaced; the shell does it for the hooks of Helm 3. */
  readonly expandsHooks: boolean;
  readonly protocols: readonly ProtocolCommand[];
}

/**
 * Whether a plugin can be used as one of that type. A plugin.yaml of Helm 3 may have a command and downloaders: both work, as
 * in Helm 3; Helm 4 takes such a plugin for a getter alone.
 */
export const isOfType = ({ type, apiVersion, commands }: Plugin, wanted: string): boolean =>
  type === wanted || (apiVersion === 'legacy' && wanted === 'cli/v1' && commands.length > 0);

/** Errors: `plugin-unusable` for WebAssembly. */
export function refuseUnusable({ name, runtime }: Plugin): void {
  if (runtime === 'subprocess') return;
  throw new TshelmError('plugin-unusable', {
    message: `plugin ${JSON.stringify(name)} is WebAssembly (runtime ${runtime}), which tshelm cannot run; run it with helm, or use a plugin with the runtime subprocess`,
  });
}
