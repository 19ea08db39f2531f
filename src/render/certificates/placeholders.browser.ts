// private-key.ts and x509.ts for browsers, whose keys and signatures come as promises, which a template cannot wait for:
// what would be made is a placeholder, in PEM that says so; what is given is taken as it is.
import { GoError } from '../../go/value.ts';
import { base64Bytes } from '../../support/bytes.ts';
import { pemBlock, toPem } from './pem.ts';
import type { PrivateKey } from './private-key.ts';
import type { CertificateTemplate, Issuer } from './x509.ts';

const pemTypes = { rsa: 'RSA PRIVATE KEY', ec: 'EC PRIVATE KEY', ed25519: 'PRIVATE KEY', dsa: 'DSA PRIVATE KEY' };

/** Bytes whose base64 can be read. */
const placeholder = base64Bytes('PLACEHOLDER/TSHELM/MAKES/THIS/OUTSIDE/OF/BROWSERS');

export const generateKey = (kind: PrivateKey['kind']): PrivateKey => ({
  kind,
  pem: toPem(pemTypes[kind], placeholder),
  key: undefined,
});

/** Nobody makes keys ahead here. */
export function privateKeyOf(): never {
  throw new Error('internal: a browser holds no key of node:crypto');
}

export function parsePrivateKey(text: string): PrivateKey {
  const block = pemBlock(text);
  if (block === undefined) throw new GoError('no PEM data in input');
  if (!block.type.endsWith('PRIVATE KEY')) throw new GoError(`no private key data in PEM block of type ${block.type}`);
  return { kind: 'rsa', pem: toPem(block.type, block.bytes), key: undefined };
}

export const createCertificate = (_template: CertificateTemplate): Uint8Array => placeholder;

export function readIssuer(pem: string): Issuer {
  if (pemBlock(pem) === undefined) throw new GoError('unable to decode certificate');
  return { name: new Uint8Array(), keyId: undefined, publicKey: undefined };
}
