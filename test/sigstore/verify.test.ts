import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { FoundSignatures, SigstoreDemand } from '../../src/sigstore/demand.ts';
import { signFile, signManifest } from '../../src/sigstore/sign.ts';
import { verifySigstore } from '../../src/sigstore/verify.ts';
import { privateSigstore } from './private-sigstore.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-sigstore-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const sigstore = privateSigstore();
const by = {
  uri: 'https://github.com/acme/charts/.github/workflows/release.yml@refs/tags/v1',
  issuer: 'https://token.example',
};
const trustedRoot = write('trusted_root.json', sigstore.trustedRoot);
const identity: SigstoreDemand = { trustedRoot, certificateIdentity: by.uri, certificateOidcIssuer: by.issuer };
const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKeyFile = write('cosign.pub', keyPair.publicKey.export({ type: 'spki', format: 'pem' }).toString());
const key: SigstoreDemand = { key: publicKeyFile, insecureIgnoreTlog: true };

const content = Buffer.from('{"schemaVersion":2,"layers":[]}');
const bundled = (text: string): FoundSignatures => ({ bundles: [Buffer.from(text)], legacy: [] });
const noNetwork = (): never => {
  throw new Error('asked for the public trusted root');
};
const verify = (found: FoundSignatures, demand: SigstoreDemand, bytes: Uint8Array = content) =>
  verifySigstore({ artifact: 'demo', bytes }, found, { demand, publicRoot: noNetwork });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  );

const byIdentity: readonly [FoundSignatures, SigstoreDemand] = [bundled(sigstore.signManifest(content, by)), identity];
const signed: Readonly<Record<string, readonly [FoundSignatures, SigstoreDemand]>> = {
  'a manifest by an identity': byIdentity,
  'a file by an identity': [bundled(sigstore.signFile(content, by)), identity],
  'a manifest by a key': [bundled(signManifest(content, keyPair)), key],
  'a file by a key': [bundled(signFile(content, keyPair)), key],
};
const legacy = sigstore.signLegacy(content, by);

test.each(Object.entries(signed))('%s', async (name, [found, demand]) => {
  const signer = await verify(found, demand);
  expect(signer).toMatchObject(
    name.endsWith('key')
      ? { keyFingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) }
      : { identity: by.uri, logIndex: '1' },
  );
});

test('a signature as cosign 2 kept it', async () => {
  expect(await verify({ bundles: [], legacy: [legacy] }, identity)).toEqual({
    identity: by.uri,
    issuer: by.issuer,
    logIndex: '1',
  });
});

describe('whoever else signed is refused', () => {
  const [found] = signed['a manifest by an identity'] as (typeof signed)[string];
  test.each<[string, SigstoreDemand, string]>([
    ['another identity', { ...identity, certificateIdentity: `${by.uri}x` }, 'signer-untrusted'],
    ['a part of the identity', { ...identity, certificateIdentity: 'https://github.com/acme' }, 'signer-untrusted'],
    ['another issuer', { ...identity, certificateOidcIssuer: 'https://other.example' }, 'signer-untrusted'],
    [
      'a pattern',
      { ...identity, certificateIdentity: '', certificateIdentityRegexp: '^https://github.com/acme/' },
      'accepted',
    ],
    [
      'another pattern',
      { ...identity, certificateIdentity: '', certificateIdentityRegexp: '^https://github.com/acme$' },
      'signer-untrusted',
    ],
    [
      'a pattern of the issuer',
      { ...identity, certificateOidcIssuer: '', certificateOidcIssuerRegexp: 'token' },
      'accepted',
    ],
    ['no issuer', { trustedRoot, certificateIdentity: by.uri }, 'signer-unnamed'],
    ['no identity', { trustedRoot, certificateOidcIssuer: by.issuer }, 'signer-unnamed'],
    ['no pattern', { ...identity, certificateIdentity: '', certificateIdentityRegexp: '(' }, 'signer-unnamed'],
    ['a key', { key: publicKeyFile, trustedRoot }, 'signer-untrusted'],
    ['without a log', { ...identity, insecureIgnoreTlog: true }, 'signature-invalid'],
    [
      'another sigstore',
      { ...identity, trustedRoot: write('other.json', privateSigstore().trustedRoot) },
      'signature-invalid',
    ],
    ['no trusted root', { ...identity, trustedRoot: publicKeyFile }, 'bad-trusted-root'],
    ['no public key', { key: trustedRoot }, 'bad-sigstore-key'],
  ])('%s', async (_name, demand, code) => {
    expect(await codeOf(verify(found, demand))).toBe(code);
  });

  test('another key, and a key whose signature no log has', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(await codeOf(verify(bundled(signManifest(content, other)), key))).toBe('signer-untrusted');
    expect(
      await codeOf(verify(bundled(signManifest(content, keyPair)), { ...key, insecureIgnoreTlog: false, trustedRoot })),
    ).toBe('signature-invalid');
  });

  test('nobody', async () => {
    expect(await codeOf(verify({ bundles: [], legacy: [] }, key))).toBe('signature-missing');
  });
});

