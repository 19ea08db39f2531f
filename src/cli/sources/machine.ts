import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ClusterAccess } from '../../cluster/kubeconfig.ts';
import { helmPaths } from '../../source/paths.ts';
import { messageOf } from '../../support/errors.ts';
import { hidden } from '../../support/known-words.ts';
import { compareText } from '../../support/order.ts';
import { isSecretName } from '../../support/secret-names.ts';
import { urlWithoutUserInfo } from '../../support/user-info.ts';
import { helmVersion, tshelmVersion } from '../../support/version.ts';
import type { CliContext } from '../context.ts';
import type { AdvisedFinding } from '../output/doctor-text.ts';
import type { GlobalFlags } from '../settings.ts';
import type { Io } from '../terminal/io.ts';

/** What can be told without the cluster: the program, variables, the kubeconfig, logins and folders. */
export async function examineMachine(flags: GlobalFlags, context: CliContext): Promise<readonly AdvisedFinding[]> {
  const { env } = context.io;
  return [
    programFinding(context.io),
    ...variableFindings(env),
    ...(await kubeconfigFindings(flags, context)),
    ...(await registryFindings(flags, env)),
    ...folderFindings(flags, env),
  ];
}

function programFinding({ program }: Io): AdvisedFinding {
  const { node } = process.versions;
  const text = `tshelm ${tshelmVersion} (as Helm ${helmVersion}), Node ${node}, ${process.platform} ${process.arch}, ${program}`;
  return { area: 'program', level: 'ok', text };
}

const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy'];
/** The variables that change what commands do; no secret among them. */
function variableFindings(env: Io['env']): readonly AdvisedFinding[] {
  const names = Object.keys(env).filter((name) => isOurs(name) && (env[name] ?? '') !== '');
  if (names.length === 0) return [];
  const shown = names.sort(compareText).map((name) => `${name}=${variableText(name, env[name] ?? '')}`);
  return [{ area: 'variables', level: 'note', text: shown.join(' ') }];
}

const isOurs = (name: string): boolean =>
  name.startsWith('HELM_') || name.startsWith('TSHELM_') || name === 'KUBECONFIG' || proxies.includes(name);

/** The URL of a proxy or a server may hold the name and password of its user. */
const variableText = (name: string, text: string): string =>
  isSecretName(name) ? hidden : urlWithoutUserInfo(text, { proxy: proxies.includes(name) });

async function kubeconfigFindings(flags: GlobalFlags, context: CliContext): Promise<readonly AdvisedFinding[]> {
  const settings = context.settings(flags);
  if (settings.sandboxDirectory !== undefined)
    return [{ area: 'kubeconfig', level: 'ok', text: `the sandbox in ${settings.sandboxDirectory}` }];
  const { findCluster } = await import('../../cluster/kubeconfig.ts');
  const { connectOptions } = await import('../open-cluster.ts');
  try {
    const access = await findCluster(connectOptions(settings, context.io));
    const { token, password } = access.user;
    for (const secret of [token, password]) if (typeof secret === 'string') context.secrets.add(secret);
    return [(await expiredFinding(access, context)) ?? accessFinding(access)];
  } catch (thrown) {
    const fix = `correct the file, or name another one with --kubeconfig or KUBECONFIG${toTryCharts}`;
    return [{ area: 'kubeconfig', level: 'error', text: messageOf(thrown), fix }];
  }
}

const toTryCharts = '; to try charts without a cluster, add --sandbox';

function accessFinding(access: ClusterAccess): AdvisedFinding {
  const { cluster, files = [], isGuess, namespace } = access;
  if (isGuess) {
    const text = files.length === 0 ? 'no kubeconfig was found' : `${files.join(', ')} names no cluster`;
    const fix = `set KUBECONFIG or --kubeconfig, or a current context${toTryCharts}`;
    return { area: 'kubeconfig', level: 'error', text, fix };
  }
  const server = urlWithoutUserInfo(cluster.server);
  const text = `${placeText(access)}: ${server}, namespace ${namespace}, ${authentication(access)}`;
  return { area: 'kubeconfig', level: 'ok', text };
}

