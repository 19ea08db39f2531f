import { dirname } from 'node:path';
import { nodeWorld } from '../../stack/node-world.ts';
import { refusedBy, untrustedWorld } from '../../stack/untrusted.ts';
import { openStack } from '../../stack/work/open-stack.ts';
import { hasCode } from '../../support/errors.ts';
import type { Mark } from './marks.ts';
import { failureMark } from './other-files.ts';

interface OpenState {
  /** Absolute. */
  readonly path: string;
  /** The texts that are open, by their paths. */
  readonly textOf: (path: string) => string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * What keeps a state file of a stack from being read, with the texts that are open. No program runs and nothing is fetched
 * for it: what a file computes so is not looked at.
 */
export async function stackMarks({ path, textOf, env }: OpenState): Promise<readonly Mark[]> {
  const disk = untrustedWorld(
    nodeWorld(env, () => undefined),
    [dirname(path)],
  );
  const world = { ...disk, readFile: (file: string) => textOf(file) ?? disk.readFile(file) };
  const refuse = async (url: string): Promise<never> => {
    throw refusedBy(`it would fetch ${url}`);
  };
  const outside = { fetch: refuse, decrypt: async () => undefined };
  try {
    await openStack(requestFor(path), { world, cwd: dirname(path), learn: () => undefined, outside });
    return [];
  } catch (failure) {
    if (hasCode(failure, 'stack-untrusted', 'stack-empty')) return [];
    return [failureMark(path, failure, (named) => (named.startsWith('/') ? named : path))];
  }
}

const requestFor = (file: string) => ({
  file,
  environment: 'default',
  selectors: [],
  stateValuesFiles: [],
  stateValues: new Map(),
  namespace: '',
  kubeContext: '',
  chart: '',
  kustomizeBinary: '',
});
