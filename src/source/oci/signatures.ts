import type { LegacySignature } from '../../sigstore/demand.ts';
import { bundleType, simpleSigningType } from '../../sigstore/media-types.ts';
import { hasCode } from '../../support/errors.ts';
import type { ArchiveSignatures } from '../archive-signatures.ts';
import { type Descriptor, type Manifest, readManifest, sha256 } from './manifest.ts';
import { fetchLayer } from './pull.ts';
import type { OciRepository } from './repository.ts';

/** Far more than one artifact has; each costs two requests. */
const mostSignatures = 100;
const mostSignatureBytes = 1 << 20;

/** The signatures that a registry has of a manifest: bundles that refer to it, and those of cosign 2 below a tag. */
export async function fetchSignatures(repository: OciRepository, manifest: Uint8Array): Promise<ArchiveSignatures> {
  const digest = sha256(manifest);
  const referrers = await repository.referrers(digest, bundleType);
  const bundles = await Promise.all(
    referrers
      .filter(({ artifactType = bundleType }) => artifactType === bundleType)
      .slice(0, mostSignatures)
      .map((referrer) => bundlesOf(repository, referrer)),
  );
  return { manifest, bundles: bundles.flat(), legacy: await legacySignatures(repository, digest) };
}

async function bundlesOf(repository: OciRepository, referrer: Descriptor): Promise<readonly Uint8Array[]> {
  const { layers } = readManifest(await repository.fetchListedManifest(referrer));
  return Promise.all(small(layers, bundleType).map((layer) => fetchLayer(repository, layer)));
}

const small = (layers: readonly Descriptor[], type: string): readonly Descriptor[] =>
  layers.filter(({ mediaType, size }) => mediaType === type && size <= mostSignatureBytes).slice(0, mostSignatures);

async function legacySignatures(repository: OciRepository, digest: string): Promise<readonly LegacySignature[]> {
  const manifest = await manifestTagged(repository, `${digest.replace(':', '-')}.sig`);
  if (manifest === undefined) return [];
  return Promise.all(
    small(manifest.layers, simpleSigningType).map(async (layer) => ({
      payload: await fetchLayer(repository, layer),
      annotations: layer.annotations ?? {},
    })),
  );
}

/** Undefined where there is no such tag. */
async function manifestTagged(repository: OciRepository, tag: string): Promise<Manifest | undefined> {
  try {
    return readManifest((await repository.at({ tag }).fetchManifest()).bytes);
  } catch (cause) {
    if (hasCode(cause, 'not-in-registry')) return undefined;
    throw cause;
  }
}
