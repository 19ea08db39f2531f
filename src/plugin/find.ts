import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { errnoOf, goPathError } from '../go/path-error.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { readPlugin } from './metadata.ts';
import type { Plugin } from './types.ts';

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
    .filter((plugin) => (name === '' || plugin.name === name) && (type === '' || plugin.type === type));
}

function pluginsIn(folder: string, onBroken: OnBrokenPlugin): readonly Plugin[] {
  const found: Plugin[] = [];
  for (const entry of entriesOf(folder)) {
    const directory = join(folder, entry);
    const file = join(directory, pluginFile);
    const text = readIfThere(file);
    if (text === undefined) continue;
    try {
      found.push(readPlugin(text, directory));
    } catch (cause) {
      onBroken(file, `failed to load plugin ${JSON.stringify(directory)}: ${messageOf(cause)}`);
    }
  }
  refuseDuplicates(found);
  return found;
}

const entriesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort(compareText);
  } catch {
    return [];
  }
};

const pluginFile = 'plugin.yaml';

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT' || errnoOf(cause) === 'ENOTDIR') return undefined;
    throw cause;
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
