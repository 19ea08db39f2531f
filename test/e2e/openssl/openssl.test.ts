import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type GoObject, goInt, type Value } from '../../../src/go/value.ts';
import { cryptoFunctions } from '../../../src/render/functions/crypto.ts';

const directory = mkdtempSync(join(tmpdir(), 'tshelm-openssl-'));
afterAll(() => rmSync(directory, { recursive: true }));

const functions = cryptoFunctions({ now: () => new Date(), randomBytes });
const call = (name: string, ...args: Value[]): Value => functions[name]?.call(args);
const openssl = (...args: string[]): string => execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });

function save(name: string, content: Value): string {
  const path = join(directory, name);
  writeFileSync(path, content as string);
  return path;
}

describe.each(['rsa', 'ecdsa', 'ed25519'])('openssl takes %s', (kind) => {
  const key = call('genPrivateKey', kind) as string;
  const ca = call('genCAWithKey', `${kind} authority`, goInt(10), key) as GoObject;
  const cert = call('genSignedCert', 'host', ['10.0.0.1'], ['host', '*.host.example'], goInt(5), ca) as GoObject;
  const caFile = save(`${kind}-ca.crt`, ca.field('Cert'));
  const certFile = save(`${kind}.crt`, cert.field('Cert'));

  test('certificates, for a server and for a client', () => {
    for (const purpose of ['sslserver', 'sslclient']) {
      expect(openssl('verify', '-x509_strict', '-purpose', purpose, '-CAfile', caFile, certFile)).toContain(': OK');
    }
    expect(openssl('verify', '-CAfile', caFile, '-verify_hostname', 'a.host.example', certFile)).toContain(': OK');
    expect(openssl('verify', '-CAfile', caFile, '-verify_ip', '10.0.0.1', certFile)).toContain(': OK');
  });

  test('keys', () => expect(openssl('pkey', '-in', save(`${kind}.key`, key), '-check', '-noout')).toContain('valid'));
});

test('openssl takes DSA keys', () => {
  const key = save('dsa.key', call('genPrivateKey', 'dsa'));
  expect(openssl('dsa', '-in', key, '-noout', '-text')).toContain('2048 bit');
});
