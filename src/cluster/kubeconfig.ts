import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { goPathError } from '../go/path-error.ts';
import type { ClusterPlace } from '../manifest/types.ts';
import { messageOf } from '../support/errors.ts';
import { homeFolder } from '../support/home.ts';
import { compareText } from '../support/order.ts';
import { readPlainYaml } from '../yaml/index.ts';
import { clusterUnreachable } from './api-error.ts';
import { goMisfit, listOf, mapOf, misfitOf, type Shape, type Shaped, struct } from './shape.ts';

/** What names the API server and the user, beside the kubeconfig: Helm's --kube* flags. */
export interface KubeconfigOptions {
  /** --kubeconfig: one file, which must exist. Otherwise the files of $KUBECONFIG, or ~/.kube/config. */
  readonly kubeconfig?: string | undefined;
  /** A kubeconfig itself, in place of files; paths in it are relative to the working directory. */
  readonly kubeconfigText?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly apiServer?: string | undefined;
  readonly token?: string | undefined;
  readonly asUser?: string | undefined;
  readonly asGroups?: readonly string[] | undefined;
  readonly caFile?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly tlsServerName?: string | undefined;
  /** Default: process.env. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** How to reach one API server as one user. Files are named by absolute paths and read when a connection is made. */
export interface ClusterAccess {
  readonly namespace: string;
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
  /** The user's name in the kubeconfig, for messages. */
  readonly userName: string;
  /** The kubeconfig that names the user. */
  readonly userFile?: string | undefined;
  /** Where the kubeconfigs name several clusters. */
  readonly place?: ClusterPlace | undefined;
  /** No kubeconfig says where the cluster is: the address is Helm's guess. */
  readonly isGuess: boolean;
  /** The context of the kubeconfigs; undefined where there is none. */
  readonly context?: string | undefined;
  /** The kubeconfigs that were read. */
  readonly files?: readonly string[] | undefined;
}

const clusterShape = struct('Cluster', {
  server: 'string',
  'tls-server-name': 'string',
  'insecure-skip-tls-verify': 'bool',
  'certificate-authority': 'string',
  'certificate-authority-data': 'string',
  'proxy-url': 'string',
  'disable-compression': 'bool',
  extensions: listOf(struct('NamedExtension', { name: 'string', extension: 'any' })),
});
export type KubeconfigCluster = Shaped<typeof clusterShape> & { readonly server: string };

const execShape = struct('ExecConfig', {
  apiVersion: 'string',
  command: 'string',
  args: listOf('string'),
  env: listOf(struct('ExecEnvVar', { name: 'string', value: 'string' })),
  installHint: 'string',
  provideClusterInfo: 'bool',
  interactiveMode: 'string',
});
/** A credential plugin (client.authentication.k8s.io). */
export type ExecConfig = Shaped<typeof execShape>;

const userShape = struct('AuthInfo', {
  'client-certificate': 'string',
  'client-certificate-data': 'string',
  'client-key': 'string',
  'client-key-data': 'string',
  token: 'string',
  tokenFile: 'string',
  as: 'string',
  'as-uid': 'string',
  'as-groups': listOf('string'),
  'as-user-extra': mapOf(listOf('string')),
  username: 'string',
  password: 'string',
  'auth-provider': struct('AuthProviderConfig', { name: 'string', config: mapOf('string') }),
  exec: execShape,
});
export type KubeconfigUser = Shaped<typeof userShape>;

const contextShape = struct('Context', { cluster: 'string', user: 'string', namespace: 'string' });
type Context = Shaped<typeof contextShape>;

interface Kubeconfig {
  readonly 'current-context'?: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  readonly contexts: ReadonlyMap<string, Context>;
}

/**
 * Finds the API server as client-go's clientcmd does: the context of the merged kubeconfigs with the flags above it,
 * the service account of the pod where there is no kubeconfig, else http://localhost:8080. Each gap of
 * client-node's KubeConfig (duplicate names, absent files, tokenFile, as-groups, …) would need code of ours, and
 * importing it costs more than all of this; so the file is read here.
 */
export async function findCluster(options: KubeconfigOptions = {}): Promise<ClusterAccess> {
  const env = options.env ?? process.env;
  const places = filesOf(options, env);
  const files =
    options.kubeconfigText === undefined
      ? await Promise.all(places.map(readKubeconfig))
      : [givenKubeconfig(options.kubeconfigText)];
  const merged = mergeKubeconfigs(files);
  const contextName = options.context || merged['current-context'] || '';
  const found =
    options.kubeconfigText === undefined ? places.map(({ path }) => path).filter((path) => existsSync(path)) : [];
  const context = contextName === '' ? {} : contextOf(merged, contextName, found, options);
  const cluster = { ...merged.clusters.get(context.cluster ?? ''), ...clusterFlags(options) };
  const user = withUserFlags(merged.users.get(context.user ?? '') ?? {}, options);
  checkExec(user, context.user ?? '');
  const namespace = options.namespace || context.namespace || 'default';
  const origin = { context: contextName || undefined, files: found };
  if (cluster.server) {
    return {
      namespace,
      cluster: { ...cluster, server: cluster.server },
      place:
        merged.clusters.size > 1 && contextName !== '' ? { context: contextName, server: cluster.server } : undefined,
      user,
      userName: context.user ?? '',
      userFile:
        options.kubeconfigText === undefined
          ? places[files.findIndex(({ users }) => users.has(context.user ?? ''))]?.path
          : undefined,
      isGuess: false,
      ...origin,
    };
  }
  const inCluster =
    options.kubeconfig || options.kubeconfigText !== undefined ? undefined : await serviceAccount(options, env);
  return (
    inCluster ?? {
      namespace,
      cluster: { ...cluster, server: 'http://localhost:8080' },
      user,
      userName: '',
      isGuess: true,
      ...origin,
    }
  );
}

/** The contexts that the kubeconfigs name, with their clusters, in order of their names. */
export async function knownContexts(options: KubeconfigOptions): Promise<{ name: string; cluster: string }[]> {
  const files = filesOf(options, options.env ?? process.env);
  const { contexts } = mergeKubeconfigs(await Promise.all(files.map(readKubeconfig)));
  return [...contexts]
    .map(([name, { cluster }]) => ({ name, cluster: cluster ?? '' }))
    .sort((a, b) => compareText(a.name, b.name));
}

function filesOf(options: KubeconfigOptions, env: NodeJS.ProcessEnv): { path: string; isNamed: boolean }[] {
  if (options.kubeconfig) return [{ path: options.kubeconfig, isNamed: true }];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const paths = listed.length > 0 ? [...new Set(listed)] : [join(homeFolder(env['HOME']), '.kube', 'config')];
  return paths.map((path) => ({ path, isNamed: false }));
}

const empty: Kubeconfig = { clusters: new Map(), users: new Map(), contexts: new Map() };

async function readKubeconfig({ path, isNamed }: { path: string; isNamed: boolean }): Promise<Kubeconfig> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw clusterUnreachable(
        `error loading config file "${path}": ${goPathError('open', path, cause).message}`,
        cause,
        { kubeconfig: { kind: 'unreadable', file: path } },
      );
    }
    if (isNamed)
      throw clusterUnreachable(`stat ${path}: no such file or directory`, cause, {
        kubeconfig: { kind: 'absent', file: path },
      });
    return empty;
  }
  try {
    return parseKubeconfig(text, dirname(resolve(path)));
  } catch (cause) {
    throw clusterUnreachable(`error loading config file "${path}": ${messageOf(cause)}`, cause, {
      kubeconfig: { kind: 'unreadable', file: path },
    });
  }
}

