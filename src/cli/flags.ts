import type { Command } from 'commander';
import { TshelmError } from '../support/errors.ts';
import { FlagOption, type FlagSpec } from './flag-option.ts';

/** Adds flags to a command, in the order given, by name: `addFlags(command, { timeout: {...} })`. */
export function addFlags(command: Command, flags: Readonly<Record<string, FlagSpec>>): Command {
  for (const [name, spec] of Object.entries(flags)) command.addOption(new FlagOption(name, spec));
  return command;
}

/** The flags that every command takes, Helm's own and tshelm's. */
export const globalFlags = {
  'burst-limit': {
    type: 'int',
    description: 'how many requests may follow at once under the limit of --qps (default 100)',
  },
  debug: { type: 'bool', description: 'enable verbose output; tells each request to the cluster' },
  color: {
    type: 'choice',
    placeholder: 'string',
    default: 'auto',
    parse: colorMode,
    description: 'use colored output (never, auto, always)',
  },
  colour: {
    type: 'choice',
    placeholder: 'string',
    parse: colorMode,
    hidden: true,
    description: 'use colored output (never, auto, always)',
  },
  'kube-apiserver': { type: 'string', description: 'the address and the port for the Kubernetes API server' },
  'kube-as-group': {
    type: 'stringArray',
    description: 'group to impersonate for the operation, this flag can be repeated to specify multiple groups.',
  },
  'kube-as-user': { type: 'string', description: 'username to impersonate for the operation' },
  'kube-ca-file': {
    type: 'string',
    description: 'the certificate authority file for the Kubernetes API server connection',
  },
  'kube-context': { type: 'string', description: 'name of the kubeconfig context to use' },
  'kube-insecure-skip-tls-verify': {
    type: 'bool',
    description:
      "if true, the Kubernetes API server's certificate will not be checked for validity. This will make your HTTPS connections insecure",
  },
  'kube-tls-server-name': {
    type: 'string',
    description:
      'server name to use for Kubernetes API server certificate validation. If it is not provided, the hostname used to contact the server is used',
  },
  'kube-token': { type: 'string', description: 'bearer token used for authentication' },
  kubeconfig: { type: 'string', description: 'path to the kubeconfig file' },
  namespace: { type: 'string', short: 'n', description: 'namespace scope for this request' },
  qps: {
    type: 'choice',
    placeholder: 'float32',
    parse: floatOf,
    description:
      'queries per second used when communicating with the Kubernetes API, not including bursting (default: no limit)',
  },
  sandbox: { type: 'bool', description: 'use the embedded sandbox cluster instead of a real one' },
  'sandbox-dir': {
    type: 'string',
    description:
      'folder that keeps the sandbox between commands (default $TSHELM_SANDBOX, or below the XDG state folder)',
  },
} satisfies Record<string, FlagSpec>;

function colorMode(text: string): string {
  if (text === 'never' || text === 'auto' || text === 'always') return text;
  throw new Error('must be one of: never, auto, always');
}

function floatOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** -f and the --set family: pkg/cli/values. */
export const valueFlags = {
  values: {
    type: 'strings',
    short: 'f',
    description: "specify values in a YAML file or a URL, '-' is standard input (can specify multiple)",
  },
  set: {
    type: 'stringArray',
    description:
      'set values on the command line (can specify multiple or separate values with commas: key1=val1,key2=val2)',
  },
  'set-file': {
    type: 'stringArray',
    description:
      'set values from respective files specified via the command line (can specify multiple or separate values with commas: key1=path1,key2=path2)',
  },
  'set-json': {
    type: 'stringArray',
    description:
      'set JSON values on the command line (can specify multiple or separate values with commas: key1=jsonval1,key2=jsonval2 or using json format: {"key1": jsonval1, "key2": "jsonval2"})',
  },
  'set-literal': { type: 'stringArray', description: 'set a literal STRING value on the command line' },
  'set-string': {
    type: 'stringArray',
    description:
      'set STRING values on the command line (can specify multiple or separate values with commas: key1=val1,key2=val2)',
  },
} satisfies Record<string, FlagSpec>;

export const outputFlag = {
  output: {
    type: 'format',
    short: 'o',
    default: 'table',
    placeholder: 'format',
    description: 'prints the output in the specified format. Allowed values: table, json, yaml',
  },
} satisfies Record<string, FlagSpec>;

export const timeoutFlag = {
  timeout: {
    type: 'duration',
    default: 300_000,
    description: 'time to wait for any individual Kubernetes operation (like Jobs for hooks) (default 5m0s)',
  },
} satisfies Record<string, FlagSpec>;

