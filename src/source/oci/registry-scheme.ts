import { baseName } from '../../go/path.ts';
import { GoError } from '../../go/value.ts';
import { CachedCharts } from '../cached-charts.ts';
import { type ChartAccess, type ChartSources, versionOf } from '../chart-access.ts';
import type { ArchiveUrl, CachedVersions, ChartFiles, ChartScheme, LocatedArchive } from '../chart-scheme.ts';
import { ContentCache, sha256Hex } from '../content-cache.ts';
import { type LocatedArtifact, locateArtifact } from './locate.ts';
import { mediaTypes } from './manifest.ts';
import { fetchLayer, findChart as findRemoteChart, pulledText, type RemoteChart } from './pull.ts';
import { type OciReference, parseOciReference, referenceText } from './reference.ts';
import { fetchSignatures } from './signatures.ts';

export const registrySource = ({ registry, repository }: OciReference): string => `oci://${registry}/${repository}`;

/** An index may name charts of a registry. As in Helm it is not said what is pulled. */
function layersOf({ url, version, options }: ArchiveUrl, sources: ChartSources): ChartFiles {
  const registry = options.passCredentialsAll ? sources.registry : sources.registry.forOthers();
  const repository = registry.repository(taggedReference(url, version));
  let found: Promise<RemoteChart> | undefined;
  const remote = (): Promise<RemoteChart> => (found ??= findRemoteChart(repository));
  return {
    archive: async () => fetchLayer(repository, (await remote()).chart),
    async provenance() {
      const { provenance } = await remote();
      if (provenance !== undefined) return fetchLayer(repository, provenance);
      throw new GoError(`manifest does not contain a layer with mediatype ${mediaTypes.provenance}`);
    },
    signatures: async () => fetchSignatures(repository, (await remote()).manifest),
  };
}

/** A URL without a tag means the version that the index tells. */
function taggedReference(url: string, version: string): OciReference {
  const reference = parseOciReference(url);
  const isExact = reference.tag !== '' || reference.digest !== '';
  return isExact ? reference : { ...reference, tag: version.replaceAll('+', '_') };
}

async function locate(reference: string, access: ChartAccess, sources: ChartSources): Promise<LocatedArchive> {
  const { registry, paths, tell } = sources;
  const located = await locateArtifact(reference, versionOf(access), registry);
  const repository = registry.repository(located.reference);
  const cache = new ContentCache(paths.contentCache);
  let found: Promise<RemoteChart> | undefined;
  const remote = (): Promise<RemoteChart> => (found ??= findRemoteChart(repository));
  return {
    key: located.digest.slice(located.digest.indexOf(':') + 1),
    name: archiveName(located),
    url: `oci://${referenceText(located.reference)}`,
    origin: registrySource(located.reference),
    async fetch() {
      const chart = await remote();
      const kept = chart.chart.digest.startsWith('sha256:') ? cache.readProved(chart.chart.digest.slice(7)) : undefined;
      const bytes = kept ?? (await fetchLayer(repository, chart.chart));
      tell(pulledText(chart));
      const [key, { version }, name] = [sha256Hex(bytes), located, archiveName(located)];
      if (kept === undefined) cache.keep(key, bytes, '.chart');
      new CachedCharts(cache).remember(registrySource(located.reference), { version, key, name, digest: chart.digest });
      return bytes;
    },
    async fetchProvenance() {
      const chart = await remote();
      const bytes = chart.provenance && (await fetchLayer(repository, chart.provenance));
      // As in Helm, where each of the two files is pulled by itself.
      if (bytes !== undefined) tell(pulledText(chart));
      if (bytes !== undefined) return bytes;
      throw new GoError(`manifest does not contain a layer with mediatype ${mediaTypes.provenance}`);
    },
    fetchSignatures: async () => fetchSignatures(repository, (await remote()).manifest),
  };
}

/** `demo-0.1.0.tgz`; `demo@sha256-….tgz` where a digest alone is named. */
function archiveName({ reference, version }: LocatedArtifact): string {
  const name = baseName(reference.repository);
  return version === '' ? `${name}@${reference.digest.replace(':', '-')}.tgz` : `${name}-${version}.tgz`;
}

function cached(text: string, wanted: string): CachedVersions {
  const reference = parseOciReference(text);
  if (wanted !== '' && reference.tag !== '' && reference.tag !== wanted)
    throw new GoError(`chart reference and version mismatch: ${wanted} is not ${reference.tag}`);
  const source = registrySource(reference);
  const version = wanted === '' ? reference.tag.replaceAll('_', '+') : wanted;
  if (reference.digest === '') return { source, version };
  return { source, version, isExactly: ({ digest }) => digest === reference.digest };
}

/** As in Helm, the values are what the chart of that reference is. */
async function values(url: string, { registry }: ChartSources): Promise<Uint8Array> {
  const repository = registry.repository(parseOciReference(url));
  return fetchLayer(repository, (await findRemoteChart(repository)).chart);
}

/** A registry: its repositories hold the versions of a chart by tags. */
export const registryScheme: ChartScheme = {
  keepsArchives: true,
  files: layersOf,
  values,
  versions: { locate, cached },
};
