import { expect, test } from 'vitest';
import { ownWire } from '../../../../src/cluster/http/http1/own-wire.ts';
import { testDial } from './test-socket.ts';

test('a call that is stopped while its connection comes up ends the connection', () => {
  const { dial, sockets } = testDial((socket) => (socket.connecting = true));
  const errors: Error[] = [];
  const request = { method: 'GET', target: '/', headers: [], body: undefined, silenceMs: 1000, bodySilenceMs: 1000 };
  const listener = { onHead() {}, onBody() {}, onEnd() {}, onError: (error: Error) => errors.push(error) };
  const call = ownWire(dial).send(request, listener);
  expect(call.isUnderWay).toBe(false);
  call.stop(new Error('stopped by the user'));
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  expect(errors).toEqual([new Error('stopped by the user')]);
});
