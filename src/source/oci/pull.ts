import { GoError } from '../../go/value.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { type Descriptor, type Manifest, mediaTypes, readManifest } from './manifest.ts';
import { referenceText } from './reference.ts';
import type { OciRepository } from './repository.ts';

/** A chart in a registry, whose layers are yet to be fetched. */
export interface RemoteChart {
  /** `HOST/PATH:TAG`. */
  readonly reference: string;
  /** Of the manifest. */
  readonly digest: string;
  /** Which its signatures are about. */
  readonly manifest: Uint8Array;
  readonly chart: Descriptor;
  readonly provenance: Descriptor | undefined;
  /** The chart has the media type of Helm before 3.7. */
  readonly isLegacy: boolean;
}

/** Reads what a reference names. Fails as Helm does: `failed to perform "FetchReference" on source: …`. Go: registry.Client.Pull. */
export async function findChart(repository: OciRepository): Promise<RemoteChart> {
  const { descriptor, bytes } = await perform('source', 'FetchReference', () => repository.fetchManifest());
  const descriptors = await perform('source', 'FindSuccessors', () => leavesOf(repository, descriptor, bytes));
  const ofType = (type: string): Descriptor | undefined => descriptors.findLast(({ mediaType }) => mediaType === type);
  const chart = descriptors.findLast(
    ({ mediaType }) => mediaType === mediaTypes.chart || mediaType === mediaTypes.legacyChart,
  );
  const config = ofType(mediaTypes.config);
  const found = [config, chart].filter((one) => one !== undefined).length;
  if (config === undefined && chart === undefined) {
    throw new GoError(
      `manifest does not contain minimum number of descriptors (2), descriptors found: ${found}: ${referenceText(repository.reference)} is not a chart`,
    );
  }
  if (config === undefined) throw new GoError(`could not load config with mediatype ${mediaTypes.config}`);
  if (chart === undefined) throw new GoError(`manifest does not contain a layer with mediatype ${mediaTypes.chart}`);
  return {
    reference: referenceText(repository.reference),
    digest: descriptor.digest,
    manifest: bytes,
    chart,
    provenance: ofType(mediaTypes.provenance),
    isLegacy: chart.mediaType === mediaTypes.legacyChart,
  };
}

/** The configs and layers of a manifest, or of all that an index lists. */
async function leavesOf(repository: OciRepository, root: Descriptor, bytes: Uint8Array): Promise<Descriptor[]> {
  const source = referenceText(repository.reference);
  const manifest = manifestOf(source, bytes);
  const listed = root.mediaType === mediaTypes.index ? manifest.manifests : [];
  const inner = await Promise.all(
    listed
      .filter(({ mediaType }) => mediaType === mediaTypes.manifest)
      .map(async (entry) => manifestOf(source, await repository.fetchListedManifest(entry))),
  );
  return [manifest, ...inner].flatMap(ownLeaves);
}

function manifestOf(source: string, bytes: Uint8Array): Manifest {
  try {
    return readManifest(bytes);
  } catch (cause) {
    throw new GoError(`${source}: ${messageOf(cause)}`, { cause });
  }
}

const ownLeaves = ({ config, layers }: Manifest): Descriptor[] => (config === undefined ? [] : [config, ...layers]);

/** The bytes of a layer. */
export const fetchLayer = (repository: OciRepository, layer: Descriptor): Promise<Uint8Array> =>
  perform('source', 'Fetch', () => repository.fetchBlob(layer));

/** Part of a copy from or to a registry; its failure says which. Go: oras.CopyError. */
export async function perform<T>(
  side: 'source' | 'destination',
  operation: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof DOMException) throw cause;
    const message = `failed to perform "${operation}" on ${side}: ${messageOf(cause)}`;
    const known = cause instanceof TshelmError ? cause : undefined;
    throw new TshelmError(known?.code ?? 'registry-refused', { message, details: known?.details, cause });
  }
}

/** What is said of a reference whose tag stands for a version with `+`. */
export const underscoreMessage = `
OCI artifact references (e.g. tags) do not support the plus sign (+). To support
storing semantic versions, Helm adopts the convention of changing plus (+) to
an underscore (_) in chart version tags when pushing to a registry and back to
a plus (+) when pulling from a registry.
`;

/** `Pulled:` and `Digest:`, as Helm prints them. */
export const pulledText = ({ reference, digest, isLegacy }: RemoteChart): string =>
  (isLegacy ? `Warning: chart media type ${mediaTypes.legacyChart} is deprecated\n` : '') +
  `Pulled: ${reference}\nDigest: ${digest}\n` +
  (reference.includes('_') ? `${reference} contains an underscore.\n${underscoreMessage}` : '');
