import { expect, test } from 'vitest';
import { OutsideFiles } from '../../src/stack/outside-files.ts';
import type { StackWorld } from '../../src/stack/world.ts';
import { TshelmError } from '../../src/support/errors.ts';

/** A machine that counts what is run and says what it is warned of. */
function machine() {
  const runs: string[] = [];
  const warnings: string[] = [];
  const world = {
    run: ({ command }: { readonly command: string }) => `${command} ${runs.push(command)}`,
    warn: (text: string) => void warnings.push(text),
  } as unknown as StackWorld;
  return { world, runs, warnings };
}

const decrypt = async () => undefined;

const program = (command: string) => ({ command, args: [], cwd: '/' });

test('reading that meets files elsewhere begins anew with them, and does nothing twice', async () => {
  const { world, runs, warnings } = machine();
  const fetched: string[] = [];
  const outside = new OutsideFiles({ fetch: async (url) => `/cache/${fetched.push(url)}`, decrypt });
  const found = await outside.read(world, (now) => {
    const first = now.run(program('uuid'));
    now.warn('old');
    const a = outside.pathOf('https://a.example/a');
    const second = now.run(program('uuid'));
    now.warn('old');
    return [first, a, second, outside.pathOf('https://a.example/b'), outside.pathOf('https://a.example/a')];
  });
  expect(found).toEqual(['uuid 1', '/cache/1', 'uuid 2', '/cache/2', '/cache/1']);
  expect({ runs, warnings, fetched }).toEqual({
    runs: ['uuid', 'uuid'],
    warnings: ['old', 'old'],
    fetched: ['https://a.example/a', 'https://a.example/b'],
  });
});

test('what cannot be fetched fails where it is named', async () => {
  const failure = new TshelmError('offline', { message: 'not here' });
  const outside = new OutsideFiles({ fetch: () => Promise.reject(failure), decrypt });
  const place = (): string => {
    try {
      return outside.pathOf('https://a.example/a');
    } catch (error) {
      throw error instanceof TshelmError ? error.wrapped({ message: `${error.message} (file:3)` }) : error;
    }
  };
  await expect(outside.read(machine().world, place)).rejects.toThrow('not here (file:3)');
});

test('a mistake of our own is not taken for a file that is missing', async () => {
  const outside = new OutsideFiles({ fetch: () => Promise.reject(new TypeError('no')), decrypt });
  await expect(outside.read(machine().world, () => outside.pathOf('x'))).rejects.toThrow(TypeError);
});