export type WaitFlagValue = 'hookOnly' | 'watcher' | 'legacy' | 'ordered';

/** `--wait` alone is the watcher; true and false are Helm 3's way. */
export const waitFlag = {
  wait: {
    type: 'choice',
    placeholder: 'WaitStrategy[=watcher]',
    alone: 'watcher',
    parse: waitStrategy,
    description:
      "wait until resources are ready (up to --timeout). Use '--wait' alone for 'watcher' strategy, or specify one of: 'watcher', 'hookOnly', 'legacy', 'ordered' (batch by batch, as the chart declares). Default when flag is omitted: 'hookOnly'.",
  },
} satisfies Record<string, FlagSpec>;

function waitStrategy(text: string): WaitFlagValue {
  if (text === 'hookOnly' || text === 'watcher' || text === 'legacy' || text === 'ordered') return text;
  if (text === 'true') return 'watcher';
  if (text === 'false') return 'hookOnly';
  throw new Error(
    `invalid wait input ${JSON.stringify(text)}. Valid inputs are watcher, hookOnly, legacy, and ordered`,
  );
}

/** What an ordered run may be told. */
export interface OrderFlags {
  readonly concurrency: number;
  readonly eager?: boolean;
  readonly readinessTimeout?: number;
  readonly timeout: number;
}

export const orderFlags = {
  concurrency: { type: 'int', default: 16, description: 'requests to the cluster at a time' },
  eager: {
    type: 'bool',
    description:
      'with --wait=ordered, start each subchart or resource group the moment those it depends on are ready, instead of batch by batch',
  },
  'readiness-timeout': {
    type: 'duration',
    description:
      'with --wait=ordered, time to wait for any one batch to become ready; not above --timeout (default --timeout)',
  },
} satisfies Record<string, FlagSpec>;

export const strictPlanFlag = {
  'strict-plan': {
    type: 'bool',
    description:
      'refuse a plan with hazards (what comes too late for what waits for it, unknown groups …) instead of warning of them',
  },
} satisfies Record<string, FlagSpec>;

/** The flags as options of the actions. Errors: `bad-flag`. */
export function orderOptions({ concurrency, eager, readinessTimeout, timeout }: OrderFlags) {
  if (concurrency < 1) throw badFlag(`--concurrency must be 1 or more, not ${concurrency}`);
  if (readinessTimeout !== undefined && readinessTimeout < 0) throw badFlag('--readiness-timeout must not be negative');
  if (readinessTimeout !== undefined && timeout > 0 && readinessTimeout > timeout)
    throw badFlag('--readiness-timeout must not be above --timeout, which limits every wait; raise --timeout too');
  return { concurrency, eager, readinessTimeoutMs: readinessTimeout };
}

const badFlag = (message: string): TshelmError => new TshelmError('bad-flag', { message });

export type DryRunMode = 'none' | 'client' | 'server';

export const dryRunFlag = {
  'dry-run': {
    type: 'string',
    placeholder: 'string[="unset"]',
    alone: 'unset',
    default: 'none',
    description: `simulates the operation without persisting changes. Must be one of: "none" (default), "client", or "server". '--dry-run=client' avoids cluster connections, '--dry-run=server' simulates the operation on the server`,
  },
} satisfies Record<string, FlagSpec>;

/** How a command treats others that work on the same release. */
export interface LockFlags {
  readonly waitLock?: number;
  readonly staleAfter?: number;
}

export const lockFlags = {
  'wait-lock': {
    type: 'duration',
    description:
      'time to wait while another operation works on the release, instead of failing at once (default 0s: fail at once)',
  },
  'stale-after': {
    type: 'duration',
    description:
      'how long a pending revision of plain Helm may stand still before it is taken over: the --timeout that it was started with (default 5m0s, or --timeout where that is longer)',
  },
} satisfies Record<string, FlagSpec>;

/** The flags as options of the actions. */
export const lockOptions = ({ waitLock, staleAfter }: LockFlags) => ({
  waitLockMs: notNegative('--wait-lock', waitLock),
  staleAfterMs: notNegative('--stale-after', staleAfter),
});

function notNegative(flag: string, durationMs: number | undefined): number | undefined {
  if (durationMs === undefined || durationMs >= 0) return durationMs;
  throw new TshelmError('bad-flag', { message: `${flag} must not be negative: ${durationMs / 1000}s` });
}
