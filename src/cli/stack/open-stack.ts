import { resolve } from 'node:path';
import { decodeText } from '../../go/text.ts';
import type { StackFile } from '../../stack/read-stack.ts';
import type { Reading } from '../../stack/reading.ts';
import type { StackWorld } from '../../stack/world.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { StackFlags } from './flags.ts';

export interface OpenStack {
  readonly files: readonly StackFile[];
  readonly reading: Reading;
}

/** Reads the state files that the flags name. Errors: those of readStack, and `stack-empty`. */
export async function openStack(flags: StackFlags, { io, secrets }: CliContext): Promise<OpenStack> {
  const { nodeWorld } = await import('../../stack/node-world.ts');
  const { readStack } = await import('../../stack/read-stack.ts');
  const { SecretReader } = await import('../../stack/secrets/reader.ts');
  const { stateValuesOf } = await import('../../stack/state-values.ts');
  const { Renderers } = await import('../../stack/text-renderer.ts');
  const { cwd } = io;
  const file = flags.file ?? io.env['HELMFILE_FILE_PATH'] ?? '';
  const machine = nodeWorld(io.env, (text) => io.stderr.write(`WARNING: ${text}\n`));
  const world = file === '-' ? withFile(machine, resolve(cwd, file), decodeText(await io.readStdin())) : machine;
  const reader = new SecretReader(world, cwd, (secret) => secrets.add(secret));
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
  };
  const reading: Reading = { request, world, renderers: new Renderers(world, reader), secrets: reader };
  const files = readStack(reading, cwd);
  if (files.length > 0) return { files, reading };
  throw noneFound(reading);
}

/** A machine that has one file more. */
const withFile = (world: StackWorld, path: string, text: string): StackWorld => ({
  ...world,
  readFile: (name) => (name === path ? text : world.readFile(name)),
  kindOf: (name) => (name === path ? 'file' : world.kindOf(name)),
});

/** helmfile's words for a run without anything to do. */
export function noneFound({ request: { environment, selectors } }: Reading): TshelmError {
  const chosen = selectors.length === 0 ? '' : ` matching the supplied selectors ${selectors.join(',')}`;
  const message = `no releases found${chosen} for environment "${environment}"; check the selectors and the environment`;
  return new TshelmError('stack-empty', { message });
}
