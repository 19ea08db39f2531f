import { hasCode, isAbort, messageOf, TshelmError } from '../../support/errors.ts';
import type { ArchiveSignatures } from '../archive-signatures.ts';
import type { TrustOptions, Verification, VerifyArchive } from '../chart-access.ts';
import { verifyInTemporaryFolder } from '../verify-in-temporary-folder.ts';
import { readTrustPolicy, ruleFor, type TrustedSigner } from './policy.ts';
import type { TrustSources } from './public-root.ts';
import { verifySignedArchive } from './signatures.ts';

/** Something that was fetched, and where its signatures are. */
export interface FetchedArchive {
  /** The name that it was signed under: `demo-0.1.0.tgz`. */
  readonly name: string;
  /** As messages name it. */
  readonly url: string;
  /** What a trust policy knows it by. */
  readonly origin: string;
  readonly bytes: Uint8Array;
  provenance(): Promise<Uint8Array>;
  signatures(): Promise<ArchiveSignatures>;
}

export interface TrustTools {
  readonly sources: TrustSources;
  /** Checks PGP signatures. */
  readonly verify: VerifyArchive;
}

/**
 * Checks what `--verify=sigstore` and the trust policy ask of an archive, and says who has signed it; undefined where
 * neither asks for anything. Fails with `signature-missing`, `signature-invalid`, `signer-untrusted`, `trust-refused`,
 * `trust-policy-invalid`.
 */
export async function checkTrust(
  archive: FetchedArchive,
  options: TrustOptions,
  tools: TrustTools,
): Promise<Verification | undefined> {
  const isDemanded = options.verify === 'sigstore';
  const signed = isDemanded ? await bySigner(archive, { kind: 'sigstore', demand: options }, tools) : undefined;
  const { trustPolicy } = options;
  const known = trustPolicy ? await byPolicy(archive, trustPolicy, tools) : undefined;
  return signed ?? known;
}

async function bySigner(archive: FetchedArchive, signer: TrustedSigner, tools: TrustTools): Promise<Verification> {
  const { name, url, bytes } = archive;
  if (signer.kind === 'sigstore')
    return verifySignedArchive(
      { name: url, bytes, signatures: await archive.signatures() },
      signer.demand,
      tools.sources,
    );
  const signed = await archive.provenance();
  return verifyInTemporaryFolder({ name, bytes, signed, keyring: signer.keyring }, tools.verify);
}

async function byPolicy(archive: FetchedArchive, path: string, tools: TrustTools): Promise<Verification | undefined> {
  const policy = await readTrustPolicy(path);
  const rule = ruleFor(policy, archive.origin);
  if (rule === undefined && !policy.allowsOthers)
    throw refused(archive, path, 'no rule names it, and others are refused');
  if (rule === undefined || rule.allowsUnsigned) return undefined;
  const failures: unknown[] = [];
  for (const signer of rule.signedBy) {
    try {
      return await bySigner(archive, signer, tools);
    } catch (cause) {
      if (isAbort(cause) || hasCode(cause, 'offline', 'openpgp-missing')) throw cause;
      failures.push(cause);
    }
  }
  throw refused(archive, rule.place, failures.map(messageOf).join('; '), failures[0]);
}

function refused({ url }: FetchedArchive, policy: string, reason: string, cause?: unknown): TshelmError {
  const message = `the trust policy ${policy} refuses ${url}: ${reason}`;
  return new TshelmError('trust-refused', { message, details: { artifact: url, policy }, cause });
}
