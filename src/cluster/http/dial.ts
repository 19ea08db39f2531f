import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { unusable } from '../api-error.ts';
import { hungUp, noConnection } from '../network-error.ts';
import { connectMs, handshakeMs } from './wire.ts';

/** Opens a socket, which may still be connecting; `done` may be called at once. */
export type Dial = (done: (socket: Socket | Error) => void) => void;

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
  const dial: Dial = tunnel ?? ((done) => done(kept(connectTcp({ host, port }))));
  return tls === undefined ? dial : secured(tls, host, port, tunnel);
}

/** The same, for who needs a socket that is connected. */
export function dialConnected(dial: Dial, done: (socket: Socket | Error) => void): void {
  dial((socket) => {
    if (socket instanceof Error || !socket.connecting) return done(socket);
    const event = 'encrypted' in socket ? 'secureConnect' : 'connect';
    const settle = (result: Socket | Error): void => {
      clearTimeout(timer);
      socket.off('error', settle).off('close', onClose).off(event, onReady);
      if (result !== socket) socket.on('error', () => {}).destroy();
      done(result);
    };
    const onClose = (): void => settle(hungUp(false));
    const onReady = (): void => settle(socket);
    const timer = setTimeout(() => settle(noConnection('tcp')), connectMs);
    socket.once('error', settle).once('close', onClose).once(event, onReady);
  });
}

const kept = (socket: Socket): Socket => socket.setNoDelay(true).setKeepAlive(true, 15_000);

/** TLS, whose sessions are resumed: that saves most of a handshake. */
function secured(tls: TlsSettings, host: string, port: number, tunnel: Dial | undefined): Dial {
  const { secureContext, rejectUnauthorized } = tls;
  // An address is no server name (RFC 6066 §3).
  const { serverName = host } = tls;
  const servername = isIP(serverName) ? '' : serverName;
  let session: Buffer | undefined;
  const open = (inner: Socket | undefined): Socket => {
    const socket = connectTls({
      host,
      port,
      secureContext,
      rejectUnauthorized,
      servername,
      checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
      ALPNProtocols: ['http/1.1'],
      ...(session && { session }),
      ...(inner && { socket: inner }),
    });
    // A session stands for a verified server: it is kept only where the server was.
    let isVerified = false;
    let own: Buffer | undefined;
    socket.on('session', (latest: Buffer) => {
      own = latest;
      if (isVerified) session = latest;
    });
    socket.once('secureConnect', () => {
      isVerified = true;
      session = own ?? session;
    });
    socket.once('close', (hadError) => {
      if (hadError) session = undefined;
    });
    limitHandshake(socket);
    return kept(socket);
  };
  if (tunnel === undefined) return (done) => done(open(undefined));
  return (done) => tunnel((inner) => done(inner instanceof Error ? inner : open(inner)));
}

/** A listener that takes connections and never answers would be waited for until somebody loses patience. */
function limitHandshake(socket: TLSSocket): void {
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => socket.destroy(noConnection('tls')), handshakeMs);
  };
  const end = (): void => clearTimeout(timer);
  if (socket.connecting) socket.once('connect', begin);
  else begin();
  socket.once('secureConnect', end).once('close', end);
}

/** A tunnel that a proxy opens (CONNECT), which it does for plain HTTP too. */
async function tunnelThrough(proxy: string, host: string, port: number): Promise<Dial> {
  if (!/^https?:\/\//.test(proxy)) {
    throw unusable(`invalid configuration: proxy "${proxy}": tshelm supports only http and https proxies`);
  }
  const { HttpProxyAgent } = await import('hpagent');
  const agent = new HttpProxyAgent({ keepAlive: true, proxy }) as unknown as TunnelAgent;
  return (done) =>
    agent.createConnection({ host, port, timeout: connectMs }, (error, socket) =>
      done(error === null ? (socket as Socket) : refusedByProxy(error)),
    );
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
