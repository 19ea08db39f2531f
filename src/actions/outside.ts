import type { Outside } from '../execute/context.ts';
import type { ReleaseStorage } from '../release/types.ts';
import { HttpClient } from '../source/http/client.ts';

/** What needs ask of the releases of a cluster, and of servers (docs/ordering.md, 11). */
export function outsideOf(
  storageIn: (namespace: string) => Promise<ReleaseStorage>,
  env: Readonly<Record<string, string | undefined>>,
): Outside {
  return {
    isDeployed: async (name, namespace) => {
      const revisions = await (await storageIn(namespace)).revisions(name, { isBrief: true });
      return revisions.some(({ info }) => info.status === 'deployed');
    },
    statusOf: async (url, signal) => {
      const client = new HttpClient({ env: { ...env }, signal });
      try {
        return (await client.send({ url, timeoutMs: answerMs, retries: 0 })).status;
      } finally {
        client.close();
      }
    },
  };
}

const answerMs = 10_000;
