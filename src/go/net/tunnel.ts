import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';

const connectTimeoutMs = 30_000;

/** A proxy opens no tunnel; the message is the proxy's. */
export class ProxyRefusal extends Error {}

/** Asks a proxy for a tunnel to `target` (`host:port`): CONNECT. Fails with {@link ProxyRefusal}, or as the connection does. */
export function openTunnel(proxy: URL, target: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const send = proxy.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...proxyAuthorization(proxy) },
      agent: false,
    });
    request.setTimeout(connectTimeoutMs, () => request.destroy(new Error('the proxy did not answer')));
    request.once('error', reject);
    request.once('connect', ({ statusCode, statusMessage }, socket) => {
      socket.setTimeout(0);
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(new ProxyRefusal(statusMessage || `the proxy answered with status ${statusCode}`));
    });
    request.end();
  });
}

export const proxyAuthorization = ({ username, password }: URL): Record<string, string> =>
  username === ''
    ? {}
    : {
        'proxy-authorization': `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
      };
