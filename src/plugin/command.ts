import { expandVariables } from '../go/expand.ts';
import { TshelmError } from '../support/errors.ts';
import type { PlatformCommand } from './types.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
}

/** This system by Go's names. */
export const thisPlatform = {
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

export interface CallOptions {
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
