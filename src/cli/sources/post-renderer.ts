import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { FlagsOf } from '../../change/option-rows.ts';
import { slashes } from '../../go/path.ts';
import type { Plugin } from '../../plugin/types.ts';
import { type PostRenderer, postRendererProgram } from '../../render/post-renderer.ts';
import type { PostRendererName } from '../../stack/post-renderer-name.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { postRendererFlags } from '../flags/chart-flags.ts';
import type { GlobalFlags } from '../settings.ts';

/** What --post-renderer names: a plugin of that name, as in Helm 4, or an executable, as in Helm 3. */
export const postRendererOf = (
  { postRenderer, postRendererArgs, ...flags }: GlobalFlags & FlagsOf<typeof postRendererFlags>,
  context: CliContext,
): PostRenderer | undefined => {
  if (!postRenderer) return undefined;
  const plugin = postRenderer.includes('/') ? undefined : postRenderer;
  return postRendererNamed({ plugin, program: postRenderer, args: postRendererArgs }, flags, context);
};

/** Errors: `bad-flag`, as Helm's when it reads the flags, where --post-renderer names neither. */
export async function checkPostRenderer(
  { postRenderer, ...flags }: GlobalFlags & FlagsOf<typeof postRendererFlags>,
  context: CliContext,
): Promise<void> {
  if (!postRenderer || isProgram(postRenderer, context)) return;
  if (await postRendererPlugin(postRenderer, flags, context)) return;
  throw noPostRenderer(postRenderer);
}

/** The plugin of that name, else the executable. Errors: `bad-flag` when it runs, where there is neither. */
export const postRendererNamed =
  ({ plugin, program, args }: PostRendererName, flags: GlobalFlags, context: CliContext): PostRenderer =>
  async (manifests) => {
    const found = plugin === undefined ? undefined : await postRendererPlugin(plugin, flags, context);
    if (found === undefined) {
      if (!isProgram(program, context)) throw noPostRenderer(program);
      return postRendererProgram({ command: program, args })(manifests);
    }
    const { runPostRendererPlugin } = await import('../../plugin/run.ts');
    const { pluginEnvironment } = await import('./plugins.ts');
    const env = await pluginEnvironment(flags, context);
    return runPostRendererPlugin(found, manifests, { env, args });
  };

async function postRendererPlugin(name: string, flags: GlobalFlags, context: CliContext): Promise<Plugin | undefined> {
  const { installedPlugins } = await import('./plugins.ts');
  return installedPlugins({ name, type: 'postrenderer/v1' }, flags, context)[0];
}

/** Whether there is a file of that path, or of that name in a folder of $PATH. */
function isProgram(name: string, { io }: CliContext): boolean {
  const folders = slashes(name).includes('/') ? [''] : (io.env['PATH'] ?? '').split(delimiter);
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  return folders.some((folder) => endings.some((ending) => existsSync(join(folder, name + ending))));
}

const noPostRenderer = (name: string): TshelmError =>
  new TshelmError('bad-flag', {
    message: `invalid argument ${JSON.stringify(name)} for "--post-renderer" flag: plugin: {Name:${name} Type:postrenderer/v1} not found, and there is no executable of that name`,
  });