test.each(['rsa', 'ed25519', 'P-384'])('keys of type %s', async (type) => {
  const pair =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : type === 'ed25519'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('ec', { namedCurve: type });
  const file = write(`${type}.pub`, pair.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const demand = { key: file, insecureIgnoreTlog: true };
  expect(await codeOf(verify(bundled(signManifest(content, pair)), demand))).toBe('accepted');
  expect(await codeOf(verify(bundled(signFile(content, pair)), demand))).toBe('accepted');
});

function flipped(bytes: Uint8Array, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] as number) ^ (1 << (at % 7));
  return copy;
}

/** The changes that are not noticed, each as the text around it. */
async function unnoticed(
  bytes: Uint8Array,
  check: (changed: Buffer) => Promise<unknown>,
  step = 1,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += step) {
    const changed = flipped(bytes, at);
    if ((await codeOf(check(changed))) === 'accepted') found.push(changed.toString('latin1', at - 20, at + 10));
  }
  return found;
}

/** All bytes of short texts, a sample of the others: a check takes milliseconds. */
const stepOf = ({ length }: Uint8Array): number => Math.ceil(length / 700);

describe('every byte counts', () => {
  test.each(Object.entries(signed))('%s', async (_name, [found, demand]) => {
    const [bundle = Buffer.alloc(0)] = found.bundles;
    expect(await unnoticed(content, (bytes) => verify(found, demand, bytes))).toEqual([]);
    expect(
      await unnoticed(bundle, (bytes) => verify({ bundles: [bytes], legacy: [] }, demand), stepOf(bundle)),
    ).toEqual([]);
  });

  // Where a sample falls is different each time: keys are new.
  test('the signature of the checkpoint, to its padding', async () => {
    const [found, demand] = byIdentity;
    const bundle = Buffer.from(found.bundles[0] ?? []);
    const mark = Buffer.from('\u2014 ');
    const start = bundle.indexOf(mark);
    expect(start).toBeGreaterThan(0);
    const end = bundle.indexOf('"', start);
    const part = bundle.subarray(start, end);
    const check = (changed: Buffer) =>
      verify(
        { bundles: [Buffer.concat([bundle.subarray(0, start), changed, bundle.subarray(end)])], legacy: [] },
        demand,
      );
    expect(await unnoticed(part, check)).toEqual([]);
  });

  test('a signature as cosign 2 kept it', async () => {
    const check = (one: typeof legacy, bytes: Uint8Array = content) =>
      verify({ bundles: [], legacy: [one] }, identity, bytes);
    expect(await unnoticed(content, (bytes) => check(legacy, bytes))).toEqual([]);
    expect(await unnoticed(legacy.payload, (payload) => check({ ...legacy, payload }))).toEqual([]);
    for (const name of ['dev.cosignproject.cosign/signature', 'dev.sigstore.cosign/bundle']) {
      const text = Buffer.from(legacy.annotations[name] as string);
      const changed = (text: Buffer) =>
        check({ ...legacy, annotations: { ...legacy.annotations, [name]: text.toString() } });
      expect(await unnoticed(text, changed, stepOf(text))).toEqual([]);
    }
  });
});
