import type { Registries } from '../../source/dependency/tools.ts';
import type { CliContext } from '../context.ts';
import type { ServerAccess } from '../flags/source-flags.ts';
import type { SourceFlags } from './named-chart.ts';
import { openSources } from './sources.ts';

/** How dependencies in registries are found and fetched. `tell` prints what Helm prints of it. */
export async function openRegistries(
  flags: SourceFlags & ServerAccess,
  context: CliContext,
  tell: (text: string) => void,
): Promise<Registries> {
  const { listTags } = await import('../../source/oci/locate.ts');
  const { locateArchive } = await import('../../source/locate-archive.ts');
  const sources = await openSources(flags, flags, context, tell);
  const close = (): void => sources.http.close();
  if (sources.isOffline) {
    const { cachedVersions, locateOffline } = await import('../../source/locate-offline.ts');
    return {
      versions: async (reference) => cachedVersions(reference, sources.paths.contentCache),
      archive: async (reference, version) => locateOffline(reference, { version }, sources),
      close,
    };
  }
  return {
    versions: async (reference) => (await listTags(reference, sources.registry)).tags,
    archive: (reference, version) => locateArchive(reference, { version }, sources),
    close,
  };
}
