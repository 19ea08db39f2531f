import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { helm, ok, type Program, tshelm } from '../support/programs.ts';

/** What one program signs, the other verifies; and gpg does, where it can. */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-signatures-'));
const env = { ...process.env, GNUPGHOME: join(folder, 'gnupg') };
const shell = (script: string): void => void execFileSync('bash', ['-ec', script], { cwd: folder, env, stdio: 'pipe' });
const at = (path: string): string => join(folder, path);

beforeAll(() => {
  mkdirSync(at('gnupg'), { mode: 0o700 });
  shell(`
    key() { gpg --batch --passphrase "\${4-}" --pinentry-mode loopback --quick-gen-key "$1 <$1@example.com>" $2 sign $3; }
    key Rsa rsa3072 never; key Small rsa1024 never; key Ed ed25519 never; key Nist nistp256 never
    key Locked rsa2048 never 'open sesame'; key Revoked rsa2048 never; echo 'open sesame' > passphrase
    gpg --batch --pinentry-mode loopback --passphrase 'open sesame' --export-secret-keys > secret.gpg
    gpg --export > all.gpg; gpg --export Rsa > rsa.gpg; gpg --export Ed > ed.gpg
    print=$(gpg --list-keys --with-colons Revoked | awk -F: '/^fpr/{print $10; exit}')
    sed 's/^:-----/-----/' gnupg/openpgp-revocs.d/$print.rev | gpg --import
    gpg --export Revoked > revoked.gpg
    '${process.env['TSHELM_E2E_BIN']}/helm' create chart`);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const signed = async (by: Program, key: string): Promise<string> => {
  const place = at(`${by.name}-${key}`);
  const keys = ['--sign', '--key', key, '--keyring', at('secret.gpg'), '--passphrase-file', at('passphrase')];
  await ok(by, ['package', at('chart'), '-d', place, ...keys]);
  return join(place, 'chart-0.1.0.tgz');
};

describe.each([
  ['helm', helm, tshelm],
  ['tshelm', tshelm, helm],
] as const)('signed by %s', (_name, by, other) => {
  // gpg does not take Go's signatures by keys of elliptic curves: their packets say no issuer that it knows.
  test.each([
    ['Rsa', true],
    ['Ed', by === tshelm],
    ['Nist', by === tshelm],
    ['Locked', true],
  ])('with the key %s', async (key, isForGpg) => {
    const archive = await signed(by, key);
    const words = ['verify', archive, '--keyring', at('all.gpg')];
    const told = await ok(other, words);
    expect(told).toMatch(
      new RegExp(`^Signed by: ${key} <${key}@example\\.com>\nUsing Key With Fingerprint: [0-9A-F]{40}\n`),
    );
    expect(told).toBe(await ok(by, words));
    const { status, stderr } = spawnSync('gpg', ['--verify', `${archive}.prov`], { env, encoding: 'utf8' });
    if (isForGpg) expect(status, stderr).toBe(0);
  });

  test('another key, another archive and a revoked key are refused, in the same words', async () => {
    const [rsa, ed, revoked] = [await signed(by, 'Rsa'), await signed(by, 'Ed'), await signed(by, 'Revoked')];
    mkdirSync(at(`${by.name}-mixed`));
    const mixed = at(`${by.name}-mixed/chart-0.1.0.tgz`);
    shell(`cp -r chart other-chart; echo '# more' >> other-chart/values.yaml`);
    await ok(by, ['package', at('other-chart'), '-d', at(`${by.name}-mixed`)]);
    copyFileSync(`${rsa}.prov`, `${mixed}.prov`);
    for (const [archive, ring] of [
      [rsa, 'ed.gpg'],
      [ed, 'rsa.gpg'],
      [mixed, 'all.gpg'],
      [revoked, 'revoked.gpg'],
    ] as const) {
      const words = ['verify', archive, '--keyring', at(ring)];
      const [theirs, ours] = [await helm.run(words), await tshelm.run(words)];
      expect(ours).toEqual(theirs);
      expect(theirs.code).toBe(1);
    }
  });
});

describe('what is too weak to prove anything', () => {
  test.each([['Small', 'RSA keys shorter than 2047 bits are considered too weak']])(
    'a key: %s',
    async (key, reason) => {
      const words = ['verify', await signed(helm, key), '--keyring', at('all.gpg')];
      await ok(helm, words);
      expect(await tshelm.run(words)).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
    },
  );

  test('a signature over SHA-1', async () => {
    const archive = await signed(tshelm, 'Rsa');
    shell(`gpg --decrypt '${archive}.prov' > text && rm '${archive}.prov'
      gpg --batch -u Rsa --digest-algo SHA1 --clearsign -o '${archive}.prov' text`);
    const words = ['verify', archive, '--keyring', at('all.gpg')];
    await ok(helm, words);
    expect(await tshelm.run(words)).toMatchObject({
      code: 1,
      stderr: 'Error: openpgp: invalid signature: it uses SHA1, which is too weak to prove anything\n',
    });
  });
});
