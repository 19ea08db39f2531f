import type { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import { parseFloat } from '../../go/strconv/strconv.ts';
import { sortedEntries } from '../../support/order.ts';
import { FlagOption } from './flag-option.ts';

/** Adds flags to a command; help shows them by name, as Helm's does. */
export function addFlags(command: Command, flags: Readonly<Record<string, FlagSpec>>): Command {
  for (const [name, spec] of sortedEntries(flags)) command.addOption(new FlagOption(name, spec));
  return command;
}

/** The flags that every command takes, Helm's own and tshelm's. */
export const globalFlags = {
  'burst-limit': {
    type: 'int',
    description: 'how many requests may exceed --qps in a burst (default 100)',
  },
  'content-cache': {
    type: 'string',
    description: 'path to the directory containing cached content (e.g. charts) (default $HELM_CACHE_HOME/content)',
  },
  debug: { type: 'bool', description: 'enable verbose output; logs each request to the cluster' },
  color: {
    type: 'choice',
    placeholder: 'string',
    default: 'auto',
    choices: ['never', 'auto', 'always'] as const,
    description: 'use colored output (never, auto, always)',
  },
  colour: {
    type: 'choice',
    placeholder: 'string',
    choices: ['never', 'auto', 'always'] as const,
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
    instead: 'Write a number: --qps=50',
    description:
      'queries per second used when communicating with the Kubernetes API, not including bursting (default: no limit)',
  },
  'registry-config': {
    type: 'string',
    description: 'path to the registry config file (default $HELM_CONFIG_HOME/registry/config.json)',
  },
  'repository-cache': {
    type: 'string',
    description: 'path to the directory containing cached repository indexes (default $HELM_CACHE_HOME/repository)',
  },
  'repository-config': {
    type: 'string',
    description: 'path to the file containing repository names and URLs (default $HELM_CONFIG_HOME/repositories.yaml)',
  },
  sandbox: { type: 'bool', description: 'use the embedded sandbox cluster instead of a real one' },
  'sandbox-dir': {
    type: 'string',
    description:
      'folder that keeps the sandbox between commands (default $TSHELM_SANDBOX, or below the XDG state folder)',
  },
} satisfies Record<string, FlagSpec>;

export const verbosityFlag = {
  v: { type: 'int', short: 'v', hidden: true, description: 'number for the log level verbosity' },
} satisfies Record<string, FlagSpec>;

/**
 * The flags of klog, which Helm has in every command and hides. There is no klog here: a verbosity of 6 and more tells
 * each request to the cluster, as klog does, and the others, which concern its files, are taken and left.
 */
export const klogFlags: Readonly<Record<string, FlagSpec>> & typeof verbosityFlag = {
  ...verbosityFlag,
  ...Object.fromEntries(
    [
      'add-dir-header',
      'alsologtostderr',
      'legacy-stderr-threshold-behavior',
      'logtostderr',
      'one-output',
      'skip-headers',
      'skip-log-headers',
    ].map((name) => [name, { type: 'bool', hidden: true, description: 'a logging flag of klog' } as const]),
  ),
  ...Object.fromEntries(
    [
      'alsologtostderrthreshold',
      'log-backtrace-at',
      'log-dir',
      'log-file',
      'log-file-max-size',
      'stderrthreshold',
      'vmodule',
    ].map((name) => [name, { type: 'string', hidden: true, description: 'a logging flag of klog' } as const]),
  ),
};

function floatOf(text: string): number {
  return parseFloat(text);
}

/** Go's uint. */
export function unsignedOf(text: string): number {
  if (/^\+?\d+$/.test(text)) return Number(text);
  throw new Error(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
}

export const outputFlag = {
  output: {
    type: 'format',
    short: 'o',
    default: 'table',
    placeholder: 'format',
    description: 'prints the output in the specified format. Allowed values: table, json, yaml',
  },
} satisfies Record<string, FlagSpec>;

/** `-o` of the formats that a command has, the default first; `notes` explain some. */
export const formatFlag = <const Formats extends readonly [string, ...string[]]>(
  shown: 'output' | 'plan' | 'changes',
  choices: Formats,
  notes: { readonly [Format in Formats[number]]?: string } = {},
) => {
  const explained = choices.map((format: Formats[number]) =>
    notes[format] === undefined ? format : `${format} (${notes[format]})`,
  );
  const description = `prints the ${shown} in the specified format. Allowed values: ${explained.join(', ')}`;
  return {
    output: { type: 'choice', short: 'o', placeholder: 'format', default: choices[0], choices, description },
  } as const;
};

/** Of commands that draw: Helm's three forms, and a page. */
export const drawnOutputFlag = formatFlag('output', ['table', 'json', 'yaml', 'html'], {
  html: 'a page with a diagram',
});

export type DryRunMode = 'none' | 'client' | 'server';

export const dryRunFlag = {
  'dry-run': {
    type: 'string',
    placeholder: 'string[="unset"]',
    alone: 'unset',
    default: 'none',
    choices: ['client', 'none', 'server'],
    description: `simulates the operation without persisting changes. Must be one of: "none" (default), "client", or "server". '--dry-run=client' only reads from the cluster, and an install not even that; '--dry-run=server' simulates the operation on the server`,
  },
} satisfies Record<string, FlagSpec>;
