import { expect, test } from 'vitest';
import { Asking, answer } from './raw-server.ts';
import { type TestSocket, testPool, turn } from './test-socket.ts';

function asked(silenceMs = 65_000, prepare?: (socket: TestSocket) => void) {
  const { pool, sockets } = testPool(1, prepare);
  const asking = new Asking(pool, 'ask', silenceMs);
  return { pool, sockets, asking, socket: sockets[0] as TestSocket };
}

test('an idle connection holds nothing up, and is let go after a while', async () => {
  const { pool, sockets, asking, socket } = asked();
  expect(socket).toMatchObject({ written: 'ask', limitMs: 65_000, isReferenced: true });
  await socket.receive(answer('a'));
  expect(await asking.answered).toBe('a');
  await turn();
  expect(socket).toMatchObject({ limitMs: 30_000, isReferenced: false });
  const next = new Asking(pool, 'again', 50_000);
  expect(socket).toMatchObject({ written: 'askagain', limitMs: 50_000, isReferenced: true });
  await socket.receive(answer('b', 'Keep-Alive: timeout=5, max=1000\r\n'));
  expect(await next.answered).toBe('b');
  await turn();
  expect(socket).toMatchObject({ limitMs: 4_000, isReferenced: false });
  socket.emit('timeout');
  expect(socket.destroyed).toBe(true);
  const other = new Asking(pool);
  expect(other.connection).not.toBe(next.connection);
  expect(sockets).toHaveLength(2);
});

test('a connection that is taken at once stays in use', async () => {
  const { pool, asking, socket } = asked();
  const next = asking.answered.then(() => new Asking(pool, 'again'));
  await socket.receive(answer('a'));
  await next;
  await turn();
  expect(socket).toMatchObject({ written: 'askagain', limitMs: 60_000, isReferenced: true });
});

test('connecting may take half a minute, whatever the answer may take', async () => {
  const { socket, asking } = asked(65_000, (made) => (made.connecting = true));
  expect(socket.limitMs).toBe(30_000);
  socket.connecting = false;
  socket.emit('connect');
  expect(socket.limitMs).toBe(65_000);
  socket.emit('timeout');
  await expect(asking.answered).rejects.toThrow('no answer for 65 s');
});

test('an address where nothing answers', async () => {
  const { socket, asking } = asked(65_000, (made) => (made.connecting = true));
  socket.emit('timeout');
  await expect(asking.answered).rejects.toThrow('dial tcp: i/o timeout');
});

test('who reads slowly is not taken for a server that is silent', async () => {
  const { asking, socket } = asked();
  asking.connection?.pause();
  socket.emit('timeout');
  expect(socket.destroyed).toBe(false);
  asking.connection?.resume();
  socket.emit('timeout');
  await expect(asking.answered).rejects.toThrow('no answer for 65 s');
});

test('an answer whose reader had enough leaves a connection that is read again', async () => {
  const { pool, asking, socket } = asked();
  asking.onBody = () => asking.connection?.pause();
  await socket.receive(answer('a'));
  await asking.answered;
  const next = new Asking(pool, 'again');
  await socket.receive(answer('b'));
  expect(await next.answered).toBe('b');
});

test('a connection on which the rest of a request is still to be sent is not used again', async () => {
  const { asking, socket } = asked(65_000, (made) => (made.takes = false));
  await socket.receive(answer('too large'));
  expect(await asking.answered).toBe('too large');
  expect(socket.destroyed).toBe(true);
});

test('a socket that knows why it ends is believed', async () => {
  const { asking, socket } = asked(65_000, (made) =>
    made.once('end', () => made.destroy(new Error('disconnected before secure TLS connection was established'))),
  );
  socket.push(null);
  await expect(asking.answered).rejects.toThrow('disconnected before secure');
});
