import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signFile } from '../../../src/sigstore/sign.ts';
import { type Registry, startRegistry } from './registry.ts';

// cosign 3.1 on one side, tshelm on the other: what one signs, the other verifies. Building cosign takes 13
// minutes, so it is done by hand (GOBIN=$TSHELM_E2E_BIN go install github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3); without
// it, test/sigstore has what it said.
const cosign = join(process.env['TSHELM_E2E_BIN'] ?? '', 'cosign');
const hasCosign = spawnSync(cosign, ['version']).status === 0;

describe.skipIf(!hasCosign)('beside cosign', () => {
  let folder: string;
  let registry: Registry;
  let chart: string;
  const env = () => ({
    ...process.env,
    COSIGN_PASSWORD: 'secret',
    DOCKER_CONFIG: folder,
    HELM_CACHE_HOME: join(folder, 'cache'),
    HELM_CONFIG_HOME: join(folder, 'config'),
  });
  const run = (program: string, line: string) =>
    spawnSync(program, line.split(' '), { cwd: folder, env: env(), encoding: 'utf8' });
  const tshelm = (line: string) => run(join(import.meta.dirname, '../../../bin/tshelm'), line);
  const signer = '--key cosign.pub --insecure-ignore-tlog';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tshelm-sigstore-'));
    registry = await startRegistry(join(folder, 'registry'));
    execFileSync(cosign, ['generate-key-pair'], { cwd: folder, env: env(), stdio: 'ignore' });
    execFileSync(cosign, ['signing-config', 'create', '--out', 'signing.json'], { cwd: folder, stdio: 'ignore' });
    mkdirSync(join(folder, 'web/templates'), { recursive: true });
    writeFileSync(join(folder, 'web/Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    writeFileSync(join(folder, 'web/templates/a.yaml'), 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n');
    chart = `${registry.host}/charts/web:1.0.0`;
  });
  afterAll(() => {
    registry.stop();
    rmSync(folder, { recursive: true });
  });

  test('a package that we sign, cosign verifies', () => {
    expect(tshelm('package web --sign=sigstore --key cosign.key')).toMatchObject({ status: 0, stderr: '' });
    const bundle = '--bundle web-1.0.0.tgz.sigstore.json';
    expect(run(cosign, `verify-blob ${signer} ${bundle} web-1.0.0.tgz`)).toMatchObject({ status: 0 });
    const archive = readFileSync(join(folder, 'web-1.0.0.tgz'));
    writeFileSync(join(folder, 'other.tgz'), Buffer.concat([archive, Buffer.from([0])]));
    expect(run(cosign, `verify-blob ${signer} ${bundle} other.tgz`).status).not.toBe(0);
  });

  test('a chart that we sign in a registry, cosign verifies; the second signature joins the first', () => {
    const push = `push web-1.0.0.tgz oci://${registry.host}/charts --plain-http --sign=sigstore --key cosign.key`;
    for (const _time of [1, 2]) {
      expect(tshelm(push)).toMatchObject({ status: 0, stderr: '' });
      expect(run(cosign, `verify --allow-http-registry ${signer} ${chart}`)).toMatchObject({ status: 0 });
    }
    expect(tshelm(`pull oci://${chart} --plain-http --verify=sigstore ${signer}`)).toMatchObject({ status: 0 });
  });

  const pairs = {
    'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    'P-521': generateKeyPairSync('ec', { namedCurve: 'P-521' }),
    secp256k1: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
    'RSA 2048': generateKeyPairSync('rsa', { modulusLength: 2048 }),
    'RSA 1024': generateKeyPairSync('rsa', { modulusLength: 1024 }),
    Ed25519: generateKeyPairSync('ed25519'),
  };

  test.each([
    ['P-256', 'spki', true],
    ['P-384', 'spki', true],
    ['P-521', 'spki', true],
    ['secp256k1', 'spki', false],
    ['RSA 2048', 'spki', true],
    ['RSA 2048', 'pkcs1', true],
    ['RSA 1024', 'spki', true],
    ['Ed25519', 'spki', true],
  ] as const)('a key of %s in %s: both sides take it, or neither', (name, type, isTaken) => {
    const { publicKey, privateKey } = pairs[name];
    const pem = (key: KeyObject, type: 'spki' | 'pkcs1' | 'pkcs8') =>
      key.export({ type: type as 'pkcs8', format: 'pem' });
    writeFileSync(join(folder, 'plain.key'), pem(privateKey, 'pkcs8'));
    writeFileSync(join(folder, 'plain.pub'), pem(publicKey, type));
    const signed = tshelm('package web --sign=sigstore --key plain.key');
    expect(signed.status === 0).toBe(isTaken);
    // A bundle with the hint of the key, which neither side may take.
    if (!isTaken)
      writeFileSync(
        join(folder, 'web-1.0.0.tgz.sigstore.json'),
        signFile(readFileSync(join(folder, 'web-1.0.0.tgz')), { privateKey, publicKey }),
      );
    const plain = '--key plain.pub --insecure-ignore-tlog';
    const theirs = run(cosign, `verify-blob ${plain} --bundle web-1.0.0.tgz.sigstore.json web-1.0.0.tgz`);
    const ours = tshelm(`verify web-1.0.0.tgz --verify=sigstore ${plain}`);
    expect([theirs.status === 0, ours.status === 0], `${theirs.stderr}${ours.stderr}`).toEqual([isTaken, isTaken]);
  });

  test('a certificate in place of a key: neither side takes it', () => {
    expect(tshelm('package web --sign=sigstore --key cosign.key')).toMatchObject({ status: 0 });
    const subject = ['-subj', '/CN=jo', '-keyout', 'jo.key', '-out', 'jo.pem'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], {
      cwd: folder,
      stdio: 'ignore',
    });
    const given = '--key jo.pem --insecure-ignore-tlog';
    expect(run(cosign, `verify-blob ${given} --bundle web-1.0.0.tgz.sigstore.json web-1.0.0.tgz`).status).not.toBe(0);
    expect(tshelm(`verify web-1.0.0.tgz --verify=sigstore ${given}`).status).toBe(1);
  });

  // test/sigstore/cosign.test.ts has what tshelm says of each of them.
  test('of two hundred changed bundles, cosign says what it said', () => {
    const fixtures = join(import.meta.dirname, '../../sigstore/fixtures');
    const copy = join(folder, 'fixtures');
    cpSync(fixtures, copy, { recursive: true });
    const script = join(fixtures, '../change-bundles.mjs');
    const asked = spawnSync('node', [script, cosign], { cwd: copy, env: env(), encoding: 'utf8' });
    expect(asked).toMatchObject({ status: 0, stderr: '' });
    const verdicts = JSON.parse(asked.stdout) as Readonly<Record<string, readonly boolean[]>>;
    expect(Object.values(verdicts).flat()).toHaveLength(200);
    expect(verdicts).toEqual(JSON.parse(readFileSync(join(fixtures, 'verdicts.json'), 'utf8')));
  });

  test('what cosign signs in a registry, we verify', () => {
    expect(tshelm(`push web-1.0.0.tgz oci://${registry.host}/others --plain-http`)).toMatchObject({ status: 0 });
    const reference = `${registry.host}/others/web:1.0.0`;
    const pull = `pull oci://${reference} --plain-http --verify=sigstore ${signer}`;
    expect(tshelm(pull).stderr).toMatch(/has no sigstore signature/);
    const sign = `sign --yes --allow-http-registry --key cosign.key --signing-config signing.json ${reference}`;
    expect(run(cosign, sign)).toMatchObject({ status: 0 });
    expect(tshelm(pull)).toMatchObject({ status: 0, stderr: '' });
  });
});
