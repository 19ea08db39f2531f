import { statSync } from 'node:fs';
import { readBytes } from '../../go/files.ts';
import { withPathErrors } from '../../go/path-error.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { decodeText } from '../../go/text.ts';
import { GoError } from '../../go/value.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { SignedFiles, Verification } from '../chart-access.ts';
import { identitiesOf, readKeyring } from './keyring.ts';
import { digestOf, signedDigests } from './message.ts';
import { type OpenPgpKey, openPgp } from './openpgp.ts';

/**
 * Checks an archive against its provenance file and a keyring. Go: downloader.VerifyChart. Fails with
 * `verification-failed`.
 */
export async function verifyArchive({ archive, provenance, name, keyring }: SignedFiles): Promise<Verification> {
  const stats = failing(() => statOf(archive));
  if (stats.isDirectory()) throw failed('unpacked charts cannot be verified');
  if (!name.toLowerCase().endsWith('.tgz')) throw failed('chart must be a tgz file');
  failing(() => statOf(provenance), `could not load provenance file ${provenance}: `);
  const keys = await readKeyring(keyring).catch((cause: unknown) => {
    throw failed(`failed to load keyring: ${messageOf(cause)}`, cause);
  });
  const bytes = failing(() => readBytes(archive), 'failed to read chart archive: ');
  const signed = failing(() => readBytes(provenance), 'failed to read provenance file: ');
  return checkSigned({ archive: bytes, provenance: signed, name }, keys);
}

/** An archive and its provenance file, both read. */
export interface SignedBytes {
  readonly archive: Uint8Array;
  readonly provenance: Uint8Array;
  readonly name: string;
}

/** Checks bytes against keys. Go: provenance.Signatory.Verify. Fails with `verification-failed`. */
export async function checkSigned(
  { archive: bytes, provenance, name }: SignedBytes,
  keys: readonly OpenPgpKey[],
): Promise<Verification> {
  const { key, text } = await checkSignature(decodeText(provenance), keys);
  const fileHash = digestOf(bytes);
  const expected = failing(() => signedDigests(text))[name];
  if (expected === undefined) throw failed(`provenance does not contain a SHA for a file named ${quote(name)}`);
  if (expected !== fileHash)
    throw failed(`sha256 sum does not match for ${name}: ${quote(expected)} != ${quote(fileHash)}`);
  return { identities: identitiesOf(key), fingerprint: key.getFingerprint().toUpperCase(), fileHash };
}

/** The key that made the signature, and the text that it signs. */
async function checkSignature(
  provenance: string,
  keys: readonly OpenPgpKey[],
): Promise<{ readonly key: OpenPgpKey; readonly text: string }> {
  const { readCleartextMessage, verify } = await openPgp();
  const start = provenance.indexOf('-----BEGIN PGP SIGNED MESSAGE-----');
  if (start < 0) throw failed('signature block not found');
  const message = await readCleartextMessage({ cleartextMessage: provenance.slice(start) }).catch((cause: unknown) => {
    throw failed('signature block not found', cause);
  });
  const { signatures } = await verify({ message, verificationKeys: [...keys] });
  const problems: string[] = [];
  for (const { keyID, verified } of signatures) {
    const key = keys.find((one) => one.getKeys(keyID).length > 0);
    if (key === undefined) problems.push('openpgp: signature made by unknown entity');
    else {
      const problem = await verified.then(
        () => undefined,
        (cause: unknown) => problemOf(cause, key),
      );
      if (problem === undefined) return { key, text: message.getText() };
      problems.push(problem);
    }
  }
  throw failed(problems[0] ?? 'signature block not found');
}

/** In the words of Go's library, where it has any for this. */
function problemOf(cause: unknown, key: OpenPgpKey): string {
  const reason = messageOf(cause);
  if (/digest did not match/i.test(reason))
    return `openpgp: invalid signature: ${algorithmName(key)} verification failure`;
  if (/key is revoked/i.test(reason)) return 'openpgp: signature made by revoked key';
  const [, weakHash] = /^Insecure message hash algorithm: (.*)$/.exec(reason) ?? [];
  if (weakHash !== undefined)
    return `openpgp: invalid signature: it uses ${weakHash}, which is too weak to prove anything`;
  if (/key is expired|primary key is expired/i.test(reason)) return 'openpgp: key expired';
  if (/signature is expired/i.test(reason)) return 'openpgp: signature expired';
  return `openpgp: invalid signature: ${reason.replace(/^.*?: /, '')}`;
}

function algorithmName(key: OpenPgpKey): string {
  const { algorithm } = key.getAlgorithmInfo();
  if (algorithm.startsWith('rsa')) return 'RSA';
  return algorithm === 'eddsaLegacy' ? 'EdDSA' : algorithm === 'ed25519' ? 'Ed25519' : algorithm.toUpperCase();
}

const statOf = (path: string) => withPathErrors('stat', path, () => statSync(path));

function failing<T>(work: () => T, prefix = ''): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof GoError) throw failed(`${prefix}${cause.message}`, cause);
    throw cause;
  }
}

const failed = (message: string, cause?: unknown): TshelmError =>
  new TshelmError('verification-failed', { message, cause });