function givenKubeconfig(text: string): Kubeconfig {
  try {
    return parseKubeconfig(text, process.cwd());
  } catch (cause) {
    throw clusterUnreachable(`error loading the given kubeconfig: ${messageOf(cause)}`, cause);
  }
}

const namedStructs = (name: string, key: string, of: Shape): Shape =>
  listOf(struct(name, { name: 'string', [key]: of }));

/** client-go's v1.Config. */
const kubeconfigShape = struct('Config', {
  'current-context': 'string',
  clusters: namedStructs('NamedCluster', 'cluster', clusterShape),
  users: namedStructs('NamedAuthInfo', 'user', userShape),
  contexts: namedStructs('NamedContext', 'context', contextShape),
});

/** Reads one file; the paths in it are relative to its `directory`. Of entries with the same name the first counts. */
export function parseKubeconfig(text: string, directory: string): Kubeconfig {
  const content = readPlainYaml(text, { before: '' }) ?? {};
  if (typeof content !== 'object' || Array.isArray(content)) throw new Error('a kubeconfig must be a YAML object');
  const misfit = misfitOf(content, kubeconfigShape);
  if (misfit !== undefined) throw new Error(goMisfit(misfit));
  const raw = content as Record<string, unknown>;
  const from = (path: string): string => (path === '' || isAbsolute(path) ? path : join(directory, path));
  return {
    'current-context': (raw['current-context'] as string | null) ?? undefined,
    contexts: named<Context>(raw, 'contexts', 'context'),
    clusters: mapped(named<KubeconfigCluster>(raw, 'clusters', 'cluster'), (cluster) =>
      withPaths(cluster, ['certificate-authority'], from),
    ),
    users: mapped(named<KubeconfigUser>(raw, 'users', 'user'), (user) => ({
      ...withPaths(user, ['client-certificate', 'client-key', 'tokenFile'], from),
      ...(user.exec?.command?.includes(sep) && { exec: withPaths(user.exec, ['command'], from) }),
    })),
  };
}

