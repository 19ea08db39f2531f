import { dirname, resolve } from 'node:path';
import { decodeText } from '../../go/text.ts';
import type { StackRequest } from '../../stack/reading.ts';
import { isUntrustedBy } from '../../stack/untrusted.ts';
import type { OpenStack } from '../../stack/work/open-stack.ts';
import type { StackWorld } from '../../stack/world.ts';
import type { CliContext } from '../context.ts';
import type { StackFlags } from './flags.ts';

/** Reads the state files that the flags name; `around`: what is put around the machine. Errors: those of reading it, and `stack-empty`. */
export async function openStack(
  flags: StackFlags,
  context: CliContext,
  around: (world: StackWorld) => StackWorld = (world) => world,
  { ignoresLock }: Pick<StackRequest, 'ignoresLock'> = {},
): Promise<OpenStack> {
  const { io, secrets } = context;
  const { nodeWorld } = await import('../../stack/node-world.ts');
  const { openStack: open } = await import('../../stack/work/open-stack.ts');
  const { stateValuesOf } = await import('../../stack/state-values.ts');
  const { cwd } = io;
  const file = flags.file ?? io.env['HELMFILE_FILE_PATH'] ?? '';
  const node = nodeWorld(io.env, (text) => io.stderr.write(`WARNING: ${text}\n`));
  const start: StackWorld['start'] = (program) => {
    context.act();
    return node.start(program);
  };
  const machine = around({ ...node, start });
  const read = file === '-' ? withFile(machine, resolve(cwd, file), decodeText(await io.readStdin())) : machine;
  const world =
    (flags.untrusted ?? isUntrustedBy(io.env)) ? await untrustedOf(read, resolve(cwd, file), flags, cwd) : read;
  const request = {
    file,
    environment: flags.environment ?? io.env['HELMFILE_ENVIRONMENT'] ?? 'default',
    selectors: flags.selector,
    stateValuesFiles: flags.stateValuesFile,
    stateValues: stateValuesOf(flags.stateValuesSet, flags.stateValuesSetString),
    namespace: flags.namespace ?? '',
    kubeContext: flags.kubeContext ?? '',
    chart: flags.chart,
    kustomizeBinary: flags.kustomizeBinary ?? '',
    ignoresLock,
  };
  const { decryptionOf } = await import('../sources/secret-values.ts');
  const outside = {
    fetch: async (url: string) => (await import('../sources/sources.ts')).sourcesOf(flags, context).file(url, {}),
    decrypt: decryptionOf(flags, context),
  };
  return open(request, { world, cwd, learn: (secret) => secrets.addDecrypted(secret), outside });
}

/** Files of the command line may be anywhere, and so may what is beside the state file that it names. */
async function untrustedOf(
  world: StackWorld,
  file: string,
  { stateValuesFile }: StackFlags,
  cwd: string,
): Promise<StackWorld> {
  const { untrustedWorld } = await import('../../stack/untrusted.ts');
  const folder = world.kindOf(file) === 'directory' ? file : dirname(file);
  const given = stateValuesFile.map((name) => resolve(cwd, name));
  return untrustedWorld(world, [...new Set([cwd, folder, ...given])]);
}

/** A machine that has one file more. */
const withFile = (world: StackWorld, path: string, text: string): StackWorld => ({
  ...world,
  readFile: (name) => (name === path ? text : world.readFile(name)),
  kindOf: (name) => (name === path ? 'file' : world.kindOf(name)),
});
