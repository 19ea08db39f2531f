import { SecretReader } from '../../secrets/reader.ts';
import { TshelmError } from '../../support/errors.ts';
import { type Outside, OutsideFiles } from '../outside-files.ts';
import { readStack, type StackFile } from '../read-stack.ts';
import type { Reading, StackRequest } from '../reading.ts';
import { Renderers } from '../text-renderer.ts';
import type { StackWorld } from '../world.ts';

export interface OpenStack {
  readonly files: readonly StackFile[];
  readonly reading: Reading;
}

interface Machine {
  readonly world: StackWorld;
  /** What the name of the state file, and those in references, are relative to. */
  readonly cwd: string;
  /** Told of what turns out to be secret. */
  readonly learn: (secret: string) => void;
  readonly outside: Outside;
}

/** Reads the state files that are asked for. Errors: those of readStack, and `stack-empty`. */
export async function openStack(
  request: StackRequest,
  { world, cwd, learn, outside: others }: Machine,
): Promise<OpenStack> {
  const outside = new OutsideFiles(others);
  const opened = await outside.read(world, (machine) => {
    const secrets = new SecretReader(machine, cwd, { learn, outside });
    const reading: Reading = { request, world: machine, renderers: new Renderers(machine, secrets), secrets, outside };
    return { files: readStack(reading, cwd), reading };
  });
  if (opened.files.length > 0) return opened;
  throw noneFound({ request });
}

/** helmfile's words for a run without anything to do. */
export function noneFound({ request: { environment, selectors } }: Pick<Reading, 'request'>): TshelmError {
  const chosen = selectors.length === 0 ? '' : ` matching the supplied selectors ${selectors.join(',')}`;
  const message = `no releases found${chosen} for environment "${environment}"; check the selectors and the environment`;
  return new TshelmError('stack-empty', { message });
}
