import { devNull } from 'node:os';
import type { ConnectOptions, RequestReport } from '../cluster/connect.ts';
import type { Cluster } from '../cluster/types.ts';
import type { AnnotationRule } from '../sandbox/index.ts';
import type { SecretWords } from '../support/secret-words.ts';
import type { Reporter } from './progress/reporter.ts';
import type { Settings } from './settings.ts';
import type { Io } from './terminal/io.ts';

/** What the connection of a command is opened with. */
export interface ClusterRequest {
  readonly settings: Settings;
  readonly io: Io;
  readonly reporter: Reporter;
  readonly secrets: SecretWords;
  /** Takes what has to be closed when the command ends. */
  readonly onClose: (close: () => void | Promise<void>) => void;
  /** Told of every request that may change something in the cluster; taking the lock and giving it back is none. */
  readonly onChange: () => void;
  readonly signal: AbortSignal;
  readonly asksAhead?: boolean | undefined;
  readonly sandboxAnnotation?: AnnotationRule | undefined;
}

/** The cluster that the settings name: a real one, or the sandbox. */
export async function openCluster(request: ClusterRequest): Promise<Cluster> {
  const { onClose, secrets, asksAhead } = request;
  const { connect } = await import('../cluster/connect.ts');
  const cluster = await connect({
    ...(await clusterOptions(request)),
    ...diagnostics(request),
    redact: (text) => secrets.redact(text),
    asksAhead,
  });
  onClose(() => cluster.close());
  return cluster;
}

async function clusterOptions(request: ClusterRequest): Promise<ConnectOptions> {
  const { settings, io, onClose, signal, sandboxAnnotation: annotation } = request;
  if (settings.sandboxDirectory === undefined) return connectOptions(settings, io);
  const { announcesStatus, openSandbox } = await import('../sandbox/index.ts');
  const sandbox = await openSandbox({ directory: settings.sandboxDirectory, annotation });
  // Others that came meanwhile use this process's server: it stays until they are done.
  onClose(async () => {
    if (!signal.aborted) await sandbox.alone();
    await sandbox.close();
  });
  // The sandbox knows one user: nothing of the kubeconfig or the --kube flags is meant for it.
  const { url: apiServer, token } = sandbox;
  return { apiServer, token, namespace: settings.namespace, mayReport: announcesStatus, env: { KUBECONFIG: devNull } };
}

/** The namespace that the settings or the kubeconfig name, without asking the cluster. */
export async function offlineNamespace(settings: Settings, io: Io): Promise<string> {
  if (settings.sandboxDirectory !== undefined) return settings.namespace ?? 'default';
  const { findCluster } = await import('../cluster/kubeconfig.ts');
  // As Helm: a kubeconfig that cannot be read does not stop a command that needs no cluster.
  const access = await findCluster(connectOptions(settings, io)).catch(() => undefined);
  return access?.namespace ?? settings.namespace ?? 'default';
}

export const connectOptions = ({ kube, namespace }: Settings, io: Io): ConnectOptions => ({
  kubeconfig: kube.kubeconfig,
  context: kube.context,
  namespace,
  apiServer: kube.server,
  token: kube.token,
  asUser: kube.asUser,
  asGroups: kube.asGroups,
  caFile: kube.caFile,
  insecureSkipTlsVerify: kube.insecureSkipTlsVerify,
  tlsServerName: kube.tlsServerName,
  rate: kube.rate,
  env: io.env as NodeJS.ProcessEnv,
});

function diagnostics({ settings, reporter, secrets, onChange }: ClusterRequest): Partial<ConnectOptions> {
  const debugLine = (text: string): void => reporter.tell(`debug: ${secrets.redact(text)}\n`);
  const onRequest = ({ method, path }: RequestReport): void => {
    if (method !== 'GET' && !path.startsWith('/apis/coordination.k8s.io/')) onChange();
  };
  const connectOptionsWithNotes: Partial<ConnectOptions> = {
    onRequest,
    onWarning: (text) => reporter.onEvent({ kind: 'warning', text: secrets.redact(text) }),
    onAbsence: ({ isOver, text }) =>
      reporter.onEvent({ kind: isOver ? 'note' : 'warning', text: secrets.redact(text) }),
  };
  if (!settings.tellsRequests) return connectOptionsWithNotes;
  return {
    ...connectOptionsWithNotes,
    onDebug: debugLine,
    onRequest: (report) => {
      onRequest(report);
      const { method, path, status, elapsedMs, attempt } = report;
      debugLine(
        `${method} ${path} ${status || 'failed'} in ${elapsedMs.toFixed(0)} ms${attempt > 1 ? ` (try ${attempt})` : ''}`,
      );
    },
  };
}
