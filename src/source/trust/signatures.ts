import { readFileSync } from 'node:fs';
import { errnoOf } from '../../go/path-error.ts';
import type { FoundSignatures, SigstoreDemand } from '../../sigstore/demand.ts';
import { hasCode, TshelmError } from '../../support/errors.ts';
import type { ChartSources, Verification } from '../chart-access.ts';
import { ContentCache, sha256Hex } from '../content-cache.ts';
import { offlineError } from '../http/client.ts';
import { readManifest, sha256 } from '../oci/manifest.ts';
import type { HelmPaths } from '../paths.ts';

/** The sigstore signatures of an archive. */
export interface ArchiveSignatures extends FoundSignatures {
  /** Of an artifact in a registry its manifest, which is what was signed: it names the archive by its digest. */
  readonly manifest?: Uint8Array | undefined;
}

export const noSignatures: ArchiveSignatures = { bundles: [], legacy: [] };

/** What stands behind an archive's name where `cosign sign-blob --bundle` has signed it. */
export const bundleSuffix = '.sigstore.json';

/** The signature beside an archive, by what reads files of its place. */
export async function bundleBeside(
  archive: string,
  read: (url: string) => Promise<Uint8Array>,
): Promise<ArchiveSignatures> {
  try {
    return { ...noSignatures, bundles: [await read(archive + bundleSuffix)] };
  } catch (cause) {
    const status = hasCode(cause, 'download-failed') ? cause.details.status : undefined;
    if (status === 404 || status === 410 || errnoOf(cause) === 'ENOENT') return noSignatures;
    throw cause;
  }
}

/** The same of an archive on this machine. */
export const bundleOnDisk = (archive: string): Promise<ArchiveSignatures> =>
  bundleBeside(archive, async (path) => readFileSync(path));

/** What a signature is checked for. */
export interface SignedArchive {
  /** As messages name it. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly signatures: ArchiveSignatures;
}

/** Where trusted roots come from. */
export interface TrustSources extends Pick<ChartSources, 'http' | 'isOffline'> {
  readonly paths: Pick<HelmPaths, 'cacheHome' | 'contentCache'>;
}

/** Who has signed an archive. Fails with `signature-missing`, `signature-invalid`, `signer-untrusted`, and as the demand fails. */
export async function verifySignedArchive(
  { name, bytes, signatures }: SignedArchive,
  demand: SigstoreDemand,
  sources: TrustSources,
): Promise<Verification> {
  const { verifySigstore } = await import('../../sigstore/verify.ts');
  const { publicRoot } = await import('./public-root.ts');
  const { manifest } = signatures;
  const content = { artifact: name, bytes: manifest ?? bytes };
  const signer = await verifySigstore(content, signatures, { demand, publicRoot: () => publicRoot(sources) });
  if (manifest !== undefined) checkListed(manifest, bytes, name);
  return {
    identities: signer.identity === undefined ? [] : [signer.identity],
    fingerprint: signer.keyFingerprint ?? '',
    fileHash: sha256(bytes),
    kind: 'sigstore',
    issuer: signer.issuer,
    logIndex: signer.logIndex,
    manifestDigest: manifest && sha256(manifest),
  };
}

/** A signed manifest proves the archive only if it names it. */
function checkListed(manifest: Uint8Array, archive: Uint8Array, artifact: string): void {
  const digest = sha256(archive);
  if (readManifest(manifest).layers.some((layer) => layer.digest === digest)) return;
  const reason = `the signed manifest does not name the archive ${digest}`;
  throw new TshelmError('signature-invalid', { message: `${artifact}: ${reason}`, details: { artifact, reason } });
}

/** The signatures of an archive: asked for at its source, or offline those that were found the last time. Errors: `offline`. */
export async function knownSignatures(
  archive: { readonly url: string; fetchSignatures(): Promise<ArchiveSignatures> },
  bytes: Uint8Array,
  { paths, isOffline }: Pick<TrustSources, 'paths' | 'isOffline'>,
): Promise<ArchiveSignatures> {
  const cache = new ContentCache(paths.contentCache).own;
  const key = sha256Hex(bytes);
  if (isOffline) {
    const path = cache.find(key, '.sigstore');
    if (path === undefined) throw offlineError(`${archive.url}: its sigstore signatures`);
    return readKept(readFileSync(path, 'utf8'));
  }
  const found = await archive.fetchSignatures();
  cache.keep(key, Buffer.from(keptText(found)), '.sigstore');
  return found;
}

interface Kept {
  readonly manifest?: string | undefined;
  readonly bundles: readonly string[];
  readonly legacy: readonly { readonly payload: string; readonly annotations: Readonly<Record<string, string>> }[];
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64');

function keptText({ manifest, bundles, legacy }: ArchiveSignatures): string {
  const kept: Kept = {
    manifest: manifest && base64(manifest),
    bundles: bundles.map(base64),
    legacy: legacy.map(({ payload, annotations }) => ({ payload: base64(payload), annotations })),
  };
  return `${JSON.stringify(kept)}\n`;
}

/** It was written by tshelm; what somebody changed in it does not verify. */
function readKept(text: string): ArchiveSignatures {
  const { manifest, bundles, legacy } = JSON.parse(text) as Kept;
  return {
    manifest: manifest === undefined ? undefined : bytesOf(manifest),
    bundles: bundles.map(bytesOf),
    legacy: legacy.map(({ payload, annotations }) => ({ payload: bytesOf(payload), annotations })),
  };
}
