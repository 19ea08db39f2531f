import { helmPaths } from '../../source/paths.ts';
import { sortedEntries } from '../../support/order.ts';
import type { GlobalFlags, Settings } from '../settings.ts';
import type { Io } from '../terminal/io.ts';

/** What the environment of a command is made from. */
export interface EnvironmentContext {
  readonly io: Io;
  settings(flags: GlobalFlags): Settings;
  /** The namespace that the flags, the environment or the kubeconfig name, without asking the cluster. */
  namespace(flags: GlobalFlags): Promise<string>;
}

/**
 * The variables that `helm env` prints and that plugins get: what flags, environment and defaults say together, sorted by
 * name. Follows cli.EnvSettings.EnvVars.
 */
export async function helmEnvironment(
  flags: GlobalFlags,
  context: EnvironmentContext,
): Promise<readonly (readonly [string, string])[]> {
  const { env, program } = context.io;
  const settings = context.settings(flags);
  const paths = helmPaths(env, flags);
  return sortedEntries({
    HELM_BIN: program,
    HELM_BURST_LIMIT: String(flags.burstLimit ?? numberOr(env['HELM_BURST_LIMIT'], 100, Number.parseInt)),
    HELM_CACHE_HOME: paths.cacheHome,
    HELM_CONFIG_HOME: paths.configHome,
    HELM_CONTENT_CACHE: paths.contentCache,
    HELM_DATA_HOME: paths.dataHome,
    HELM_DEBUG: String(settings.debug),
    HELM_MAX_HISTORY: String(settings.maxHistory),
    HELM_NAMESPACE: await context.namespace(flags),
    HELM_PLUGINS: paths.plugins,
    HELM_QPS: Math.fround(flags.qps ?? numberOr(env['HELM_QPS'], 0, Number)).toFixed(2),
    HELM_REGISTRY_CONFIG: paths.registryConfig,
    HELM_REPOSITORY_CACHE: paths.repositoryCache,
    HELM_REPOSITORY_CONFIG: paths.repositoryConfig,
    ...kubeVariables(settings),
    // As in Helm the flag alone counts here; of $KUBECONFIG the caller knows.
    ...(settings.kube.kubeconfig !== undefined && { KUBECONFIG: settings.kube.kubeconfig }),
  });
}

/** What the --kube flags and their variables say; nothing of a kubeconfig, as in Helm. */
const kubeVariables = ({ kube }: Settings): Record<string, string> => ({
  HELM_KUBEAPISERVER: kube.server ?? '',
  HELM_KUBEASGROUPS: kube.asGroups.join(','),
  HELM_KUBEASUSER: kube.asUser ?? '',
  HELM_KUBECAFILE: kube.caFile ?? '',
  HELM_KUBECONTEXT: kube.context ?? '',
  HELM_KUBEINSECURE_SKIP_TLS_VERIFY: String(kube.insecureSkipTlsVerify),
  HELM_KUBETLS_SERVER_NAME: kube.tlsServerName ?? '',
  HELM_KUBETOKEN: kube.token ?? '',
});

/** A variable that is no number counts as absent. */
function numberOr(text: string | undefined, otherwise: number, read: (text: string) => number): number {
  const value = text === undefined || text === '' ? Number.NaN : read(text);
  return Number.isFinite(value) ? value : otherwise;
}
