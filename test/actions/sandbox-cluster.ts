import { connect } from '../../src/cluster/connect.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import { openSandbox, type SandboxOptions } from '../../src/sandbox/index.ts';

/** A sandbox of its own, in memory unless a folder is given, as actions see it. */
export async function openSandboxCluster(
  options: SandboxOptions = {},
): Promise<{ readonly cluster: Cluster; close(): Promise<void> }> {
  const sandbox = await openSandbox(options);
  const cluster = await connect({ apiServer: sandbox.url, token: sandbox.token, env: { KUBECONFIG: '/dev/null' } });
  return {
    cluster,
    close: async () => {
      cluster.close();
      await sandbox.close();
    },
  };
}
