import type { KubernetesObject } from '../manifest/types.ts';
import { TshelmError } from '../support/errors.ts';
import { type DecodeOptions, decodeRelease, encodeRelease } from './codec.ts';
import { customLabels } from './labels.ts';
import { checkRecordSize } from './record-size.ts';
import type { Release } from './types.ts';

/** The name of the object that holds a revision. */
export const recordName = (name: string, version: number): string => `sh.helm.release.v1.${name}.v${version}`;

/** The labels of the object that holds a release: the user's own, then Helm's. */
export const recordLabels = (release: Release): Record<string, string> => ({
  ...release.labels,
  name: release.name,
  owner: 'helm',
  status: release.info.status,
  version: String(release.version),
});

export type RecordKind = 'Secret' | 'ConfigMap';

/** The Secret or ConfigMap that holds a release. Errors: `release-too-large`. */
export async function recordObject(
  kind: RecordKind,
  namespace: string,
  release: Release,
  timeLabel: Readonly<Record<string, string>>,
): Promise<KubernetesObject> {
  const encoded = await encodeRelease(release);
  checkRecordSize(release, encoded);
  const metadata = {
    name: recordName(release.name, release.version),
    namespace,
    labels: { ...recordLabels(release), ...timeLabel },
  };
  return kind === 'ConfigMap'
    ? { apiVersion: 'v1', kind, metadata, data: { release: encoded } }
    : { apiVersion: 'v1', kind, metadata, type: 'helm.sh/release.v1', data: { release: toBase64(encoded) } };
}

/** The release that a Secret or ConfigMap holds. Errors: `corrupt-release`. */
export async function releaseOf(object: KubernetesObject, options: DecodeOptions = {}): Promise<Release> {
  const stored = (object['data'] as { release?: string } | undefined)?.release ?? '';
  const encoded = object.kind === 'ConfigMap' ? stored : Buffer.from(stored, 'base64').toString('latin1');
  const release = await decodeRelease(encoded, options);
  const storedLabels = object.metadata.labels ?? {};
  return { ...release, labels: customLabels(storedLabels), storedLabels };
}

const toBase64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

/** Helm's ErrReleaseNotFound. */
export const releaseNotFound = (name: string): TshelmError =>
  new TshelmError('release-not-found', { message: 'release: not found', details: { release: name } });

/** Helm's ErrReleaseExists. */
export const releaseExists = ({ name, version }: Release): TshelmError =>
  new TshelmError('release-exists', {
    message: 'release: already exists',
    details: { release: name, revision: version },
  });
