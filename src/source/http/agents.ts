import { type ClientRequest, type ClientRequestArgs, Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { proxyFor } from '../../go/net/proxy.ts';
import { openTunnel, ProxyRefusal, proxyAuthorization } from '../../go/net/tunnel.ts';
import { withoutBrackets } from '../../go/net/url.ts';
import { downloadFailed } from './failure.ts';
import type { TlsOptions } from './request.ts';
import { readTrust, type Trust } from './tls.ts';

type Method = string;

/** Makes the request that goes the way that leads to a URL: directly or through a proxy, over kept-alive connections. */
export type Opener = (method: Method, headers: Readonly<Record<string, string>>) => ClientRequest;

/** The connections of one client, by their proxy and their TLS files. */
export class Agents {
  readonly #env: NodeJS.ProcessEnv;
  readonly #agents = new Map<string, HttpAgent | Promise<HttpsAgent>>();

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  async opener(url: URL, tls: TlsOptions): Promise<Opener> {
    const proxyText = proxyFor(url, this.#env);
    const proxy = proxyText === undefined ? undefined : checkedProxy(proxyText, url);
    const target = { host: withoutBrackets(url.hostname), port: url.port || undefined };
    const path = `${url.pathname}${url.search}`;
    if (url.protocol === 'https:') {
      const agent = await this.#https(tls, proxy);
      return (method, headers) => requestHttps({ ...target, path, method, headers, agent });
    }
    const agent = this.#http();
    if (proxy === undefined) return (method, headers) => requestHttp({ ...target, path, method, headers, agent });
    return await this.#throughProxy(url, proxy, agent);
  }

  close(): void {
    for (const agent of this.#agents.values()) {
      if (agent instanceof HttpAgent) agent.destroy();
      else
        agent.then(
          (opened) => opened.destroy(),
          // It was never opened.
          () => undefined,
        );
    }
  }

  /** Plain HTTP goes through a proxy as a request for the whole URL. */
  async #throughProxy(url: URL, proxy: URL, agent: HttpAgent): Promise<Opener> {
    const host = withoutBrackets(proxy.hostname);
    const path = `http://${url.host}${url.pathname}${url.search}`;
    const added = { ...proxyAuthorization(proxy), host: url.host };
    if (proxy.protocol === 'http:') {
      const port = proxy.port || 80;
      return (method, headers) => requestHttp({ host, port, path, method, headers: { ...headers, ...added }, agent });
    }
    const secure = await this.#https({}, undefined);
    const port = proxy.port || 443;
    return (method, headers) =>
      requestHttps({ host, port, path, method, headers: { ...headers, ...added }, agent: secure });
  }

  #http(): HttpAgent {
    const agent = (this.#agents.get('http') as HttpAgent | undefined) ?? new HttpAgent({ keepAlive: true });
    this.#agents.set('http', agent);
    return agent;
  }

  #https(tls: TlsOptions, proxy: URL | undefined): Promise<HttpsAgent> {
    const { caFile, certFile, keyFile, insecureSkipTlsVerify } = tls;
    const key = JSON.stringify([caFile, certFile, keyFile, insecureSkipTlsVerify, proxy?.href]);
    const agent =
      (this.#agents.get(key) as Promise<HttpsAgent> | undefined) ??
      readTrust(tls).then((trust) => (proxy === undefined ? directAgent(trust) : new TunnelAgent(trust, proxy)));
    this.#agents.set(key, agent);
    return agent;
  }
}

const directAgent = (trust: Trust): HttpsAgent => new HttpsAgent({ keepAlive: true, ...trust });

/** TLS inside of a tunnel that a proxy has opened. */
class TunnelAgent extends HttpsAgent {
  readonly #trust: Trust;
  readonly #proxy: URL;

  constructor(trust: Trust, proxy: URL) {
    super({ keepAlive: true });
    this.#trust = trust;
    this.#proxy = proxy;
  }

  override createConnection(
    options: ClientRequestArgs,
    done?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    const host = options.host ?? '';
    const target = `${host.includes(':') ? `[${host}]` : host}:${options.port ?? 443}`;
    openTunnel(this.#proxy, target).then(
      (socket) => {
        const secured = connectTls({ ...this.#trust, socket, host, servername: isIP(host) ? '' : host });
        secured.once('error', () => undefined);
        done?.(null, secured);
      },
      (cause: Error) => {
        const isOwn = cause instanceof ProxyRefusal;
        const error = isOwn ? cause : new Error(`proxyconnect tcp: ${cause.message}`, { cause });
        done?.(error, undefined as unknown as Duplex);
      },
    );
    return undefined;
  }
}

function checkedProxy(text: string, target: URL): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw downloadFailed({ url: target.href }, 'the proxy must be an http or https URL');
}
