import { type SpawnOptions, spawn } from 'node:child_process';
import { join, sep } from 'node:path';
import { expandVariables } from '../go/expand.ts';
import { goExecError } from '../go/path-error.ts';
import { decodeText, encodeText } from '../go/text.ts';
import { TshelmError } from '../support/errors.ts';
import { type PlatformCommand, type Plugin, refuseUnusable } from './types.ts';

export interface PluginCall {
  /** The environment, Helm's variables included. */
  readonly env: Variables;
  readonly args?: readonly string[] | undefined;
}

/** Runs a command plugin on this process's terminal; gives its exit code. Errors: `plugin-unusable`. */
export async function runCliPlugin(plugin: Plugin, { env, args }: PluginCall): Promise<number> {
  const variables = withPlugin(plugin, env);
  const call = prefixed('failed to prepare plugin command', () =>
    programCall(commandsOf(plugin), { extra: args, variables }),
  );
  const { code } = await run(call, { env: variables, stdio: 'inherit' });
  return code;
}

/** What a plugin's own program of completion prints; undefined where there is none, or it fails. */
export async function runPluginCompletion(plugin: Plugin, { env, args = [] }: PluginCall): Promise<string | undefined> {
  const call = { program: join(plugin.directory, 'plugin.complete'), args };
  try {
    const options: SpawnOptions = { env: withPlugin(plugin, env), stdio: ['ignore', 'pipe', 'pipe'] };
    const { code, stdout, stderr } = await run(call, options);
    return code === 0 ? decodeText(stdout) + decodeText(stderr) : undefined;
  } catch {
    // There is no such program, or it cannot be started.
    return undefined;
  }
}

/** Pipes manifests through a post-renderer plugin. Errors: `post-renderer-failed`. */
export async function runPostRendererPlugin(plugin: Plugin, manifests: string, call: PluginCall): Promise<string> {
  const variables = withPlugin(plugin, call.env);
  const failed = (reason: string, cause?: unknown): TshelmError =>
    new TshelmError('post-renderer-failed', { message: reason, details: { plugin: plugin.name }, cause });
  const { code, stdout, stderr } = await run(
    programCall(commandsOf(plugin), { extra: call.args, variables }),
    { env: variables, stdio: ['pipe', 'pipe', 'pipe'] },
    manifests,
  );
  if (code !== 0) {
    const text = `failed to invoke post-renderer plugin ${JSON.stringify(plugin.name)}: plugin ${JSON.stringify(plugin.name)} exited with error`;
    throw failed(`${text}\n${decodeText(stderr).trim()}`.trim());
  }
  const output = decodeText(stdout);
  if (output.trim() === '') throw failed(`post-renderer ${JSON.stringify(plugin.name)} produced empty output`);
  return output;
}

export interface GetterRequest {
  readonly url: string;
  readonly protocol: string;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly caFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly passCredentialsAll?: boolean | undefined;
}

/** What a getter plugin prints for a URL. Errors: `download-failed`. Go: runtime_subprocess_getter.go. */
export async function runGetterPlugin(plugin: Plugin, request: GetterRequest, env: Variables): Promise<Uint8Array> {
  const { certFile = '', keyFile = '', caFile = '', url } = request;
  const found = plugin.protocols.find(({ protocols }) => protocols.includes(request.protocol));
  // helm-gcs 0.7 has its command where other plugins have it, and Helm then finds no downloader.
  if (found === undefined && plugin.runtime === 'subprocess' && plugin.commands.length === 0) {
    const message = `plugin ${JSON.stringify(plugin.name)} failed to invoke: no downloader found for protocol ${JSON.stringify(request.protocol)}`;
    throw new TshelmError('download-failed', { message, details: { url } });
  }
  const commands = found?.commands ?? commandsOf(plugin);
  const variables = {
    ...withPlugin(plugin, env),
    HELM_PLUGIN_USERNAME: request.username ?? '',
    HELM_PLUGIN_PASSWORD: request.password ?? '',
    HELM_PLUGIN_PASS_CREDENTIALS_ALL: String(request.passCredentialsAll === true),
  };
  const { program, args } = programCall(commands, {
    extra: [certFile, keyFile, caFile, url],
    variables,
    expandsArgs: false,
  });
  // Helm joins them even where the command begins with $HELM_PLUGIN_DIR, as that of helm-gcs 0.7 does.
  const isWhole = program.startsWith(join(plugin.directory, sep));
  const call = { program: isWhole ? program : join(plugin.directory, program), args };
  const { code, stdout } = await run(call, { env: variables, stdio: ['ignore', 'pipe', 'inherit'] });
  if (code !== 0) {
    const name = JSON.stringify(plugin.name);
    const message = `plugin ${name} failed to invoke: plugin ${name} exited with error`;
    throw new TshelmError('download-failed', { message, details: { url, code } });
  }
  return stdout;
}

