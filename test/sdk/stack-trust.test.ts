import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type StackOptions, Tshelm } from '../../src/index.ts';
import { fakeRegistry } from '../source/oci/fake-registry.ts';

// The chart and its manifest are those that cosign signed: test/sigstore/record.sh. The registry has no signature of it.
const fixtures = join(import.meta.dirname, '../sigstore/fixtures');
const key = join(fixtures, 'cosign.pub');

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-stack-trust-'));
  const registry = await fakeRegistry();
  registry.put(readFileSync(join(fixtures, 'chart.tgz')));
  registry.content.set('charts/web:0.1.0', readFileSync(join(fixtures, 'manifest.json')));
  writeFileSync(
    join(folder, 'helmfile.yaml'),
    `releases:\n- name: web\n  chart: oci://${registry.host}/charts/web\n  version: 0.1.0\n  plainHttp: true\n`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const template = (options: StackOptions) =>
  new Tshelm({ environment: { HOME: folder } }).stack({ folder, ...options }).template();

test('what charts must prove is said for a stack as for a release', async () => {
  expect(await template({})).toHaveLength(1);
  expect(await template({ verify: false })).toHaveLength(1);
  await expect(template({ verify: 'sigstore', key, insecureIgnoreTlog: true })).rejects.toMatchObject({
    code: 'signature-missing',
  });
  await expect(template({ verify: 'sigstore' })).rejects.toMatchObject({ code: 'signer-unnamed' });
  copyFileSync(key, join(folder, 'cosign.pub'));
  writeFileSync(join(folder, 'trust.yaml'), 'rules: []\n');
  await expect(template({ trustPolicy: join(folder, 'trust.yaml') })).rejects.toMatchObject({ code: 'trust-refused' });
});

test('the dependencies of a chart in a folder are fetched too', async () => {
  const state = readFileSync(join(folder, 'helmfile.yaml'), 'utf8');
  const [, host = ''] = /oci:\/\/([^/]+)/.exec(state) ?? [];
  mkdirSync(join(folder, 'app'));
  const dependency = `{name: web, version: 0.1.0, repository: "oci://${host}/charts"}`;
  writeFileSync(
    join(folder, 'app/Chart.yaml'),
    `apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [${dependency}]\n`,
  );
  writeFileSync(
    join(folder, 'helmfile.yaml'),
    'helmDefaults: {plainHttp: true}\nreleases: [{name: app, chart: ./app}]\n',
  );
  const unsigned = { message: expect.stringContaining('has no sigstore signature') };
  await expect(template({ verify: 'sigstore', key, insecureIgnoreTlog: true })).rejects.toMatchObject(unsigned);
  await expect(template({ key })).rejects.toMatchObject({ code: 'signature-unasked' });
  expect(await template({})).toHaveLength(1);
});

test('an option of the wrong type is refused', () =>
  expect(() => template({ verify: 'cosign' as 'sigstore' })).toThrow(/verify/));

test('who names a signer asks for its signature', async () => {
  mkdirSync(join(folder, 'web'));
  writeFileSync(join(folder, 'web/Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
  const tshelm = new Tshelm({ environment: { HOME: folder } });
  const chart = join(folder, 'web');
  const bad = { code: 'bad-options' };
  await expect(tshelm.template(chart, { key })).rejects.toMatchObject(bad);
  await expect(tshelm.render(chart, { certificateIdentity: 'me', verify: true })).rejects.toMatchObject(bad);
  await expect(tshelm.load(chart, { certificateOidcIssuer: 'https://a' })).rejects.toMatchObject(bad);
  await expect(tshelm.pull('oci://a/b', { destination: folder, key })).rejects.toMatchObject(bad);
  await expect(tshelm.dependencies.build(chart, { key })).rejects.toMatchObject(bad);
  expect(() => tshelm.stack({ folder, key, verify: true })).toThrow(expect.objectContaining(bad));
  await tshelm.template(chart, { key, verify: false });
  await tshelm.stack({ folder, key }).list();
  await expect(template({ key })).rejects.toMatchObject({ code: 'signature-unasked', details: { release: 'web' } });
});

test('a trust policy is read for charts on this machine too', async () => {
  mkdirSync(join(folder, 'web'));
  writeFileSync(join(folder, 'web/Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
  const tshelm = new Tshelm({ environment: { HOME: folder } });
  const chart = join(folder, 'web');
  const trustPolicy = join(folder, 'missing.yaml');
  const invalid = { code: 'trust-policy-invalid', message: expect.stringContaining(trustPolicy) };
  await expect(tshelm.template(chart, { trustPolicy })).rejects.toMatchObject(invalid);
  await expect(tshelm.dependencies.build(chart, { trustPolicy })).rejects.toMatchObject(invalid);
});
