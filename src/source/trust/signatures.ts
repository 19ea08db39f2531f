import { readFileSync } from 'node:fs';
import type { SigstoreDemand } from '../../sigstore/demand.ts';
import { TshelmError } from '../../support/errors.ts';
import { type ArchiveSignatures, bundleSuffix } from '../archive-signatures.ts';
import type { Verification } from '../chart-access.ts';
import { ContentCache, sha256Hex } from '../content-cache.ts';
import { offlineError } from '../http/client.ts';
import { readManifest, sha256 } from '../oci/manifest.ts';
import type { TrustSources } from './public-root.ts';

/** What a signature is checked for. */
export interface SignedArchive {
  /** As messages name it. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly signatures: ArchiveSignatures;
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
  const bundle = manifest === undefined ? `${name}${bundleSuffix}` : undefined;
  const content = { artifact: name, bundle, bytes: manifest ?? bytes };
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
