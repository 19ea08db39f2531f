import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPrivateKey } from '../../src/sigstore/private-key.ts';
import { signFile, signManifest } from '../../src/sigstore/sign.ts';
import { verifySigstore } from '../../src/sigstore/verify.ts';
import { changesOf } from './changes.mjs';
import { identity } from './private-sigstore.ts';
import { signers } from './signers.mjs';

// What cosign 3.1 wrote and said; record.sh makes it anew.
const fixtures = join(import.meta.dirname, 'fixtures');
const read = (name: string): Buffer => readFileSync(join(fixtures, name));
const verdicts = JSON.parse(read('verdicts.json').toString()) as Readonly<Record<string, readonly boolean[]>>;
const key = { key: join(fixtures, 'cosign.pub'), insecureIgnoreTlog: true };
const byIdentity = {
  certificateIdentity: identity.uri,
  certificateOidcIssuer: identity.issuer,
  trustedRoot: join(fixtures, 'trusted-root.json'),
};
const contentOf = (bundle: string): Buffer => read(bundle.startsWith('chart') ? 'chart.tgz' : 'manifest.json');
const demandOf = (bundle: string) => (bundle.includes('.key.') ? key : byIdentity);
const publicRoot = (): never => {
  throw new Error('asked for the public trusted root');
};
const verify = (bundle: string, text: string | Buffer) => {
  const content = { artifact: bundle, bytes: contentOf(bundle) };
  return verifySigstore(
    content,
    { bundles: [Buffer.from(text)], legacy: [] },
    { demand: demandOf(bundle), publicRoot },
  );
};
const isAccepted = (bundle: string, text: string): Promise<boolean> =>
  verify(bundle, text).then(
    () => true,
    () => false,
  );

test.each(Object.keys(verdicts))('%s is taken, and no change of it that cosign refuses', async (bundle) => {
  const text = read(bundle).toString();
  expect(await isAccepted(bundle, text)).toBe(true);
  const ours = await Promise.all(changesOf(text).map((changed) => isAccepted(bundle, changed)));
  const theirs = verdicts[bundle] ?? [];
  expect(ours).toHaveLength(50);
  expect(ours.flatMap((accepted, index) => (accepted && !theirs[index] ? [index] : []))).toEqual([]);
});

// cosign passes over the name of the key, and over the kind of a log entry, which the entry itself repeats.
test('of two hundred changes, the two agree about all but a few that we refuse', async () => {
  const refused: string[] = [];
  for (const [bundle, theirs] of Object.entries(verdicts)) {
    const changes = changesOf(read(bundle).toString());
    for (const [index, changed] of changes.entries())
      if (theirs[index] && !(await isAccepted(bundle, changed))) refused.push(`${bundle} ${index}`);
  }
  expect(refused.length).toBeLessThan(20);
});

test('cosign and tshelm agree whom a certificate names, to the character', async () => {
  const theirs = JSON.parse(read('signers.json').toString()) as readonly boolean[];
  const bundles = [read('chart.identity.json')];
  const content = { artifact: 'chart.tgz', bytes: read('chart.tgz') };
  const { trustedRoot } = byIdentity;
  const ours = await Promise.all(
    signers.map((signer) =>
      verifySigstore(content, { bundles, legacy: [] }, { demand: { ...signer, trustedRoot }, publicRoot }).then(
        () => true,
        () => false,
      ),
    ),
  );
  expect(ours.filter((accepted) => accepted).length).toBeGreaterThan(4);
  expect(signers.filter((_signer, index) => ours[index] !== theirs[index])).toEqual([]);
});

test('a signature as cosign 2 kept it', async () => {
  const { layers } = JSON.parse(read('legacy-manifest.json').toString()) as {
    layers: readonly { annotations: Record<string, string> }[];
  };
  const legacy = [{ payload: read('legacy-payload.json'), annotations: layers[0]?.annotations ?? {} }];
  const content = { artifact: 'web', bytes: read('manifest.json') };
  const signer = await verifySigstore(content, { bundles: [], legacy }, { demand: key, publicRoot });
  expect(signer.keyFingerprint).toMatch(/^[0-9a-f]{64}$/);
});

test('the key of cosign signs what its public key verifies', async () => {
  const own = await readPrivateKey(join(fixtures, 'cosign.key'), async () => 'secret');
  await verify('chart.key.json', signFile(read('chart.tgz'), own));
  await verify('manifest.key.json', signManifest(read('manifest.json'), own));
  await expect(readPrivateKey(join(fixtures, 'cosign.key'), async () => 'wrong')).rejects.toThrow(/password is wrong/);
});
