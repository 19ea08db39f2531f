import { readFileSync } from 'node:fs';
import { errnoOf } from '../go/path-error.ts';
import type { FoundSignatures } from '../sigstore/demand.ts';
import { hasCode } from '../support/errors.ts';

/** The sigstore signatures of an archive. */
export interface ArchiveSignatures extends FoundSignatures {
  /** Of an artifact in a registry its manifest, which is what was signed: it names the archive by its digest. */
  readonly manifest?: Uint8Array | undefined;
}

export const noSignatures: ArchiveSignatures = { bundles: [], legacy: [] };

/** What follows an archive's name where `cosign sign-blob --bundle` has signed it. */
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
