import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { whenAborted } from '../../src/support/abort.ts';

test('everybody who has not gone is told, once, by one listener', () => {
  const stop = new AbortController();
  const told: string[] = [];
  const leave = whenAborted(stop.signal, () => told.push('gone'));
  whenAborted(stop.signal, () => told.push('a'));
  whenAborted(stop.signal, () => told.push('b'));
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
  leave();
  stop.abort();
  stop.abort();
  expect(told).toEqual(['a', 'b']);
});

test('without anybody there is no listener, and who comes then is told', () => {
  const stop = new AbortController();
  const told: string[] = [];
  const leave = whenAborted(stop.signal, () => told.push('gone'));
  leave();
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  const next = whenAborted(stop.signal, () => told.push('next'));
  leave();
  stop.abort();
  next();
  expect(told).toEqual(['next']);
});
