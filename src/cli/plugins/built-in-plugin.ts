import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPlugin } from '../../plugin/find.ts';
import type { InstallPlace } from '../../plugin/install.ts';
import type { Plugin } from '../../plugin/types.ts';

/**
 * Installs, in place of a plugin that tshelm does the work of, a plugin.yaml that says so: programs such as helmfile look for
 * that file and for the version in it. Its command calls tshelm, for a Helm that finds it.
 */
export function writePluginStub(
  { name, version }: { readonly name: string; readonly version: string },
  { plugins }: InstallPlace,
): Plugin {
  const directory = join(plugins, name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(
    join(directory, 'plugin.yaml'),
    `name: ${name}\nversion: ${version}\nusage: built into tshelm\ndescription: built into tshelm\nplatformCommand:\n- command: tshelm\n  args: [${name}]\n`,
  );
  return loadPlugin(directory);
}
