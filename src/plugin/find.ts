import { lstatSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { goPathError } from '../go/path-error.ts';
import { namesIn } from '../support/directories.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { readPlugin } from './metadata.ts';
import { isOfType, type Plugin } from './types.ts';

/** Told of a plugin.yaml that cannot be used, and left out. */
export type OnBrokenPlugin = (file: string, problem: string) => void;

export interface PluginQuery {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/** The plugins below the folders of $HELM_PLUGINS, by folder. Errors: `duplicate-plugin`. Go: plugin.FindPlugins. */
export function findPlugins(folders: string, query: PluginQuery, onBroken: OnBrokenPlugin): readonly Plugin[] {
  const { name = '', type = '' } = query;
  return folders
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => pluginsIn(folder, onBroken))
    .filter((plugin) => (name === '' || plugin.name === name) && (type === '' || isOfType(plugin, type)));
}

function pluginsIn(folder: string, onBroken: OnBrokenPlugin): readonly Plugin[] {
  const found: Plugin[] = [];
  for (const entry of namesIn(folder)) {
    const directory = join(folder, entry);
    const file = join(directory, pluginFile);
    if (!isThere(file)) continue;
    try {
      found.push(loadPlugin(directory));
    } catch (cause) {
      if (!(cause instanceof TshelmError)) throw cause;
      onBroken(file, cause.message);
    }
  }
  refuseDuplicates(found);
  return found;
}

/** The file that makes a folder a plugin. */
export const pluginFile = 'plugin.yaml';

/** A folder that may not be looked into has no plugin, as for Go's filepath.Glob. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // The folder may not be looked into.
    return false;
  }
}

function refuseDuplicates(plugins: readonly Plugin[]): void {
  const directories = new Map<string, string>();
  for (const { name, directory } of plugins) {
    const other = directories.get(name);
    if (other !== undefined) {
      const message = `two plugins claim the name ${JSON.stringify(name)} at ${JSON.stringify(other)} and ${JSON.stringify(directory)}`;
      throw new TshelmError('duplicate-plugin', { message });
    }
    directories.set(name, directory);
  }
}

/** The plugin of one folder. Errors: `invalid-plugin`. */
export function loadPlugin(directory: string): Plugin {
  const file = join(directory, pluginFile);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `failed to read plugin at ${JSON.stringify(file)}: ${goPathError('open', file, cause).message}`;
    throw new TshelmError('invalid-plugin', { message, cause });
  }
  try {
    return readPlugin(text, directory);
  } catch (cause) {
    const message = `failed to load plugin ${JSON.stringify(directory)}: ${messageOf(cause)}`;
    throw new TshelmError('invalid-plugin', { message, cause });
  }
}
