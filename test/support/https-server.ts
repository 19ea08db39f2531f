import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type Server, type TlsOptions } from 'node:tls';

/** An HTTPS server whose requests hold the TLS socket, with its client's certificate: those of Bun's node:https do not. */
export function httpsServer(options: TlsOptions, listener: RequestListener): Server {
  const inner = createHttpServer(listener);
  return createTlsServer(options, (socket) => void inner.emit('connection', socket));
}

/** A certificate for `api.test`, with its key. */
export const fixtureCertificate = (): { readonly cert: string; readonly key: string } => ({
  cert: readFileSync(new URL('../cluster/http/fixtures/tls/server.crt', import.meta.url), 'utf8'),
  key: readFileSync(new URL('../cluster/http/fixtures/tls/server.key', import.meta.url), 'utf8'),
});
