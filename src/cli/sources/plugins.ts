import { slogLine } from '../../go/slog.ts';
import { findPlugins, type PluginQuery } from '../../plugin/find.ts';
import type { Plugin } from '../../plugin/types.ts';
import { helmPaths } from '../../source/paths.ts';
import { TshelmError } from '../../support/errors.ts';
import type { GlobalFlags } from '../settings.ts';
import { type EnvironmentContext, helmEnvironment } from './helm-environment.ts';

/** The plugins of $HELM_PLUGINS; what cannot be used is told of and left out, as in Helm. */
export function installedPlugins(
  query: PluginQuery,
  flags: GlobalFlags,
  { io }: Pick<EnvironmentContext, 'io'>,
): readonly Plugin[] {
  return findPlugins(helmPaths(io.env, flags).plugins, query, (file, problem) =>
    io.stderr.write(`${slogLine('WARN', 'failed to load plugin (ignoring)', { plugin_yaml: file, error: problem })}\n`),
  );
}

/** The command plugins, for lists: where two have one name, that is logged, and none is listed, as in Helm. */
export function listedPlugins(flags: GlobalFlags, context: Pick<EnvironmentContext, 'io'>): readonly Plugin[] {
  try {
    return installedPlugins({ type: 'cli/v1' }, flags, context);
  } catch (cause) {
    if (!(cause instanceof TshelmError)) throw cause;
    context.io.stderr.write(`${slogLine('ERROR', 'failed to load plugins', { error: cause.message })}\n`);
    return [];
  }
}

/** The environment of a plugin: this process's, and what Helm tells its plugins. */
export async function pluginEnvironment(
  flags: GlobalFlags,
  context: EnvironmentContext,
): Promise<Readonly<Record<string, string | undefined>>> {
  return { ...context.io.env, ...Object.fromEntries(await helmEnvironment(flags, context)) };
}
