import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';
import { systemAuthorities } from '../../go/net/authorities.ts';
import { proxyFor } from '../../go/net/proxy.ts';
import { keyPairReason } from '../../go/net/reason.ts';
import { clusterUnreachable } from '../api-error.ts';
import { fileProblem } from '../credentials/credential-file.ts';
import type { Identity } from '../credentials/credentials.ts';
import type { ClusterAccess, KubeconfigCluster } from '../kubeconfig.ts';
import { Connections } from './connections.ts';
import { dialer, type TlsSettings, whenConnected } from './dial.ts';

export interface ConnectionOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Calls that run at the same time. */
  readonly maxConnections: number;
  readonly dial?: (() => Duplex) | undefined;
}

/** The address of the API server; a bare `host:port` is https where the cluster or user has TLS settings, as in client-go. */
export function serverUrl({ cluster, user }: ClusterAccess): URL {
  const hasTls =
    cluster['certificate-authority'] ||
    cluster['certificate-authority-data'] ||
    cluster['insecure-skip-tls-verify'] ||
    user['client-certificate'] ||
    user['client-certificate-data'];
  const text = cluster.server.includes('://') ? cluster.server : `${hasTls ? 'https' : 'http'}://${cluster.server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw clusterUnreachable(`invalid configuration: server "${cluster.server}" is not an http or https URL`);
  }
  return url;
}

/** The connections to one API server as one identity. */
export async function openConnections(
  url: URL,
  cluster: KubeconfigCluster,
  identity: Identity,
  { env, maxConnections, dial }: ConnectionOptions,
): Promise<Connections> {
  const tls = url.protocol === 'https:' ? await tlsSettings(cluster, identity) : undefined;
  const proxy = cluster['proxy-url'] || proxyFor(url, env);
  // Streams of one's own have what an HTTP client asks of a socket.
  const open = dial === undefined ? dialer(url, tls, proxy) : () => whenConnected(dial() as Socket);
  // As client-go, for what comes before a server and does not speak HTTP/2 as it should.
  const offersHttp2 = tls !== undefined && !env['DISABLE_HTTP2'];
  return new Connections(open, { host: url.host, offersHttp2, maxCalls: maxConnections });
}

async function tlsSettings(cluster: KubeconfigCluster, identity: Identity): Promise<TlsSettings> {
  const { rejectUnauthorized = true, ca } = await trustOf(cluster);
  const serverName = cluster['tls-server-name'] || undefined;
  return { rejectUnauthorized, secureContext: contextOf(ca, identity), serverName };
}

function contextOf(ca: Trust['ca'], { certificate, key }: Identity): SecureContext {
  const problem = pemProblem(ca, certificate, key);
  if (problem !== undefined) throw clusterUnreachable(problem);
  try {
    return createSecureContext({ ca, cert: certificate, key });
  } catch (cause) {
    throw clusterUnreachable(`tls: ${keyPairReason(cause)}`, cause);
  }
}

/** What is no PEM, in Go's words. */
function pemProblem(ca: Trust['ca'], certificate: string | undefined, key: string | undefined): string | undefined {
  const isNoPem = (text: string | undefined): boolean => text !== undefined && !text.includes('-----BEGIN ');
  if (ca !== undefined && [ca].flat().every(isNoPem))
    return 'unable to load root certificates: unable to parse bytes as PEM block';
  if (isNoPem(certificate)) return 'tls: failed to find any PEM data in certificate input';
  return isNoPem(key) ? 'tls: failed to find any PEM data in key input' : undefined;
}

interface Trust {
  readonly ca?: string | string[];
  readonly rejectUnauthorized?: boolean;
}

async function trustOf(cluster: KubeconfigCluster): Promise<Trust> {
  if (cluster['insecure-skip-tls-verify'] !== true) return { ca: await authorities(cluster) };
  if (cluster['certificate-authority'] || cluster['certificate-authority-data']) {
    await authorities(cluster);
    throw clusterUnreachable('specifying a root certificates file with the insecure flag is not allowed');
  }
  return { rejectUnauthorized: false };
}

async function authorities(cluster: KubeconfigCluster): Promise<string | string[]> {
  const data = cluster['certificate-authority-data'];
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  const file = cluster['certificate-authority'];
  if (!file) return systemAuthorities();
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw clusterUnreachable(
      `invalid configuration: unable to read certificate-authority ${file} due to ${fileProblem(file, cause)}`,
      cause,
    );
  }
}
