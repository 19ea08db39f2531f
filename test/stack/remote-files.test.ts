import { expect, test } from 'vitest';
import { RemoteFiles } from '../../src/stack/remote-files.ts';
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

const program = (command: string) => ({ command, args: [], cwd: '/' });

test('reading that meets files elsewhere begins anew with them, and does nothing twice', async () => {
  const { world, runs, warnings } = machine();
  const fetched: string[] = [];
  const remotes = new RemoteFiles(async (url) => `/cache/${fetched.push(url)}`);
  const found = await remotes.read(world, (now) => {
    const first = now.run(program('uuid'));
    now.warn('old');
    const a = remotes.pathOf('https://a.example/a');
    const second = now.run(program('uuid'));
    now.warn('old');
    return [first, a, second, remotes.pathOf('https://a.example/b'), remotes.pathOf('https://a.example/a')];
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
  const remotes = new RemoteFiles(() => Promise.reject(failure));
  const place = (): string => {
    try {
      return remotes.pathOf('https://a.example/a');
    } catch (error) {
      throw error instanceof TshelmError ? error.wrapped({ message: `${error.message} (file:3)` }) : error;
    }
  };
  await expect(remotes.read(machine().world, place)).rejects.toThrow('not here (file:3)');
});

test('a mistake of our own is not taken for a file that is missing', async () => {
  const remotes = new RemoteFiles(() => Promise.reject(new TypeError('no')));
  await expect(remotes.read(machine().world, () => remotes.pathOf('x'))).rejects.toThrow(TypeError);
});
