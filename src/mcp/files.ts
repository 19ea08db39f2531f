import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { TshelmError } from '../support/errors.ts';

/** The files that tools may read and write: those of one folder. */
export class Files {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = realpathSync(folder);
  }

  /** The absolute path of a file in the folder, links followed; it need not be there. Errors: `path-outside`. */
  path(name: string): string {
    const path = resolve(this.#folder, name);
    const inside = relative(this.#folder, realPathOf(path));
    if (inside === '..' || inside.startsWith(join('..', '/')) || isAbsolute(inside) || name.includes('\0'))
      throw new TshelmError('path-outside', {
        message: `${name} is not in the folder of this server, ${this.#folder}`,
        details: { path: name, folder: this.#folder },
      });
    return path;
  }

  /**
   * A chart as a tool names it: what is a path of this machine must be in the folder; a URL, and REPOSITORY/CHART where the
   * folder has no such file, is left as it is. Errors: `path-outside`.
   */
  chart(name: string): string {
    if (/^(?:https?|oci):\/\//.test(name)) return name;
    if (/^[\w-]+\/[\w.-]+$/.test(name) && !existsSync(resolve(this.#folder, name))) return name;
    return this.path(name);
  }
}

/** Of what is not there yet, below its nearest folder that is. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), relative(above, path));
  }
}
