import { createHash } from 'node:crypto';
import { jsonSyntaxError } from '../../go/json/syntax.ts';
import { GoError } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { parseJson } from '../../support/exact-json.ts';
import { isObject } from '../../support/json.ts';

/** A piece of content: what it is, and how it is known. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  /** The name of the file that it was, where the manifest tells it. */
  readonly title?: string | undefined;
  /** Of a manifest that an index lists: what it is. */
  readonly artifactType?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

export interface Manifest {
  /** What it is, where it is no image; '' where it does not tell. */
  readonly artifactType: string;
  readonly config?: Descriptor | undefined;
  readonly layers: readonly Descriptor[];
  /** Of an image index: the manifests that it lists. */
  readonly manifests: readonly Descriptor[];
}

/** Go: pkg/registry/constants.go, and the OCI image specification. */
export const mediaTypes = {
  config: 'application/vnd.cncf.helm.config.v1+json',
  chart: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
  provenance: 'application/vnd.cncf.helm.chart.provenance.v1.prov',
  legacyChart: 'application/tar+gzip',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
} as const;

/** What a registry may answer with where a manifest is asked for, as oras lists it. */
export const acceptedManifests = [
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  mediaTypes.manifest,
  mediaTypes.index,
  'application/vnd.oci.artifact.manifest.v1+json',
].join(', ');

/** Errors: what is no manifest. */
export function readManifest(bytes: Uint8Array): Manifest {
  const json = parsed(Buffer.from(bytes).toString('utf8'));
  if (!isObject(json)) throw new GoError('the manifest is not a JSON object');
  return {
    artifactType: typeof json['artifactType'] === 'string' ? json['artifactType'] : '',
    config: json['config'] === undefined || json['config'] === null ? undefined : readDescriptor(json['config']),
    layers: listOf(json['layers']),
    manifests: listOf(json['manifests']),
  };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new GoError(`the manifest is not JSON: ${jsonSyntaxError(text) || messageOf(cause)}`, { cause });
  }
}

const listOf = (value: unknown): Descriptor[] => (Array.isArray(value) ? value.map(readDescriptor) : []);

function readDescriptor(value: unknown): Descriptor {
  const { mediaType, digest, size, artifactType, annotations } = isObject(value) ? value : {};
  if (typeof digest !== 'string' || !Number.isInteger(size) || Number(size) < 0)
    throw new GoError('the manifest has an entry without a digest or size');
  const notes = textsIn(annotations);
  const title = notes['org.opencontainers.image.title'];
  return {
    mediaType: typeof mediaType === 'string' ? mediaType : '',
    digest,
    size: Number(size),
    ...(title !== undefined && { title }),
    ...(typeof artifactType === 'string' && artifactType !== '' && { artifactType }),
    ...(Object.keys(notes).length > 0 && { annotations: notes }),
  };
}

const textsIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

export const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export const descriptorOf = (mediaType: string, bytes: Uint8Array): Descriptor => ({
  mediaType,
  digest: sha256(bytes),
  size: bytes.length,
});

/** Why bytes are not those of a digest; undefined where they are. */
export function mismatch(bytes: Uint8Array, digest: string): string | undefined {
  const algorithm = digest.slice(0, digest.indexOf(':'));
  const found = `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
  return found === digest ? undefined : `mismatched digest: the content is ${found}, not ${digest}`;
}
