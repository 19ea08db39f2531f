import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { dialer } from '../../../src/cluster/http/dial.ts';
import { handshakeMs } from '../../../src/cluster/http/limits.ts';

const opened: { close(): unknown }[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const one of opened.splice(0)) one.close();
});

async function silentListener(): Promise<{ url: URL; accepted: Promise<Socket> }> {
  const server: Server = createServer();
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(server);
  return { url: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`), accepted };
}

test('a listener that never answers fails the TLS handshake after ten seconds, in the words of net/http', async () => {
  const { url, accepted } = await silentListener();
  const dial = dialer(url, { secureContext: createSecureContext(), rejectUnauthorized: false }, undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const outcome = dial(['http/1.1']);
  outcome.catch(() => {});
  const socket = await accepted;
  // The client's own `connect` event, after which the handshake is limited, comes in a turn of its own.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  vi.advanceTimersByTime(handshakeMs);
  await expect(outcome).rejects.toThrow('net/http: TLS handshake timeout');
  socket.destroy();
});
