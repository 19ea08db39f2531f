import { connect } from '../../cluster/connect.ts';
import type { Cluster } from '../../cluster/types.ts';
import { openSandbox } from '../../sandbox/index.ts';

/** An API server in this process that nothing else knows. */
export interface OwnServer {
  readonly cluster: Cluster;
  /** Resolves when the kinds of all CRDs that it has got are served. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export async function openOwnServer(namespace: string): Promise<OwnServer> {
  const sandbox = await openSandbox({ isOnlyApi: true });
  const cluster = await connect({
    apiServer: sandbox.url,
    token: sandbox.token,
    namespace,
    env: { KUBECONFIG: '/dev/null' },
    dial: () => sandbox.dial(),
  });
  return {
    cluster,
    settle: () => sandbox.settle(),
    async close() {
      cluster.close();
      await sandbox.close();
    },
  };
}
