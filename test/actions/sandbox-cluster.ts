import { connect } from '../../src/cluster/connect.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import { openSandbox } from '../../src/sandbox/index.ts';

/** A sandbox of its own, in memory, as actions see it. */
export async function openSandboxCluster(): Promise<{ readonly cluster: Cluster; close(): Promise<void> }> {
  const sandbox = await openSandbox();
  const cluster = await connect({ apiServer: sandbox.url, token: sandbox.token, env: { KUBECONFIG: '/dev/null' } });
  return {
    cluster,
    close: async () => {
      cluster.close();
      await sandbox.close();
    },
  };
}
