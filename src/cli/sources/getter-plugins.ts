import type { Plugin } from '../../plugin/types.ts';
import type { OtherGetters } from '../../source/http/getters.ts';
import type { GlobalFlags } from '../settings.ts';
import type { EnvironmentContext } from './helm-environment.ts';
import { installedPlugins, pluginEnvironment } from './plugins.ts';

/** What plugins are fetched with: those that are installed, looked for when a scheme is met that Helm has not itself. */
export function getterPlugins(flags: GlobalFlags, context: EnvironmentContext): OtherGetters {
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
      const { runGetterPlugin } = await import('../../plugin/run.ts');
      const { certFile, keyFile, caFile } = tls ?? {};
      const request = { url, protocol: scheme, certFile, keyFile, caFile, username, password, passCredentialsAll };
      return runGetterPlugin(plugin, request, await pluginEnvironment(flags, context));
    },
  };
}

/** Helm's own come first: a plugin cannot take their place. */
const own: ReadonlySet<string> = new Set(['', 'http', 'https', 'oci', 'file']);
