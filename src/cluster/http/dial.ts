import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { openTunnel } from '../../go/net/tunnel.ts';
import { withoutBrackets } from '../../go/net/url.ts';
import { clusterUnreachable } from '../api-error.ts';
import { connectionClosedError, noConnection } from '../network-error.ts';
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
export function dialer(url: URL, tls: TlsSettings | undefined, proxy: string | undefined): Dial {
  const host = withoutBrackets(url.hostname);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const tunnel = proxy === undefined ? undefined : tunnelThrough(proxy, `${url.hostname}:${port}`);
  if (tls === undefined) return tunnel ?? (() => whenConnected(connectTcp({ host, port })));
  return async (protocols) => whenConnected(secured(tls, { host, port, protocols, inner: await tunnel?.() }));
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
export function whenConnected(socket: Socket): Promise<Socket> {
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
    const onClose = (): void => fail(connectionClosedError(false));
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

/** A tunnel that a proxy opens, which it does for plain HTTP too. */
function tunnelThrough(proxy: string, target: string): () => Promise<Socket> {
  if (!/^https?:\/\//.test(proxy)) {
    throw clusterUnreachable(`invalid configuration: proxy "${proxy}": tshelm supports only http and https proxies`);
  }
  return () => openTunnel(new URL(proxy), target);
}
