import type { KeyObject } from 'node:crypto';
import { messageOf, TshelmError } from '../support/errors.ts';
import type { FoundSignatures, SignedContent, SigstoreDemand, SigstoreSigner } from './demand.ts';
import { type Signature, signatureOfBundle, signatureOfLayer } from './entity.ts';
import { type ExpectedIdentity, expectedIdentity } from './identity.ts';
import { checkLoggedKey } from './logged-key.ts';
import { TrustedRoot, toTrustMaterial, Verifier } from './packages.ts';
import { fingerprintOf, readPublicKey } from './public-key.ts';
import { readTrustedRoot } from './trusted-root.ts';

/** Gets the trusted root of the public sigstore. */
export type FetchTrustedRoot = () => Promise<TrustedRoot>;

/**
 * The signer of content, by the first of its signatures that the demand accepts, as `cosign verify` and `cosign verify-blob`
 * do. Fails with `signature-missing`, `signature-invalid`, `signer-untrusted`, and for the demand itself `signer-unnamed`,
 * `bad-sigstore-key`, `bad-trusted-root`.
 */
export async function verifySigstore(
  content: SignedContent,
  found: FoundSignatures,
  { demand, publicRoot }: { readonly demand: SigstoreDemand; readonly publicRoot: FetchTrustedRoot },
): Promise<SigstoreSigner> {
  const { artifact, bytes } = content;
  const expected = demand.key ? keyExpectation(readPublicKey(demand.key)) : certificateExpectation(demand);
  const looks = [
    ...found.bundles.map((bundle) => () => signatureOfBundle(bundle, bytes)),
    ...found.legacy.map((layer) => () => signatureOfLayer(layer, bytes)),
  ];
  if (looks.length === 0) {
    const message = `${artifact} has no sigstore signature`;
    throw new TshelmError('signature-missing', { message, details: { artifact } });
  }
  const root = await rootFor(demand, publicRoot);
  const failures: TshelmError[] = [];
  for (const look of looks) {
    try {
      return checked(look(), { artifact, demand, root, expected });
    } catch (cause) {
      failures.push(cause instanceof TshelmError ? cause : invalid(content, messageOf(cause), cause));
    }
  }
  throw failures.find(({ code }) => code === 'signer-untrusted') ?? failures[0];
}

const invalid = ({ artifact, bundle }: SignedContent, reason: string, cause: unknown): TshelmError =>
  new TshelmError('signature-invalid', {
    message: `the sigstore signature ${bundle ?? `of ${artifact}`} is not valid: ${reason}`,
    details: { artifact, reason },
    cause,
  });

/** With a key and without a log nothing else has to be trusted. */
async function rootFor(demand: SigstoreDemand, publicRoot: FetchTrustedRoot): Promise<TrustedRoot> {
  if (demand.trustedRoot) return readTrustedRoot(demand.trustedRoot);
  if (demand.key && demand.insecureIgnoreTlog) return TrustedRoot.fromJSON({});
  return publicRoot();
}

interface Check {
  readonly artifact: string;
  readonly demand: SigstoreDemand;
  readonly root: TrustedRoot;
  readonly expected: Expectation;
}

type Expectation =
  | { readonly kind: 'key'; readonly key: KeyObject; readonly fingerprint: Buffer }
  | { readonly kind: 'certificate'; readonly identity: ExpectedIdentity };

const keyExpectation = (key: KeyObject): Expectation => ({ kind: 'key', key, fingerprint: fingerprintOf(key) });
const certificateExpectation = (demand: SigstoreDemand): Expectation => ({
  kind: 'certificate',
  identity: expectedIdentity(demand),
});

/** Throws an Error, or `signer-untrusted`. Go: cosign.CheckOpts.verificationOptions. */
function checked(signature: Signature, check: Check): SigstoreSigner {
  const { entity } = signature;
  const isIgnored = check.demand.insecureIgnoreTlog === true;
  const tlogEntries = isIgnored ? [] : entity.tlogEntries;
  const logIndex = tlogEntries[0]?.logIndex;
  const tlogThreshold = isIgnored ? 0 : 1;
  if (check.expected.kind === 'key') {
    const { key, fingerprint } = check.expected;
    checkKeyKind(signature, check);
    const spki = key.export({ type: 'spki', format: 'der' });
    for (const entry of tlogEntries) checkLoggedKey(entry.canonicalizedBody, spki);
    const material = toTrustMaterial(check.root, () => ({ publicKey: key, validFor: () => true }));
    // A key has no end of its own, so when it signed does not matter.
    const options = { tlogThreshold, timestampThreshold: 0 };
    new Verifier(material, options).verify({ ...entity, tlogEntries, timestamps: [] });
    return { keyFingerprint: fingerprint.toString('hex'), logIndex };
  }
  const { certificate } = signature;
  if (certificate === undefined) throw untrusted(check, 'it was made with a key, not with a certificate', {});
  for (const entry of tlogEntries) checkLoggedKey(entry.canonicalizedBody, certificate);
  const { identity: found } = new Verifier(toTrustMaterial(check.root), { tlogThreshold }).verify({
    ...entity,
    tlogEntries,
    timestamps: isIgnored
      ? entity.timestamps.filter(({ $case }) => $case === 'timestamp-authority')
      : entity.timestamps,
  });
  const [identity, issuer] = [found?.subjectAlternativeName ?? '', found?.extensions?.issuer ?? ''];
  const { isIdentity, isIssuer, text } = check.expected.identity;
  if (!isIdentity(identity) || !isIssuer(issuer))
    throw untrusted(check, `the certificate is for ${identity}, issued by ${issuer}; expected is ${text}`, {
      identity,
      issuer,
    });
  return { identity, issuer, logIndex };
}

/** A bundle that names another key, or a certificate, is somebody else's. */
function checkKeyKind({ entity, keyHint }: Signature, check: Check): void {
  if (check.expected.kind !== 'key') return;
  if (entity.key.$case !== 'public-key') throw untrusted(check, 'it was made with a certificate, not with a key', {});
  const own = check.expected.fingerprint.toString('base64');
  if (keyHint !== '' && keyHint !== own)
    throw untrusted(check, `it was made with the key ${keyHint}; expected is ${own}`, {});
}

function untrusted({ artifact }: Check, reason: string, details: { identity?: string; issuer?: string }): TshelmError {
  const message = `the sigstore signature of ${artifact} is by somebody else: ${reason}`;
  return new TshelmError('signer-untrusted', { message, details: { artifact, ...details } });
}
