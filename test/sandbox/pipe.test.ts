import { expect, test } from 'vitest';
import { pipe, Turns } from '../../src/sandbox/http/pipe.ts';

test('each piece takes a turn of the event loop of its own, whichever of many connections it is on', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const watch = (left: number): void => {
    seen.push('turn');
    if (left > 0) setImmediate(() => watch(left - 1));
  };
  setImmediate(() => watch(20));
  const conversations = ['a', 'b', 'c'].map((name) => {
    const [near, far] = pipe(turns);
    far.on('data', (piece) => far.write(piece));
    near.write(name);
    return new Promise<void>((resolve) => {
      near.on('data', (piece) => {
        seen.push(String(piece));
        if (seen.filter((one) => one === name).length === 3) resolve();
        else near.write(piece);
      });
    });
  });
  await Promise.all(conversations);
  const answers = seen.filter((one) => one !== 'turn');
  expect(answers).toHaveLength(9);
  expect(seen.join(' ')).not.toMatch(/[abc] [abc]/);
});

test('an end comes after what was written before it', async () => {
  const [near, far] = pipe(new Turns());
  near.write('1');
  near.end('2');
  const seen: string[] = [];
  for await (const piece of far) seen.push(String(piece));
  expect(seen.join('')).toBe('12');
});
