import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { unusable } from '../api-error.ts';
import { hungUp, noConnection } from '../network-error.ts';
import { connectMs, handshakeMs } from './limits.ts';

/** Opens a socket, and resolves when it is up. Where there is TLS, the server chooses one of the protocols. */
export type Dial = (protocols: readonly Protocol[]) => Promise<Socket>;

export type Protocol = 'h2' | 'http/1.1';

export interface TlsSettings {
  /** Made once: reading the authorities again for each connection costs more than its handshake. */
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
  /** Whose certificate it must be, where that is not the host's. */
  readonly serverName?: string | undefined;
}

/** How sockets to a URL are opened: over TCP or a proxy, with TLS or without. */
export async function dialer(url: URL, tls: TlsSettings | undefined, proxy: string | undefined): Promise<Dial> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const tunnel = proxy === undefined ? undefined : await tunnelThrough(proxy, url.hostname, port);
  if (tls === undefined) return tunnel ?? (() => whenUp(connectTcp({ host, port })));
  return async (protocols) => whenUp(secured(tls, { host, port, protocols, inner: await tunnel?.() }));
}

interface Secured {
  readonly host: string;
  readonly port: number;
  readonly protocols: readonly Protocol[];
  readonly inner: Socket | undefined;
}

function secured(tls: TlsSettings, { host, port, protocols, inner }: Secured): TLSSocket {
  const { secureContext, rejectUnauthorized, serverName = host } = tls;
  return connectTls({
    secureContext,
    rejectUnauthorized,
    // An address is no server name (RFC 6066 §3).
    servername: isIP(serverName) ? '' : serverName,
    checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
    ALPNProtocols: [...protocols],
    ...(inner === undefined ? { host, port } : { socket: inner }),
  });
}

/** Resolves when a socket is connected, and secured if it is to be; a listener may take it and never answer. */
export function whenUp(socket: Socket): Promise<Socket> {
  const isTls = 'encrypted' in socket;
  if (!socket.connecting && !isTls) return Promise.resolve(socket);
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const limit = (stage: 'tcp' | 'tls', milliseconds: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => fail(noConnection(stage)), milliseconds);
    };
    const onTcp = (): void => limit('tls', handshakeMs);
    const onUp = (): void => {
      settle();
      resolve(socket.setNoDelay(true).setKeepAlive(true, 15_000));
    };
    const onClose = (): void => fail(hungUp(false));
    const settle = (): void => {
      clearTimeout(timer);
      socket
        .off('connect', onTcp)
        .off(isTls ? 'secureConnect' : 'connect', onUp)
        .off('error', fail)
        .off('close', onClose);
    };
    const fail = (error: Error): void => {
      settle();
      socket.on('error', () => {}).destroy();
      reject(error);
    };
    if (socket.connecting) limit('tcp', connectMs);
    else onTcp();
    if (isTls) socket.once('connect', onTcp);
    socket
      .once(isTls ? 'secureConnect' : 'connect', onUp)
      .once('error', fail)
      .once('close', onClose);
  });
}

/** A tunnel that a proxy opens (CONNECT), which it does for plain HTTP too. */
async function tunnelThrough(proxy: string, host: string, port: number): Promise<() => Promise<Socket>> {
  if (!/^https?:\/\//.test(proxy)) {
    throw unusable(`invalid configuration: proxy "${proxy}": tshelm supports only http and https proxies`);
  }
  const { HttpProxyAgent } = await import('hpagent');
  const agent = new HttpProxyAgent({ keepAlive: true, proxy }) as unknown as TunnelAgent;
  return () =>
    new Promise((resolve, reject) => {
      agent.createConnection({ host, port, timeout: connectMs }, (error, socket) =>
        error === null ? resolve(socket as Socket) : reject(refusedByProxy(error)),
      );
    });
}

/** hpagent names the status alone. */
const refusedByProxy = (error: Error): Error => {
  const [, status] = /^Bad response: (\d+)$/.exec(error.message) ?? [];
  if (status === undefined) return error;
  return new Error(status === '407' ? 'Proxy Authentication Required' : `the proxy answered with status ${status}`);
};

interface TunnelAgent {
  createConnection(
    options: { readonly host: string; readonly port: number; readonly timeout: number },
    done: (error: Error | null, socket: Socket | null) => void,
  ): void;
}
