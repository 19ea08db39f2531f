import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeFolder } from '../../support/home.ts';
import type { Io } from '../terminal/io.ts';

const fileName = 'tshelm.yaml';

/** The files that set defaults of flags, as far as they are there. */
export interface DefaultsFiles {
  /** Of the working directory, or of the first folder above it that has one, up to that of the repository. */
  readonly project: string | undefined;
  readonly own: string | undefined;
}

export function defaultsFiles({ cwd, env }: Pick<Io, 'cwd' | 'env'>): DefaultsFiles {
  const own = userFile(env);
  const project = projectFile(cwd);
  return { project: project === own ? undefined : project, own: existsSync(own) ? own : undefined };
}

/** `$XDG_CONFIG_HOME/tshelm/tshelm.yaml` */
export const userFile = (env: Io['env']): string =>
  join(env['XDG_CONFIG_HOME'] || join(homeFolder(env['HOME']), '.config'), 'tshelm', fileName);

function projectFile(folder: string): string | undefined {
  const path = join(folder, fileName);
  if (existsSync(path)) return path;
  const isLast = existsSync(join(folder, '.git')) || dirname(folder) === folder;
  return isLast ? undefined : projectFile(dirname(folder));
}
