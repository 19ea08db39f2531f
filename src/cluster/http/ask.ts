import { reasonOf } from '../../go/net/reason.ts';
import { userAgent } from '../../support/version.ts';
import type { Ask } from '../credentials/oidc.ts';
import { exchange } from './exchange.ts';
import { checkedHeaders } from './headers.ts';
import { openConnections } from './open-connections.ts';

const maxRedirects = 10;

/** Asks a server that is no API server, once: an issuer of tokens. A question (GET) follows redirects, as net/http. */
export const askWith =
  (env: NodeJS.ProcessEnv): Ask =>
  async (url, request, trust, signal) => {
    for (let at = url, redirects = 0; ; redirects++) {
      const answer = await once(env, at, request, trust, signal);
      const { location } = answer.headers;
      if (request.body !== undefined || answer.status < 300 || answer.status > 399 || location === undefined)
        return answer;
      if (redirects === maxRedirects) throw new Error(`Get "${url.href}": stopped after ${maxRedirects} redirects`);
      at = new URL(location, at);
    }
  };

async function once(
  env: NodeJS.ProcessEnv,
  ...[url, { headers, body }, trust, signal]: Parameters<Ask>
): ReturnType<Ask> {
  const method = body === undefined ? 'GET' : 'POST';
  const cluster = {
    server: url.href,
    ...(trust.file && { 'certificate-authority': trust.file }),
    ...(trust.data && { 'certificate-authority-data': trust.data }),
  };
  const connections = await openConnections(url, cluster, { headers: {} }, { env, maxConnections: 1 });
  try {
    return await exchange(connections, {
      request: { method, path: url.pathname, repeat: 'never', signal },
      target: `${url.pathname}${url.search}`,
      headers: checkedHeaders({ accept: 'application/json', 'user-agent': userAgent, ...headers }),
      body,
      isStream: false,
      onHead: () => {},
    });
  } catch (error) {
    signal?.throwIfAborted();
    const verb = method === 'GET' ? 'Get' : 'Post';
    throw new Error(`${verb} "${url.href}": ${reasonOf(error, url)}`, { cause: error });
  } finally {
    connections.close();
  }
}
