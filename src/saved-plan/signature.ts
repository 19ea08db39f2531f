import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { messageOf, TshelmError } from '../support/errors.ts';

/** Signs the text of a plan; in base64. `key`: an ed25519 key as PEM, or of OpenSSH. Errors: `plan-signature`. */
export const signatureOf = (text: string, key: string): string =>
  sign(null, Buffer.from(text), signingKey(key)).toString('base64');

/** Errors: `plan-signature` where the text has no signature of one of the public keys in `keys`, the texts of their files. */
export function checkSignature(text: string, signature: unknown, keys: readonly string[]): void {
  if (typeof signature !== 'string') throw refused('it is not signed');
  if (!isSignedBy(text, signature, keys))
    throw refused('none of the given keys made its signature, or the plan was changed after it was signed');
}

/** Whether one of the keys made a signature (base64) of the text. Errors: `plan-signature` for keys that cannot be read. */
export function isSignedBy(text: string, signature: string, keys: readonly string[]): boolean {
  const known = keys.flatMap(publicKeys);
  if (known.length === 0)
    throw refused('no ed25519 public key was given: use a PEM public key or a line "ssh-ed25519 …"');
  const bytes = Buffer.from(signature, 'base64');
  return known.some((key) => verify(null, Buffer.from(text), key, bytes));
}

const refused = (why: string, cause?: unknown): TshelmError =>
  new TshelmError('plan-signature', { message: `the plan cannot be trusted: ${why}`, cause });

const unusable = (why: string, cause?: unknown): TshelmError =>
  new TshelmError('plan-signature', { message: `the plan cannot be signed: ${why}`, cause });

/** Errors: `plan-signature`. */
function signingKey(text: string): KeyObject {
  const isOpenSsh = text.includes('-----BEGIN OPENSSH PRIVATE KEY-----');
  try {
    const key = isOpenSsh ? openSshKey(text) : createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    if (cause instanceof TshelmError) throw cause;
    throw unusable(`the key is not readable: ${messageOf(cause)}`, cause);
  }
  throw notEd25519();
}

const notEd25519 = (): TshelmError =>
  unusable(
    'the key must be an ed25519 key; create one with `ssh-keygen -t ed25519` or `openssl genpkey -algorithm ed25519`',
  );

/** What comes before the 32 bytes of a key in DER: RFC 8410. */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicHead = Buffer.from('302a300506032b6570032100', 'hex');
const sshType = 'ssh-ed25519';

/** The key of an OpenSSH file (PROTOCOL.key). */
function openSshKey(text: string): KeyObject {
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]+)-----END/.exec(text)?.[1] ?? '';
  const file = new SshReader(Buffer.from(body, 'base64').subarray('openssh-key-v1\0'.length));
  const [cipher] = [file.text(), file.bytes(), file.bytes(), file.skip(4), file.bytes()];
  if (cipher !== 'none')
    throw unusable(
      'the key has a passphrase; sign with a key without a passphrase, for example one stored as a secret in the CI system',
    );
  const inside = new SshReader(file.bytes());
  inside.skip(8);
  if (inside.text() !== sshType) throw notEd25519();
  inside.bytes();
  const seed = inside.bytes().subarray(0, 32);
  return createPrivateKey({ key: Buffer.concat([privateHead, seed]), format: 'der', type: 'pkcs8' });
}

/** Reads fields with their length before them. */
class SshReader {
  readonly #data: Buffer;
  #at = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  bytes(): Buffer {
    const length = this.#data.readUInt32BE(this.#at);
    const start = this.#at + 4;
    this.#at = start + length;
    return this.#data.subarray(start, this.#at);
  }

  text(): string {
    return this.bytes().toString();
  }

  skip(length: number): void {
    this.#at += length;
  }
}

/** The ed25519 keys of a file: PEM, lines of `.pub`, `authorized_keys` and `allowed_signers`. */
function publicKeys(text: string): readonly KeyObject[] {
  const pems = text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(' '));
  const ssh = lines.flatMap((words) => (words.includes(sshType) ? (words[words.indexOf(sshType) + 1] ?? '') : []));
  try {
    const made = [...pems.map((pem) => createPublicKey(pem)), ...ssh.map(openSshPublicKey)];
    return made.filter(({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519');
  } catch (cause) {
    throw refused(`the public key is not readable: ${messageOf(cause)}`, cause);
  }
}

function openSshPublicKey(base64: string): KeyObject {
  const reader = new SshReader(Buffer.from(base64, 'base64'));
  if (reader.text() !== sshType) throw notEd25519();
  return createPublicKey({ key: Buffer.concat([publicHead, reader.bytes()]), format: 'der', type: 'spki' });
}
