import type { Command } from 'commander';
import { serverFlags } from '../../actions/options/chart.ts';
import { type FlagRows, type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import { slogLine } from '../../go/slog.ts';
import type { ChartAccess } from '../../source/chart-access.ts';
import { TshelmError } from '../../support/errors.ts';
import { trimSuffix } from '../../support/text.ts';
import type { CliContext } from '../context.ts';
import { commandGroup, flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import type { GlobalFlags } from '../settings.ts';

const loginFlags = {
  'ca-file': serverFlags['ca-file'],
  'cert-file': {
    type: 'string',
    option: 'certFile',
    description: 'identify registry client using this SSL certificate file',
  },
  insecure: {
    type: 'bool',
    option: 'insecureSkipTlsVerify',
    description: 'allow connections to TLS registry without certs',
  },
  'key-file': { type: 'string', option: 'keyFile', description: 'identify registry client using this SSL key file' },
  password: { type: 'string', option: 'password', short: 'p', description: 'registry password or identity token' },
  'plain-http': {
    type: 'bool',
    option: 'plainHttp',
    description: 'use insecure HTTP connections for the chart upload',
  },
  username: { type: 'string', option: 'username', short: 'u', description: 'registry username' },
} satisfies FlagRows<ChartAccess>;

const stdinFlag = {
  'password-stdin': { type: 'bool', description: 'read password or identity token from stdin' },
} satisfies Record<string, FlagSpec>;

export interface LoginRequest {
  readonly host: string;
  readonly access: ChartAccess;
  readonly flags: GivenFlags<typeof stdinFlag>;
}

export interface LogoutRequest {
  readonly host: string;
  readonly flags: GlobalFlags;
}

export function command(context: CliContext, { login = runLogin, logout = runLogout } = {}): Command {
  const form = { usage: '[host] [flags]', words: { atLeast: 1 } };
  const subcommands = [
    flagCommand('login', { ...loginFlags, ...stdinFlag }, form, ([host = ''], flags) =>
      login({ host, access: optionsOf(loginFlags, flags), flags }, context),
    ).description('login to a registry'),
    flagCommand('logout', {}, form, ([host = ''], flags) => logout({ host, flags }, context)).description(
      'logout from a registry',
    ),
  ];
  return commandGroup('registry', 'login to or logout from a registry', subcommands, context);
}

async function runLogin({ host, access, flags }: LoginRequest, context: CliContext): Promise<void> {
  const { sourcesOf } = await import('../sources/sources.ts');
  const { login } = await import('../../source/oci/login.ts');
  const { username, password } = await signIn(access, flags.passwordStdin === true, context);
  if (host.includes('/')) {
    const message = 'registry login currently only supports registry hostname, not a repository path';
    const suggested = host.slice(0, host.indexOf('/'));
    context.io.stderr.write(`${slogLine('WARN', message, { host, suggested })}\n`);
  }
  await login(host, await sourcesOf(flags, context).registryOptions({ ...access, username, password }));
  context.io.stdout.write('Login Succeeded\n');
}

async function runLogout({ host, flags }: LogoutRequest, context: CliContext): Promise<void> {
  const { logout } = await import('../../source/oci/login.ts');
  const { helmPaths } = await import('../../source/paths.ts');
  const { env } = context.io;
  const { registryConfig } = helmPaths(env, flags);
  await logout(host, { registryConfig, env: env as NodeJS.ProcessEnv });
  context.io.stdout.write(`Removing login credentials for ${host}\n`);
}

/** The flags, standard input, or what is typed at the terminal. Go: getUsernamePassword. */
async function signIn(
  { username = '', password = '' }: ChartAccess,
  isOnStdin: boolean,
  { io, secrets }: CliContext,
): Promise<{ readonly username: string; readonly password: string }> {
  if (isOnStdin) {
    const text = Buffer.from(await io.readStdin()).toString('utf8');
    const read = trimSuffix(trimSuffix(text, '\n'), '\r');
    secrets.add(read);
    return { username, password: read };
  }
  if (password !== '') {
    const warning = 'using --password via the CLI is insecure. Use --password-stdin';
    io.stderr.write(`${slogLine('WARN', warning, {})}\n`);
    return { username, password };
  }
  const { Asking } = await import('../terminal/ask-line.ts');
  const asking = new Asking(io);
  const name = username === '' ? (await asking.ask('Username: ')).trim() : username;
  const what = name === '' ? 'Token' : 'Password';
  const typed = await asking.ask(`${what}: `, { isHidden: true });
  if (typed === '') throw new TshelmError('bad-arguments', { message: `${what.toLowerCase()} required` });
  secrets.add(typed);
  return { username: name, password: typed };
}