/** `context prod of /home/ada/.kube/config` */
function placeText({ context, files = [] }: Pick<ClusterAccess, 'context' | 'files'>): string {
  const from = files.length === 0 ? '' : ` of ${files.join(', ')}`;
  return context === undefined ? 'no context' : `context ${context}${from}`;
}

/** Credentials that have expired. Errors: `cluster-unreachable` for those that cannot be read. */
async function expiredFinding(access: ClusterAccess, { io }: CliContext): Promise<AdvisedFinding | undefined> {
  const { expiredCredential } = await import('../../cluster/expired-credential.ts');
  const { anotherUser, expiredText } = await import('../credential-fix.ts');
  const expired = await expiredCredential(access, { env: io.env as NodeJS.ProcessEnv, nowMs: io.now().getTime() });
  if (expired === undefined) return undefined;
  const text = `${placeText(access)}: ${expiredText(expired, { name: access.userName })}`;
  return {
    area: 'kubeconfig',
    level: 'error',
    text,
    fix: `log in again, or ${anotherUser}`,
  };
}

/** How the API server learns who the user is. */
function authentication({ user }: ClusterAccess): string {
  if (user.exec) return `credentials from ${user.exec.command ?? 'a plugin'}`;
  if (user.token !== undefined || user.tokenFile !== undefined) return 'a token';
  if (user['client-certificate-data'] !== undefined || user['client-certificate'] !== undefined)
    return 'a client certificate';
  return user.username === undefined ? 'no credentials' : 'a name and password';
}

async function registryFindings(flags: GlobalFlags, env: Io['env']): Promise<readonly AdvisedFinding[]> {
  const { credentialHelpers, loggedIn, readDockerConfig } = await import('../../source/oci/docker-config.ts');
  const { isOnPath } = await import('../../source/oci/credential-helper.ts');
  const { registryConfig } = helmPaths(env, flags);
  try {
    const config = await readDockerConfig(registryConfig);
    const hosts = loggedIn(config);
    const text =
      hosts.length === 0 ? `no logins in ${registryConfig}` : `logged in to ${hosts.join(', ')} (${registryConfig})`;
    const lacking: string[] = [];
    for (const name of credentialHelpers(config))
      if (!(await isOnPath(`docker-credential-${name}`, env))) lacking.push(name);
    return [{ area: 'registries', level: 'ok', text }, ...lacking.map(missingHelper(registryConfig))];
  } catch (thrown) {
    return [
      { area: 'registries', level: 'error', text: messageOf(thrown), fix: `correct or remove ${registryConfig}` },
    ];
  }
}

const missingHelper =
  (registryConfig: string) =>
  (name: string): AdvisedFinding => ({
    area: 'registries',
    level: 'warning',
    text: `${registryConfig} asks docker-credential-${name} for passwords, which is not on the PATH`,
    fix: `install docker-credential-${name}, or log in again without it`,
  });

/** Where charts and indexes are kept; deploys go on without, downloads do not. */
function folderFindings(flags: GlobalFlags, env: Io['env']): readonly AdvisedFinding[] {
  const { contentCache, repositoryCache, repositoryConfig } = helmPaths(env, flags);
  const folders = [contentCache, repositoryCache, dirname(repositoryConfig)];
  const unwritable = folders.filter((folder) => !isWritable(folder));
  if (unwritable.length === 0) return [{ area: 'folders', level: 'ok', text: `writable: ${folders.join(', ')}` }];
  return unwritable.map((folder) => ({
    area: 'folders',
    level: 'warning',
    text: `${folder} cannot be written`,
    fix: 'make it writable, or set HELM_CACHE_HOME and HELM_CONFIG_HOME to folders that are',
  }));
}

/** A folder that is not there yet is as writable as the one that it would be made in. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && isWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  } catch {
    // What may not be written says so by failing.
    return false;
  }
}
