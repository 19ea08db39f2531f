import type { Context } from './context.ts';
import { clusterKnowledgeOf, type DeployOptions } from './deploy/deploy-options.ts';

/**
 * Asks the server what rendering is going to ask it, its version and what it serves, so that the answers come in while
 * the lock is taken and the history is read. What goes wrong shows when it is asked again.
 */
export function prefetchClusterInfo(options: DeployOptions, { cluster, signal }: Context): void {
  if (clusterKnowledgeOf(options) === 'nothing') return;
  void cluster()
    .then((server) => Promise.all([server.version({ signal }), server.resources({ signal })]))
    .catch(() => {});
}
