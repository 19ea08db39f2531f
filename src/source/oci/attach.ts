import { bundleType } from '../../sigstore/media-types.ts';
import { hasCode } from '../../support/errors.ts';
import { type Descriptor, descriptorOf, mediaTypes } from './manifest.ts';
import { perform } from './pull.ts';
import type { OciRepository } from './repository.ts';

const emptyType = 'application/vnd.oci.empty.v1+json';

/**
 * Attaches a bundle to a manifest as its referrer, as `cosign sign` does. A registry that lists no referrers itself gets the
 * list under the tag `sha256-HEX`. Go: ociremote.WriteAttestationNewBundleFormat.
 */
export async function attachBundle(
  repository: OciRepository,
  { subject, bundle, createdAt }: { readonly subject: Descriptor; readonly bundle: string; readonly createdAt: string },
): Promise<void> {
  const [empty, layer] = [Buffer.from('{}'), Buffer.from(bundle)];
  const [config, content] = [descriptorOf(emptyType, empty), descriptorOf(bundleType, layer)];
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaTypes.manifest,
      artifactType: bundleType,
      config,
      layers: [content],
      subject,
      annotations: {
        'dev.sigstore.bundle.content': 'dsse-envelope',
        'dev.sigstore.bundle.predicateType': 'https://sigstore.dev/cosign/sign/v1',
        'org.opencontainers.image.created': createdAt,
      },
    }),
  );
  await perform('destination', 'Push', () => repository.pushBlob(config, empty));
  await perform('destination', 'Push', () => repository.pushBlob(content, layer));
  const own = { ...descriptorOf(mediaTypes.manifest, manifest), artifactType: bundleType };
  const place = repository.at({ digest: own.digest });
  const isListed = await perform('destination', 'PushReference', () => place.pushManifest(own, manifest));
  if (!isListed) await perform('destination', 'PushReference', () => listUnderTag(repository, subject.digest, own));
}

async function listUnderTag(repository: OciRepository, digest: string, referrer: Descriptor): Promise<void> {
  const place = repository.at({ tag: digest.replace(':', '-') });
  const index = await listed(place);
  const manifests = [...index.manifests.filter((one) => one['digest'] !== referrer.digest), referrer];
  const bytes = Buffer.from(JSON.stringify({ ...index, schemaVersion: 2, mediaType: mediaTypes.index, manifests }));
  await place.pushManifest(descriptorOf(mediaTypes.index, bytes), bytes);
}

interface Index {
  readonly manifests: readonly Readonly<Record<string, unknown>>[];
}

/** As it is, with what other programs noted there. */
async function listed(place: OciRepository): Promise<Index> {
  try {
    const { bytes } = await place.fetchManifest();
    const index = JSON.parse(Buffer.from(bytes).toString('utf8')) as Partial<Index>;
    return { ...index, manifests: Array.isArray(index.manifests) ? index.manifests : [] };
  } catch (cause) {
    if (hasCode(cause, 'not-in-registry')) return { manifests: [] };
    throw cause;
  }
}