/** Runs what a plugin has for `install`, `update` or `delete`; nothing where it has nothing. Errors: `plugin-hook-failed`. */
export async function runPluginHook(plugin: Plugin, event: string, env: Variables): Promise<void> {
  const commands = plugin.hooks[event] ?? [];
  if (commands.length === 0) return;
  const variables = withPlugin(plugin, env);
  const call = programCall(commands, { variables, expandsArgs: plugin.expandsHooks });
  const { code } = await run(call, { env: variables, stdio: ['ignore', 'inherit', 'inherit'] });
  if (code === 0) return;
  const message = `plugin ${event} hook for ${JSON.stringify(plugin.name)} exited with error`;
  throw new TshelmError('plugin-hook-failed', { message });
}

const withPlugin = ({ name, directory }: Plugin, env: Variables): Variables => ({
  ...env,
  HELM_PLUGIN_NAME: name,
  HELM_PLUGIN_DIR: directory,
});

/** Errors: `plugin-unusable` for WebAssembly. */
function commandsOf(plugin: Plugin): Plugin['commands'] {
  refuseUnusable(plugin);
  return plugin.commands;
}

interface Ended {
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

const signalCode = 128;

function run({ program, args }: ProgramCall, options: SpawnOptions, input?: string): Promise<Ended> {
  // A terminal sends an interruption to both; the plugin decides what becomes of it.
  const ignored = (): void => {};
  process.on('SIGINT', ignored);
  return new Promise<Ended>((resolve, reject) => {
    const child = spawn(program, args, options);
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? signalCode, stdout: stdout(), stderr: stderr() }));
    // A program may end without reading everything; what counts is how it ended.
    child.stdin?.on('error', ignored);
    if (input !== undefined) child.stdin?.end(encodeText(input));
  })
    .catch((cause: unknown) => {
      // Also what `spawn` throws at once, as for a file that is no program.
      throw new TshelmError('plugin-unusable', { message: goExecError(program, cause).message, cause });
    })
    .finally(() => process.off('SIGINT', ignored));
}

function collect(stream: NodeJS.ReadableStream | null): () => Uint8Array {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks);
}

function prefixed<T>(prefix: string, task: () => T): T {
  try {
    return task();
  } catch (cause) {
    if (!(cause instanceof TshelmError)) throw cause;
    throw cause.wrapped({ message: `${prefix}: ${cause.message}` });
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
}

/** This system by Go's names. */
const thisPlatform = {
  os: { win32: 'windows' }[process.platform as string] ?? process.platform,
  arch: { x64: 'amd64', ia32: '386' }[process.arch as string] ?? process.arch,
};

/**
 * The program and the arguments of the command that fits this system best, with `extra` behind them. Variables are
 * replaced in the program's name, and in its arguments with `expandsArgs`. Errors: `no-plugin-command`.
 * Go: plugin.PrepareCommands.
 */
export function programCall(
  commands: readonly PlatformCommand[],
  { extra = [], variables, expandsArgs = true, platform = thisPlatform }: CallOptions,
): ProgramCall {
  const chosen = commandFor(commands, platform);
  const [program = '', ...firstArgs] = (chosen?.command ?? '').split(' ');
  if (chosen === undefined || program === '') {
    throw new TshelmError('no-plugin-command', { message: 'no plugin command is applicable' });
  }
  const own = [...firstArgs, ...chosen.args];
  const args = expandsArgs ? own.map((arg) => expand(arg, variables)) : own;
  return { program: expand(program, variables), args: [...args, ...extra] };
}

interface CallOptions {
  readonly extra?: readonly string[] | undefined;
  readonly variables: Variables;
  readonly expandsArgs?: boolean | undefined;
  readonly platform?: { readonly os: string; readonly arch: string } | undefined;
}

/** By system and architecture; then by the system alone; then the first that is for all. */
function commandFor(
  commands: readonly PlatformCommand[],
  platform: { readonly os: string; readonly arch: string },
): PlatformCommand | undefined {
  const isSame = (a: string | undefined, b: string): boolean => (a ?? '').toLowerCase() === b.toLowerCase();
  return (
    commands.find(({ os, arch }) => isSame(os, platform.os) && isSame(arch, platform.arch)) ??
    commands.find(({ os, arch }) => isSame(os, platform.os) && !arch) ??
    commands.find(({ os, arch }) => !os && !arch)
  );
}

const expand = (text: string, variables: Variables): string => expandVariables(text, (name) => variables[name] ?? '');