function named<T extends object>(raw: Record<string, unknown>, list: string, key: string): Map<string, T> {
  const found = new Map<string, T>();
  for (const entry of (raw[list] ?? []) as ({ name?: string | null } & Record<string, T | null>)[]) {
    const name = entry.name ?? '';
    if (!found.has(name)) found.set(name, entry[key] ?? ({} as T));
  }
  return found;
}

const mapped = <T>(entries: ReadonlyMap<string, T>, change: (value: T) => T): Map<string, T> =>
  new Map([...entries].map(([name, value]) => [name, change(value)]));

function withPaths<T extends object>(entry: T, keys: readonly (keyof T)[], from: (path: string) => string): T {
  const changed = { ...entry };
  for (const key of keys) if (typeof entry[key] === 'string') changed[key] = from(entry[key]) as T[keyof T];
  return changed;
}

/** The first file that says something about a name, or names a context, is the one that counts. */
function mergeKubeconfigs(files: readonly Kubeconfig[]): Kubeconfig {
  const first = <T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> =>
    new Map(maps.toReversed().flatMap((map) => [...map]));
  return {
    'current-context': files.find((file) => file['current-context'])?.['current-context'],
    clusters: first(files.map((file) => file.clusters)),
    users: first(files.map((file) => file.users)),
    contexts: first(files.map((file) => file.contexts)),
  };
}

function contextOf(merged: Kubeconfig, name: string, files: readonly string[], options: KubeconfigOptions): Context {
  const context = merged.contexts.get(name);
  if (context !== undefined) return context;
  const why = options.context
    ? `context "${name}" does not exist`
    : `invalid configuration: context was not found for specified context: ${name}`;
  const known = [...merged.contexts.keys()].sort();
  throw clusterUnreachable(why, undefined, { kubeconfig: { kind: 'no-context', files, known, name } });
}

/** In client-go's words. */
function checkExec({ exec }: KubeconfigUser, name: string): void {
  if (!exec || exec.command) return;
  const missing = (['command', 'apiVersion', 'interactiveMode'] as const).filter((field) => !exec[field]);
  const texts = missing.map((field) => `${field} must be specified for ${name} to use exec authentication plugin`);
  throw clusterUnreachable(`invalid configuration: ${texts.length > 1 ? `[${texts.join(', ')}]` : texts.join()}`);
}

function clusterFlags(options: KubeconfigOptions): Partial<KubeconfigCluster> {
  return {
    ...(options.apiServer && { server: options.apiServer }),
    ...(options.caFile && {
      'certificate-authority': resolve(options.caFile),
      'certificate-authority-data': undefined,
    }),
    ...(options.insecureSkipTlsVerify && {
      'insecure-skip-tls-verify': true,
      // As client-go: only a file that is named beside it contradicts it.
      'certificate-authority': options.caFile && resolve(options.caFile),
      'certificate-authority-data': undefined,
    }),
    ...(options.tlsServerName && { 'tls-server-name': options.tlsServerName }),
  } as Partial<KubeconfigCluster>;
}

function withUserFlags(user: KubeconfigUser, options: KubeconfigOptions): KubeconfigUser {
  const { tokenFile: _file, exec: _exec, 'auth-provider': _provider, ...rest } = user;
  return {
    ...(options.token ? { ...rest, token: options.token } : user),
    ...(options.asUser && { as: options.asUser }),
    ...(options.asGroups && options.asGroups.length > 0 && { 'as-groups': options.asGroups }),
  };
}

/** The name of the user that Kubernetes gives to a pod. */
export const podAccount = 'the service account of this pod';

const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The service account that Kubernetes mounts into a pod; undefined outside of one. */
export async function serviceAccount(
  options: KubeconfigOptions,
  env: NodeJS.ProcessEnv,
  directory = serviceAccountDirectory,
): Promise<ClusterAccess | undefined> {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) return undefined;
  const tokenFile = join(directory, 'token');
  // Outside of a pod, or where it is not to have the account, they are not there.
  const namespace = await readFile(join(directory, 'namespace'), 'utf8').catch(() => '');
  const token = await readFile(tokenFile, 'utf8').catch(() => undefined);
  if (token === undefined) return undefined;
  return {
    namespace: options.namespace || namespace.trim() || 'default',
    cluster: {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      'certificate-authority': join(directory, 'ca.crt'),
      ...clusterFlags(options),
    },
    user: withUserFlags({ tokenFile }, options),
    userName: podAccount,
    isGuess: false,
  };
}
