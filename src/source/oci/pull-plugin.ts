import { GoError } from '../../go/value.ts';
import type { ArchiveSignatures } from '../archive-signatures.ts';
import { locateArtifact } from './locate.ts';
import { type Descriptor, readManifest } from './manifest.ts';
import { fetchLayer } from './pull.ts';
import type { RegistryClient } from './registry-client.ts';
import { fetchSignatures } from './signatures.ts';

const pluginType = 'application/vnd.helm.plugin.v1+json';

export interface PulledPlugin {
  /** The last part of the repository's path. */
  readonly name: string;
  readonly archive: Uint8Array;
  readonly provenance: Uint8Array | undefined;
  signatures(): Promise<ArchiveSignatures>;
  /** What a trust policy knows it by: `oci://HOST/PATH`. */
  readonly origin: string;
}

/**
 * Fetches the plugin `oci://HOST/PATH/NAME[:TAG]`: the layer that is titled `NAME-VERSION.tgz`, and its signature.
 * Throws GoError for what is no plugin. Go: registry.Client.PullPlugin.
 */
export async function pullPlugin(url: string, version: string, registry: RegistryClient): Promise<PulledPlugin> {
  const { reference } = await locateArtifact(url, version, registry);
  const repository = registry.repository(reference);
  const { bytes } = await repository.fetchManifest();
  const { artifactType, config, layers } = readManifest(bytes);
  if (artifactType !== '' && artifactType !== pluginType)
    throw new GoError(`expected artifact type ${pluginType}, got ${artifactType}`);
  if (artifactType === '' && config?.mediaType !== pluginType) {
    const found = config?.mediaType ?? '';
    throw new GoError(`expected config media type ${pluginType} for legacy compatibility, got ${found}`);
  }
  const name = reference.repository.split('/').at(-1) as string;
  const layer = (end: string): Descriptor | undefined =>
    layers.find(({ title = '' }) => title.startsWith(`${name}-`) && title.endsWith(end));
  const [archive, provenance] = [layer('.tgz'), layer('.tgz.prov')];
  if (archive === undefined)
    throw new GoError(`required layer matching pattern ${name}-VERSION.tgz not found in manifest`);
  return {
    name,
    archive: await fetchLayer(repository, archive),
    provenance: provenance && (await fetchLayer(repository, provenance)),
    signatures: () => fetchSignatures(repository, bytes),
    origin: `oci://${reference.registry}/${reference.repository}`,
  };
}
