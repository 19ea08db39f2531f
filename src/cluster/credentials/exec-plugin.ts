import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { goExecError } from '../../go/path-error.ts';
import { messageOf } from '../../support/errors.ts';
import { clusterUnreachable } from '../api-error.ts';
import type { ExecConfig, KubeconfigCluster } from '../kubeconfig.ts';

/** What a credential plugin answers. */
export interface PluginCredential {
  readonly token?: string | undefined;
  /** PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** Milliseconds since the epoch; undefined: until the API server refuses it. */
  readonly expiresAt?: number | undefined;
}

/** Runs a credential plugin (client.authentication.k8s.io) without a shell, as client-go's plugin/pkg/client/auth/exec. */
export async function askPlugin(
  config: ExecConfig,
  cluster: KubeconfigCluster,
  { env, signal }: { env: NodeJS.ProcessEnv; signal?: AbortSignal | undefined },
): Promise<PluginCredential> {
  const apiVersion = config.apiVersion ?? '';
  if (!['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'].includes(apiVersion)) {
    throw refused(`invalid apiVersion "${apiVersion}"; client.authentication.k8s.io/v1 and v1beta1 are supported`);
  }
  const isInteractive = interactivityOf(config);
  const info = {
    kind: 'ExecCredential',
    apiVersion,
    spec: { interactive: isInteractive, ...(config.provideClusterInfo && { cluster: await clusterInfo(cluster) }) },
  };
  const output = await run(config, {
    env: {
      ...env,
      ...Object.fromEntries((config.env ?? []).map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify(info),
    },
    isInteractive,
    signal,
  });
  return credentialOf(config, output);
}

function interactivityOf(config: ExecConfig): boolean {
  const hasTerminal = process.stdin.isTTY === true;
  if (config.interactiveMode === 'Always' && !hasTerminal) {
    throw refused('standard input is not a terminal, which this plugin needs (interactiveMode: Always)');
  }
  return config.interactiveMode !== 'Never' && hasTerminal;
}

const configExtension = 'client.authentication.k8s.io/exec';

async function clusterInfo(cluster: KubeconfigCluster): Promise<object> {
  const file = cluster['certificate-authority'];
  const ca = cluster['certificate-authority-data'] ?? (file && (await readFile(file)).toString('base64'));
  return {
    server: cluster.server,
    ...(cluster['tls-server-name'] && { 'tls-server-name': cluster['tls-server-name'] }),
    ...(cluster['insecure-skip-tls-verify'] && { 'insecure-skip-tls-verify': true }),
    ...(ca && { 'certificate-authority-data': ca }),
    ...(cluster['proxy-url'] && { 'proxy-url': cluster['proxy-url'] }),
    ...(cluster['disable-compression'] && { 'disable-compression': true }),
    config: cluster.extensions?.find(({ name }) => name === configExtension)?.extension ?? null,
  };
}

async function run(
  config: ExecConfig,
  { env, isInteractive, signal }: { env: NodeJS.ProcessEnv; isInteractive: boolean; signal?: AbortSignal | undefined },
): Promise<string> {
  const stdio: StdioOptions = [isInteractive ? 'inherit' : 'ignore', 'pipe', isInteractive ? 'inherit' : 'pipe'];
  const plugin = started(config, { env, stdio, signal, windowsHide: true });
  const ended = new Promise<number | null>((resolve, reject) => {
    plugin.once('error', reject);
    plugin.once('close', resolve);
  });
  const [output, complaint, exit] = await Promise.all([
    plugin.stdout === null ? '' : textOf(plugin.stdout),
    plugin.stderr === null ? '' : textOf(plugin.stderr),
    ended.catch((cause: NodeJS.ErrnoException) => {
      signal?.throwIfAborted();
      if (cause.code === 'ENOENT') throw refused(`executable ${config.command} not found${hintOf(config)}`, cause);
      throw refused(messageOf(cause), cause);
    }),
  ]);
  if (exit === 0) return output;
  const words = complaint.trim();
  throw refused(`executable ${config.command} failed with exit code ${exit}${words === '' ? '' : `: ${words}`}`);
}

/** `spawn` throws at once where the file is no program, for example. */
function started({ command, args }: ExecConfig, options: SpawnOptions): ChildProcess {
  try {
    return spawn(command ?? '', [...(args ?? [])], options);
  } catch (cause) {
    throw refused(goExecError(command ?? '', cause).message, cause);
  }
}

function credentialOf(config: ExecConfig, output: string): PluginCredential {
  let answer: { apiVersion?: string; status?: Record<string, string> };
  try {
    answer = JSON.parse(output) as typeof answer;
  } catch (cause) {
    // The output may hold a token, so it stays out of the message.
    throw refused(`${config.command} did not print an ExecCredential as JSON`, cause);
  }
  if (answer.apiVersion !== config.apiVersion) {
    throw refused(
      `plugin is configured to use API version ${config.apiVersion}, plugin returned version ${answer.apiVersion}`,
    );
  }
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = answer.status ?? {};
  if (!token && !(certificate && key)) {
    throw refused(`${config.command} didn't return a token or cert/key pair`);
  }
  const expiresAt = expirationTimestamp === undefined ? undefined : Date.parse(expirationTimestamp);
  return { token, certificate, key, expiresAt };
}

const hintOf = (config: ExecConfig): string =>
  config.installHint
    ? `; ${config.installHint.trim()}`
    : '; the kubeconfig names this credential plugin: install it, or choose another context';

const refused = (why: string, cause?: unknown): Error => clusterUnreachable(`getting credentials: exec: ${why}`, cause);
