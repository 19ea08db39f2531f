import { readFile } from 'node:fs/promises';
import { type AgentOptions, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { messageOf } from '../../support/errors.ts';
import { unusable } from '../api-error.ts';
import type { Identity } from './credentials.ts';
import { fileProblem } from './credentials.ts';
import type { ClusterAccess, KubeconfigCluster } from './kubeconfig.ts';
import { proxyFor } from './proxy.ts';

/** The kept-alive connections to one API server as one identity. */
export interface Connections {
  readonly request: typeof httpRequest;
  /** For calls that end soon: at most `maxConnections`. */
  readonly calls: HttpAgent;
  /** For watches and logs, which each hold a connection as long as they run. */
  readonly streams: HttpAgent;
}

export interface ConnectionOptions {
  readonly env: NodeJS.ProcessEnv;
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
    throw unusable(`invalid configuration: server "${cluster.server}" is no http or https URL`);
  }
  return url;
}

export async function openConnections(
  url: URL,
  cluster: KubeconfigCluster,
  identity: Identity,
  { env, maxConnections, dial }: ConnectionOptions,
): Promise<Connections> {
  const isSecure = url.protocol === 'https:';
  const tls = isSecure ? await tlsOptions(cluster, identity) : {};
  const proxy = cluster['proxy-url'] || proxyFor(url, env);
  const agent = dial === undefined ? await agentMaker(isSecure, proxy) : dialingAgent(dial);
  return {
    request: isSecure ? httpsRequest : httpRequest,
    calls: agent({ ...keptAlive, ...tls, maxSockets: maxConnections, maxFreeSockets: maxConnections }),
    streams: agent({ ...keptAlive, ...tls }),
  };
}

// API servers and balancers close idle connections after 60 seconds and more; we let go first, so that no request
// is sent into a connection that is just being closed.
const keptAlive = { keepAlive: true, keepAliveMsecs: 15_000, timeout: 30_000, noDelay: true } as const;

const dialingAgent =
  (dial: () => Duplex) =>
  (options: AgentOptions): HttpAgent =>
    Object.assign(new HttpAgent(options), { createConnection: () => dial() });

async function agentMaker(isSecure: boolean, proxy: string | undefined): Promise<(options: AgentOptions) => HttpAgent> {
  if (proxy === undefined) return (options) => (isSecure ? new HttpsAgent(options) : new HttpAgent(options));
  if (!/^https?:\/\//.test(proxy)) {
    throw unusable(`invalid configuration: proxy "${proxy}": tshelm speaks to http and https proxies only`);
  }
  const { HttpProxyAgent, HttpsProxyAgent } = await import('hpagent');
  return (options) => {
    const proxied = { ...options, keepAlive: true, proxy } as const;
    return isSecure ? new HttpsProxyAgent(proxied) : new HttpProxyAgent(proxied);
  };
}

/** With a context made once: reading the authorities again for each connection costs more than its handshake. */
async function tlsOptions(cluster: KubeconfigCluster, identity: Identity): Promise<object> {
  const { rejectUnauthorized = true, ca } = await trustOf(cluster);
  return {
    rejectUnauthorized,
    secureContext: contextOf(ca, identity),
    ...(cluster['tls-server-name'] && { servername: cluster['tls-server-name'] }),
  };
}

function contextOf(ca: Trust['ca'], { certificate, key }: Identity): SecureContext {
  const problem = pemProblem(ca, certificate, key);
  if (problem !== undefined) throw unusable(problem);
  try {
    return createSecureContext({ ca, cert: certificate, key });
  } catch (cause) {
    throw unusable(`tls: ${messageOf(cause)}`, cause);
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
    throw unusable('specifying a root certificates file with the insecure flag is not allowed');
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
    throw unusable(
      `invalid configuration: unable to read certificate-authority ${file} due to ${fileProblem(file, cause)}`,
      cause,
    );
  }
}

/** The authorities that this system trusts, where Go looks for them, beside Node's own. */
async function systemAuthorities(): Promise<string[]> {
  const files = [
    process.env['SSL_CERT_FILE'],
    '/etc/ssl/certs/ca-certificates.crt',
    '/etc/pki/tls/certs/ca-bundle.crt',
    '/etc/ssl/cert.pem',
  ];
  for (const file of files) {
    const bundle = file && (await readFile(file, 'utf8').catch(() => undefined));
    if (bundle) return [...rootCertificates, bundle];
  }
  return [...rootCertificates];
}
