import { metadataJson } from '../../chart/metadata-json.ts';
import type { ChartMetadata } from '../../chart/types.ts';
import { writeJson } from '../../go/json/json.ts';
import { jsonList, jsonObject, jsonText } from '../../go/json/struct-text.ts';
import { GoError } from '../../go/value.ts';
import { compareText, sortedEntries } from '../../support/order.ts';
import { attachBundle } from './attach.ts';
import { type Descriptor, descriptorOf, mediaTypes } from './manifest.ts';
import { perform, underscoreMessage } from './pull.ts';
import { parseOciReference, referenceText } from './reference.ts';
import type { RegistryClient } from './registry-client.ts';

export interface ChartToPush {
  readonly metadata: ChartMetadata;
  readonly archive: Uint8Array;
  readonly provenance: Uint8Array | undefined;
  /** When the chart was made, in RFC 3339. */
  readonly createdAt: string;
  /** Gives the bundle of sigstore that signs the manifest. */
  readonly sign?: ((manifest: Uint8Array) => string) | undefined;
}

/** What is pushed: each blob with its bytes, and the manifest that lists them. */
export interface Artifact {
  readonly blobs: readonly (readonly [Descriptor, Uint8Array])[];
  readonly manifest: Descriptor;
  readonly manifestBytes: Uint8Array;
}

/** A chart as Helm lays it out for a registry. Go: registry.Client.Push. */
function artifactOf({ metadata, archive, provenance, createdAt }: ChartToPush): Artifact {
  const configBytes = Buffer.from(metadataJson(metadata));
  const config = descriptorOf(mediaTypes.config, configBytes);
  const layers: (readonly [Descriptor, Uint8Array])[] = [[descriptorOf(mediaTypes.chart, archive), archive]];
  if (provenance !== undefined) layers.push([descriptorOf(mediaTypes.provenance, provenance), provenance]);
  layers.sort(([a], [b]) => compareText(a.digest, b.digest));
  const manifestBytes = Buffer.from(
    jsonObject([
      ['schemaVersion', '2'],
      ['config', descriptorJson(config)],
      ['layers', jsonList(layers.map(([layer]) => descriptorJson(layer)))],
      ['annotations', writeJson(new Map(sortedEntries(annotationsOf(metadata, createdAt))))],
    ]),
  );
  return {
    blobs: [[config, configBytes], ...layers],
    manifest: descriptorOf(mediaTypes.manifest, manifestBytes),
    manifestBytes,
  };
}

const descriptorJson = ({ mediaType, digest, size }: Descriptor): string =>
  jsonObject([
    ['mediaType', jsonText(mediaType)],
    ['digest', jsonText(digest)],
    ['size', String(size)],
  ]);

const image = 'org.opencontainers.image.';

/** Chart.yaml's fields as annotations; the chart's own annotations win, except over its name and version. */
function annotationsOf(metadata: ChartMetadata, createdAt: string): Record<string, string> {
  const { annotations = {}, maintainers = [], sources = [] } = metadata;
  const own = {
    [`${image}description`]: metadata.description ?? '',
    [`${image}title`]: metadata.name,
    [`${image}version`]: metadata.version,
    [`${image}url`]: metadata.home ?? '',
    [`${image}created`]: createdAt,
    [`${image}source`]: sources[0] ?? '',
    [`${image}authors`]: maintainers
      .map(({ name = '', email = '' }) => name + (email === '' ? '' : ` (${email})`))
      .join(', '),
  };
  const said = Object.entries(own).filter(([, text]) => text.trim() !== '');
  const added = Object.entries(annotations).filter(([key]) => key !== `${image}title` && key !== `${image}version`);
  return Object.fromEntries([...said, ...added]);
}

export interface PushedChart {
  /** `registry.example.com/charts/shop:1.2.0` */
  readonly reference: string;
  /** Of the manifest: `sha256:…` */
  readonly digest: string;
}

/** Pushes what is not there yet, then the manifest under its tag. */
export async function pushChart(registry: RegistryClient, chart: ChartToPush, target: string): Promise<PushedChart> {
  const reference = parseOciReference(target);
  const { name, version } = chart.metadata;
  if (!target.endsWith(`/${name}:${version}`))
    throw new GoError('strict mode enabled, ref basename and tag must match the chart name and version');
  const { blobs, manifest, manifestBytes } = artifactOf(chart);
  const repository = registry.repository(reference, ['pull', 'push']);
  const isThere = await perform('destination', 'Exists', () => repository.hasManifest(manifest));
  // All are waited for, so that nothing is sent any more when this has failed.
  const pushed = await Promise.allSettled(
    (isThere ? [] : blobs).map(async ([blob, bytes]) => {
      if (await perform('destination', 'Exists', () => repository.hasBlob(blob))) return;
      await perform('destination', 'Push', () => repository.pushBlob(blob, bytes));
    }),
  );
  const failure = pushed.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  await perform('destination', 'PushReference', () => repository.pushManifest(manifest, manifestBytes));
  if (chart.sign !== undefined) {
    const { createdAt, sign } = chart;
    await attachBundle(repository, { subject: manifest, bundle: sign(manifestBytes), createdAt });
  }
  return { reference: referenceText(reference), digest: manifest.digest };
}

/** What Helm prints of it. */
export function pushedText({ reference, digest }: PushedChart): string {
  const tag = reference.slice(reference.lastIndexOf(':') + 1);
  const note = tag.includes('_') ? `${reference} contains an underscore.\n${underscoreMessage}` : '';
  return `Pushed: ${reference}\nDigest: ${digest}\n${note}`;
}
