import { decodeText, encodeText } from '../../go/text.ts';
import { GoError } from '../../go/value.ts';
import { base64Text, hexText, joinedBytes } from '../../support/bytes.ts';
import { decryptAesCbc, encryptAesCbc, type HashName, hash } from '../../support/cryptography.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { generateKey } from '../certificates/private-key.ts';
import { decodeBase64 } from '../encoding/base64.ts';
import { bcryptHash, bcryptSaltBytes } from '../encoding/bcrypt.ts';
import { type CertificateEnvironment, certificateFunctions } from './certificates.ts';
import { derivePassword } from './derive-password.ts';
import { randomFunctions } from './random.ts';

/** sprig's hashes, passwords, keys, ciphers, certificates and random text. */
export const cryptoFunctions = (environment: CertificateEnvironment): FunctionTable => ({
  ...hashFunctions,
  ...passwordFunctions(environment),
  ...cipherFunctions(environment),
  ...certificateFunctions(environment),
  ...randomFunctions(environment),
  genPrivateKey: goFunction('func(string) string', generatePrivateKey),
});

const hasher = (name: HashName): FunctionTable[string] =>
  goFunction('func(string) string', (text: string) => hexText(hash(name, encodeText(text))));

const hashFunctions: FunctionTable = {
  sha1sum: hasher('sha1'),
  sha256sum: hasher('sha256'),
  sha512sum: hasher('sha512'),
  adler32sum: goFunction('func(string) string', (text: string) => String(adler32(encodeText(text)))),
};

const adlerModulus = 65_521;

function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % adlerModulus;
    b = (b + a) % adlerModulus;
  }
  return b * 65_536 + a;
}

function passwordFunctions({ randomBytes }: CertificateEnvironment): FunctionTable {
  const bcrypt = (password: string): string => {
    try {
      return bcryptHash(password, randomBytes(bcryptSaltBytes));
    } catch (error) {
      if (error instanceof GoError) return `failed to encrypt string with bcrypt: ${error.message}`;
      throw error;
    }
  };
  return {
    bcrypt: goFunction('func(string) string', bcrypt),
    htpasswd: goFunction('func(string, string) string', (user: string, password: string) =>
      user.includes(':') ? `invalid username: ${user}` : `${user}:${bcrypt(password)}`,
    ),
    derivePassword: goFunction('func(uint32, string, string, string, string) string', derivePassword),
  };
}

const keyKinds = { '': 'rsa', rsa: 'rsa', dsa: 'dsa', ecdsa: 'ec', ed25519: 'ed25519' } as const;
const privateKeyRsaBits = 4096;

function generatePrivateKey(name: string): string {
  if (!Object.hasOwn(keyKinds, name)) return `Unknown type ${name}`;
  return generateKey(keyKinds[name as keyof typeof keyKinds], privateKeyRsaBits).pem;
}

const aesBlockBytes = 16;
const aesKeyBytes = 32;

/** AES-256 in CBC mode; the base64 text holds the initialization vector before the blocks. */
function cipherFunctions({ randomBytes }: CertificateEnvironment): FunctionTable {
  return {
    encryptAES: goFunction('func(string, string) (string, error)', (password: string, text: string) => {
      if (text === '') return '';
      const vector = randomBytes(aesBlockBytes);
      return base64Text(joinedBytes([vector, encryptAesCbc(aesKey(password), vector, encodeText(text))]));
    }),
    decryptAES: goFunction('func(string, string) (string, error)', decryptAes),
  };
}

/** The password's first 32 bytes, or the password and zeros. */
function aesKey(password: string): Uint8Array {
  const key = new Uint8Array(aesKeyBytes);
  key.set(encodeText(password).subarray(0, aesKeyBytes));
  return key;
}

function decryptAes(password: string, base64: string): string {
  if (base64 === '') return '';
  const bytes = decodeBase64(base64);
  // What follows in Go are panics, which text/template reports as errors.
  if (bytes.length < aesBlockBytes) {
    throw new GoError(`runtime error: slice bounds out of range [:${aesBlockBytes}] with capacity ${bytes.length}`);
  }
  const blocks = bytes.subarray(aesBlockBytes);
  if (blocks.length % aesBlockBytes !== 0) throw new GoError('crypto/cipher: input not full blocks');
  if (blocks.length === 0) throw new GoError('runtime error: index out of range [-1]');
  const padded = decryptAesCbc(aesKey(password), bytes.subarray(0, aesBlockBytes), blocks);
  const length = padded.length - (padded.at(-1) as number);
  if (length < 0) throw new GoError(`runtime error: slice bounds out of range [:${length}]`);
  return decodeText(padded.subarray(0, length));
}
