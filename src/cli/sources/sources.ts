import type { Plugin } from '../../plugin/types.ts';
import { Sources } from '../../session/sources.ts';
import type { OtherGetters } from '../../source/http/getters.ts';
import { shownUrl } from '../../source/http/shown-url.ts';
import { helmPaths } from '../../source/paths.ts';
import { isUntrustedBy, refusedBy } from '../../stack/untrusted.ts';
import { downloadProgress } from './download-progress.ts';
import type { EnvironmentContext } from './helm-environment.ts';
import type { DownloadContext, SourceFlags } from './named-chart.ts';
import { noticesPrinter } from './notices.ts';
import { installedPlugins, pluginEnvironment } from './plugins.ts';

/** Where a command has charts from. */
export function sourcesOf(flags: SourceFlags, context: DownloadContext): Sources {
  const { io, secrets, signal, isSilent } = context;
  const { env } = io;
  return new Sources({
    env,
    paths: () => helmPaths(env, flags),
    isOffline: isOfflineBy(flags, env),
    now: io.now,
    getters: getterPlugins(flags, context),
    checkGit(url) {
      // Who wrote the chart or the state file chose the URL; git may have the user's keys, and reads other folders.
      if (flags.untrusted ?? isUntrustedBy(env)) throw refusedBy(`it would run git for ${shownUrl(url)}`);
    },
    onProgress: isSilent ? undefined : downloadProgress(io),
    onNotice: noticesPrinter(context),
    learnSecret: (secret) => secrets.add(secret),
    signal,
  });
}

/** A variable that is a switch. */
/** Whether nothing is to be downloaded: by the flag, or else by the environment. */
export const isOfflineBy = ({ offline }: Pick<SourceFlags, 'offline'>, env: NodeJS.ProcessEnv): boolean =>
  offline ?? /^(?:1|t|true)$/i.test(env['TSHELM_OFFLINE'] ?? '');

/** What plugins are fetched with: those that are installed, looked for when a scheme is met that Helm has not itself. */
function getterPlugins(flags: SourceFlags, context: EnvironmentContext): OtherGetters {
  let found: readonly Plugin[] | undefined;
  const pluginFor = (scheme: string): Plugin | undefined => {
    found ??= installedPlugins({ type: 'getter/v1' }, flags, context);
    return found.find(({ config }) => config.protocols.includes(scheme));
  };
  return {
    knows: (scheme) => !own.has(scheme) && pluginFor(scheme) !== undefined,
    async fetch(url, scheme, { tls, username, password, passCredentialsAll }) {
      const plugin = pluginFor(scheme);
      if (plugin === undefined) throw new Error(`internal: no plugin fetches ${scheme}`);
      // Who wrote the chart or the state file chose the URL.
      if (flags.untrusted ?? isUntrustedBy(context.io.env))
        throw refusedBy(`it would run the plugin ${plugin.name} for ${url}`);
      const { runGetterPlugin } = await import('../../plugin/run.ts');
      const { certFile, keyFile, caFile } = tls ?? {};
      const request = { url, protocol: scheme, certFile, keyFile, caFile, username, password, passCredentialsAll };
      return runGetterPlugin(plugin, request, await pluginEnvironment(flags, context));
    },
  };
}

/** Helm's own come first: a plugin cannot take their place. */
const own: ReadonlySet<string> = new Set(['', 'http', 'https', 'oci', 'file']);
