import { createHash, generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identity, privateSigstore } from '../sigstore/private-sigstore.ts';
import { serve } from '../source/http/server.ts';
import { type Answer, type FakeRegistry, fakeRegistry } from '../source/oci/fake-registry.ts';
import { type Ran, tshelm } from './harness.ts';

// The chart, its manifest and its signatures are those that cosign made: test/sigstore/record.sh.
const fixtures = join(import.meta.dirname, '../sigstore/fixtures');
const fixture = (name: string): Buffer => readFileSync(join(fixtures, name));
const manifest = fixture('manifest.json');
const hex = createHash('sha256').update(manifest).digest('hex');
const key = `--key ${join(fixtures, 'cosign.pub')} --insecure-ignore-tlog`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-trust-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (line: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  tshelm(line.replaceAll('HERE', folder).split(' '), {
    env: { HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'config'), ...env },
  });

/** By the tag alone, as registries without the list of referrers answer. */
const listsNothing: Answer = ({ url = '' }, response) => {
  if (!url.includes('/referrers/')) return false;
  response.writeHead(404).end('{}');
  return true;
};
const lists: Answer = ({ url = '' }, response) => {
  if (!url.includes(`/referrers/sha256:${hex}?artifactType=`)) return false;
  response.writeHead(200, { 'content-type': 'application/vnd.oci.image.index.v1+json' }).end(fixture('referrers.json'));
  return true;
};

async function registryWith(how: 'list' | 'tag' | 'cosign 2' | 'nothing'): Promise<FakeRegistry> {
  const registry = await fakeRegistry({ first: how === 'list' ? lists : listsNothing });
  for (const name of ['chart.tgz', 'manifest.json', 'referrer.json', 'manifest.key.json', 'legacy-payload.json'])
    registry.put(fixture(name));
  registry.content.set('charts/web:0.1.0', manifest);
  if (how === 'tag') registry.content.set(`charts/web:sha256-${hex}`, fixture('referrers.json'));
  if (how === 'cosign 2') registry.content.set(`charts/web:sha256-${hex}.sig`, fixture('legacy-manifest.json'));
  return registry;
}

describe('--verify=sigstore of a registry', () => {
  test.each(['list', 'tag', 'cosign 2'] as const)('signatures by the %s', async (how) => {
    const { host } = await registryWith(how);
    const pull = `pull oci://${host}/charts/web:0.1.0 --plain-http -d HERE --verify=sigstore`;
    const pulled = await run(`${pull} ${key}`);
    expect(pulled).toMatchObject({ code: 0, stderr: '' });
    expect(pulled.stdout).toMatch(
      /Using Key With Fingerprint: [0-9a-f]{64}\nChart Hash Verified: sha256:[0-9a-f]{64}\n$/,
    );
    const offline = await run(`${pull} ${key} --offline`);
    expect(offline).toMatchObject({ code: 0, stdout: pulled.stdout.replace(/^Pulled.*\nDigest.*\n/, '') });
  });

  test('a chart that nobody has signed does not come here', async () => {
    const { host } = await registryWith('nothing');
    const { code, stderr } = await run(
      `pull oci://${host}/charts/web:0.1.0 --plain-http -d HERE --verify=sigstore ${key}`,
    );
    expect(code).toBe(1);
    expect(stderr).toBe(`Error: oci://${host}/charts/web:0.1.0 has no sigstore signature\n`);
    expect(existsSync(join(folder, 'web-0.1.0.tgz'))).toBe(false);
  });

  test('a signed manifest does not prove another archive', async () => {
    const registry = await registryWith('tag');
    const cache = '--content-cache HERE/content';
    await run(`pull oci://${registry.host}/charts/web:0.1.0 --plain-http -d HERE ${cache} --verify=sigstore ${key}`);
    const other = Buffer.from(`${manifest.toString()} `);
    registry.content.set('charts/web:0.1.0', other);
    registry.put(other);
    const { stderr } = await run(
      `pull oci://${registry.host}/charts/web:0.1.0 --plain-http -d HERE ${cache} --verify=sigstore ${key}`,
    );
    expect(stderr).toMatch(/has no sigstore signature/);
  });

  test('without a signer nothing is trusted', async () => {
    const { host } = await registryWith('tag');
    const { stderr } = await run(`template oci://${host}/charts/web:0.1.0 --plain-http --verify=sigstore`);
    expect(stderr).toMatch(/Error: sigstore signatures need a trusted signer/);
  });

  test.each([
    [
      'template ./web --key a.pub',
      '--key names a signer, but sigstore signatures are not checked: add --verify=sigstore',
    ],
    ['pull x/web --certificate-identity a', '--certificate-identity names a signer'],
    ['verify web.tgz --certificate-oidc-issuer-regexp a', '--certificate-oidc-issuer-regexp names a signer'],
    ['plugin install a --key a.pub', '--key names a signer'],
    ['template ./web --verify --key a.pub', '--key names a signer'],
    ['stack template --verify --key a.pub', '--key names a signer'],
    ['stack deps --key a.pub', '--key names a signer'],
    [
      'images ./web --key a.pub',
      '--key names a signer, but sigstore signatures are not checked: add --verify=sigstore or --verify-images',
    ],
  ])('a signer that nothing is checked for is refused: %s', async (line, message) =>
    expect(await run(line)).toMatchObject({ code: 1, stderr: expect.stringContaining(`Error: ${message}`) }),
  );

  test('the signer is in the record', async () => {
    const { host } = await registryWith('tag');
    const sandbox = `--sandbox-dir ${join(folder, 'sandbox')}`;
    const installed = await run(
      `install web oci://${host}/charts/web:0.1.0 --plain-http --verify=sigstore ${key} ${sandbox}`,
    );
    expect(installed.code).toBe(0);
    const { stdout } = await run(`get metadata web -o json ${sandbox}`);
    expect((JSON.parse(stdout) as { annotations: object }).annotations).toMatchObject({
      'tshelm.dev/chart-digest': `sha256:${hex}`,
      'tshelm.dev/signed-by': expect.stringMatching(/^key [0-9a-f]{64}$/),
    });
  });

  test('so is an identity, by the policy too', async () => {
    copyFileSync(join(fixtures, 'chart.tgz'), join(folder, 'chart.tgz'));
    copyFileSync(join(fixtures, 'chart.identity.json'), join(folder, 'chart.tgz.sigstore.json'));
    copyFileSync(join(fixtures, 'trusted-root.json'), join(folder, 'root.json'));
    const sandbox = `--sandbox-dir ${join(folder, 'sandbox')}`;
    const by = `--certificate-identity ${identity.uri} --certificate-oidc-issuer ${identity.issuer} --trusted-root HERE/root.json`;
    expect(await run(`install web HERE/chart.tgz --verify=sigstore ${by} ${sandbox}`)).toMatchObject({ code: 0 });
    const { stdout } = await run(`get metadata web -o json ${sandbox}`);
    const annotations = {
      'tshelm.dev/chart-digest': `sha256:${createHash('sha256').update(fixture('chart.tgz')).digest('hex')}`,
      'tshelm.dev/signed-by': identity.uri,
      'tshelm.dev/signer-issuer': identity.issuer,
      'tshelm.dev/signature-log-index': '1',
    };
    expect(JSON.parse(stdout)).toMatchObject({ annotations });

    const { url } = await serve(({ url: path = '' }, response) => void response.end(readFileSync(join(folder, path))));
    const signer = `certificateIdentity: '${identity.uri}', certificateOidcIssuer: '${identity.issuer}', trustedRoot: root.json`;
    writeFileSync(join(folder, 'trust.yaml'), `rules: [{source: '${url}', signedBy: [{${signer}}]}]\n`);
    const template = `template web ${url}/chart.tgz --trust-policy HERE/trust.yaml`;
    expect(await run(template)).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'root.json'), privateSigstore().trustedRoot);
    expect(await run(template)).toMatchObject({ code: 1, stderr: expect.stringContaining('the trust policy') });
  });

  test('the signer is in plans', async () => {
    const { host } = await registryWith('tag');
    const signature = { digest: `sha256:${hex}`, signer: expect.stringMatching(/^key [0-9a-f]{64}$/) };
    const sandbox = `--sandbox-dir ${join(folder, 'sandbox')}`;
    const plan = `plan install web oci://${host}/charts/web:0.1.0 --plain-http --verify=sigstore ${key} ${sandbox}`;
    const { code, stdout } = await run(`${plan} -o json --out HERE/web.plan`);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { changes: object }).changes).toMatchObject({ to: { signature } });
    const saved = JSON.parse(readFileSync(join(folder, 'web.plan'), 'utf8')) as { plan: { releases: object[] } };
    expect(saved.plan.releases[0]).toMatchObject({ inputs: { signature } });
    expect((await run('show-plan HERE/web.plan')).stdout).toMatch(/\(web-0\.1\.0, signed by key [0-9a-f]{64}\)/);
    expect(await run(`apply HERE/web.plan ${sandbox}`)).toMatchObject({ code: 0 });
    const next = await run(`plan uninstall web -o json ${sandbox}`);
    expect((JSON.parse(next.stdout) as { changes: object }).changes).toMatchObject({ from: { signature } });
  });

  test('what a chart claims about its signer is not recorded', async () => {
    writeFileSync(
      join(folder, 'Chart.yaml'),
      'apiVersion: v2\nname: web\nversion: 1.0.0\nannotations: {tshelm.dev/signed-by: acme, tshelm.dev/chart-digest: x, b: c}\n',
    );
    const sandbox = `--sandbox-dir ${join(folder, 'sandbox')}`;
    await run(`install web HERE ${sandbox}`);
    const { stdout } = await run(`get metadata web -o json ${sandbox}`);
    expect((JSON.parse(stdout) as { annotations: object }).annotations).toEqual({ b: 'c' });
  });
});

describe('a bundle beside an archive', () => {
  test('package signs it: with the key of cosign, and with a plain one, which has no password', async () => {
    mkdirSync(join(folder, 'web'));
    writeFileSync(join(folder, 'web/Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(join(folder, 'plain.key'), privateKey.export({ type: 'sec1', format: 'pem' }));
    writeFileSync(join(folder, 'plain.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    const sign = 'package HERE/web -d HERE --sign=sigstore --key';
    const verify = 'verify HERE/web-1.0.0.tgz --verify=sigstore --insecure-ignore-tlog --key';
    const password = (word: string) => ({ COSIGN_PASSWORD: word });
    expect(await run(`${sign} ${join(fixtures, 'cosign.key')}`, password('secret'))).toMatchObject({ code: 0 });
    expect(await run(`${verify} ${join(fixtures, 'cosign.pub')}`)).toMatchObject({ code: 0 });
    expect(await run(`${verify} HERE/plain.pub`)).toMatchObject({ code: 1 });
    expect(await run(`${sign} ${join(fixtures, 'cosign.key')}`, password('other'))).toMatchObject({ code: 1 });
    expect(await run(`${sign} HERE/plain.key`)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(`${verify} HERE/plain.pub`)).toMatchObject({ code: 0 });
  });

  test('on disk: verify and template', async () => {
    copyFileSync(join(fixtures, 'chart.tgz'), join(folder, 'chart.tgz'));
    const unsigned = await run(`verify HERE/chart.tgz --verify=sigstore ${key}`);
    expect(unsigned.stderr).toBe(`Error: ${folder}/chart.tgz has no sigstore signature\n`);
    copyFileSync(join(fixtures, 'chart.key.json'), join(folder, 'chart.tgz.sigstore.json'));
    expect(await run(`verify HERE/chart.tgz --verify=sigstore ${key}`)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(`template HERE/chart.tgz --verify=sigstore ${key}`)).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'chart.tgz'), Buffer.concat([fixture('chart.tgz'), Buffer.from([0])]));
    const changed = await run(`template HERE/chart.tgz --verify=sigstore ${key}`);
    expect(changed.stderr).toMatch(/is not valid: the bundle is about other content/);
  });

  test('in a repository, and of a dependency', async () => {
    const files = new Map<string, Buffer>([
      [
        '/index.yaml',
        Buffer.from('apiVersion: v1\nentries:\n  web:\n  - {name: web, version: 0.1.0, urls: [web-0.1.0.tgz]}\n'),
      ],
      ['/web-0.1.0.tgz', fixture('chart.tgz')],
    ]);
    const { url } = await serve((request, response) => {
      const body = files.get(request.url ?? '');
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    writeFileSync(
      join(folder, 'Chart.yaml'),
      `apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [{name: web, version: 0.1.0, repository: '${url}'}]\n`,
    );
    const pull = `pull web --repo ${url} -d HERE --verify=sigstore ${key}`;
    const update = `dependency update HERE --verify=sigstore ${key}`;
    expect((await run(pull)).stderr).toBe(`Error: ${url}/web-0.1.0.tgz has no sigstore signature\n`);
    expect((await run(update)).stderr).toMatch(/has no sigstore signature/);
    files.set('/web-0.1.0.tgz.sigstore.json', fixture('chart.key.json'));
    expect(await run(pull)).toMatchObject({ code: 0 });
    expect(await run(update)).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'charts/web-0.1.0.tgz'))).toBe(true);
  });
});

test.each([
  ['{}', 'the bundle has no mediaType'],
  ['[]', 'the bundle has no mediaType'],
  ['{"mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json"}', 'no valid messageSignature, verificationMaterial'],
  ['', 'the bundle is not JSON'],
])('a bundle that is none is named, with what it lacks: %s', async (text, mistake) => {
  copyFileSync(join(fixtures, 'chart.tgz'), join(folder, 'web.tgz'));
  writeFileSync(join(folder, 'web.tgz.sigstore.json'), text);
  const { code, stderr } = await run(`verify HERE/web.tgz --verify=sigstore ${key}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/web\.tgz\.sigstore\.json is not valid: /);
  expect(stderr).toContain(mistake);
});

describe('a trust policy', () => {
  const policy = (text: string): string => {
    writeFileSync(join(folder, 'trust.yaml'), text);
    return join(folder, 'trust.yaml');
  };
  const signedBy = (source: string): string =>
    `rules:\n- source: ${source}\n  signedBy:\n  - {key: ${join(fixtures, 'cosign.pub')}, insecureIgnoreTlog: true}\n`;
  const pull = (host: string): string => `pull oci://${host}/charts/web:0.1.0 --plain-http -d HERE`;

  test.each([
    ['the whole address', 'HOST/charts/web', 0],
    ['a part of the path', 'HOST/charts', 0],
    ['the host alone', 'HOST', 0],
    ['with a slash behind it', 'HOST/charts/', 0],
    ['in other letters', 'HOST//%63harts', 0],
    ['a part of a word', 'HOST/char', 1],
    ['another host', 'registry.example.com', 1],
  ])('%s', async (_name, source, code) => {
    const { host } = await registryWith('tag');
    const file = policy(signedBy(`oci://${source.replace('HOST', host)}`));
    const ran = await run(pull(host), { TSHELM_TRUST_POLICY: file });
    expect(ran.code).toBe(code);
    if (code === 1)
      expect(ran.stderr).toBe(
        `Error: the trust policy ${file} refuses oci://${host}/charts/web:0.1.0: no rule names it, and others are refused\n`,
      );
  });

  test('the unsigned are refused where it says so', async () => {
    const { host } = await registryWith('nothing');
    const file = policy(signedBy(`oci://${host}`));
    expect((await run(`${pull(host)} --trust-policy ${file}`)).stderr).toBe(
      `Error: the trust policy ${file}:2 refuses oci://${host}/charts/web:0.1.0: oci://${host}/charts/web:0.1.0 has no sigstore signature\n`,
    );
    policy(`${signedBy(`oci://${host}`)}- source: oci://${host}/charts\n  unsigned: allowed\n`);
    expect(await run(`${pull(host)} --trust-policy ${file}`)).toMatchObject({ code: 0 });
    policy('rules: []\nothers: allowed\n');
    expect(await run(`${pull(host)} --trust-policy ${file}`)).toMatchObject({ code: 0 });
  });

  test.each([
    ['template HERE/web', 'missing.yaml', /missing\.yaml: no such file or directory/],
    ['template HERE/web', 'web', /web: is a directory/],
    ['template HERE/web', 'trust.yaml', /trust\.yaml:1: unknown key "rule"; did you mean rules\?/],
    ['package HERE/web', 'missing.yaml', /missing\.yaml/],
    ['images HERE/web', 'missing.yaml', /missing\.yaml/],
    ['show chart HERE/web', 'missing.yaml', /missing\.yaml/],
    ['dependency build HERE/web', 'missing.yaml', /missing\.yaml/],
    ['plugin install HERE/web --verify=false', 'missing.yaml', /missing\.yaml/],
    ['stack template -f HERE/stack.yaml', 'missing.yaml', /missing\.yaml/],
  ])('%s reads it, also where nothing is fetched: %s', async (line, file, mistake) => {
    mkdirSync(join(folder, 'web'));
    writeFileSync(join(folder, 'web/Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    writeFileSync(join(folder, 'stack.yaml'), 'releases: [{name: web, chart: ./web}]\n');
    policy('rule: []\n');
    const failed = { code: 1, stdout: '', stderr: expect.stringMatching(mistake) };
    expect(await run(`${line} --trust-policy HERE/${file}`)).toMatchObject(failed);
    expect(await run(line, { TSHELM_TRUST_POLICY: join(folder, file) })).toMatchObject(failed);
  });

  test('the one that a state file names is read for a chart in a folder too', async () => {
    mkdirSync(join(folder, 'web'));
    writeFileSync(join(folder, 'web/Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    writeFileSync(join(folder, 'stack.yaml'), 'trustPolicy: missing.yaml\nreleases: [{name: web, chart: ./web}]\n');
    expect(await run('stack template -f HERE/stack.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(join(folder, 'missing.yaml')),
    });
  });

  test('plugins: of the web, and of a repository, which nobody can sign', async () => {
    const file = policy('rules: [{source: https://other.example, unsigned: allowed}]\n');
    const { url } = await serve((_request, response) => void response.end('an archive'));
    for (const source of [`${url}/thing-1.0.0.tgz`, 'https://127.0.0.1:1/thing'])
      expect((await run(`plugin install ${source} --verify=false --trust-policy ${file}`)).stderr).toContain(
        `the trust policy ${file} refuses ${source}: no rule names it, and others are refused`,
      );
  });

  test('every mistake is named with its line', async () => {
    const { host } = await registryWith('tag');
    const file = policy(
      'rules:\n- source: registry\n  signdBy: []\n- source: oci://a\n  signedBy: [{certificateIdentity: me}]\n  unsigned: true\nothers: no\n',
    );
    const { stderr } = await run(`${pull(host)} --trust-policy ${file}`);
    expect(
      stderr
        .replaceAll(file, 'trust.yaml')
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/^Error: /, '')),
    ).toEqual([
      'trust.yaml:7: others is `allowed` or `refused`',
      'trust.yaml:3: unknown key "signdBy"; did you mean signedBy?',
      'trust.yaml:2: source is the start of an address, such as oci://registry.example.com/charts',
      'trust.yaml:2: a rule has signedBy with who may sign, or `unsigned: allowed`',
      'trust.yaml:6: unsigned is `allowed`; leave it out where a signature is needed',
      'trust.yaml:6: a rule has signedBy or `unsigned: allowed`, not both',
      'trust.yaml:5: a signer has a key, a keyring, or certificateIdentity with certificateOidcIssuer',
    ]);
  });
});

const byAnybody = (trustedRoot: string): string =>
  `certificateIdentityRegexp: ".*", certificateOidcIssuer: https://a, trustedRoot: ${trustedRoot}`;

test.each([
  ['a key that is not there', 'key: none.pub', /trust\.yaml:3: the public key \S+none\.pub cannot be read: open /],
  ['a key that is none', 'key: trust.yaml', /trust\.yaml:3: the public key \S+ is not a public key in PEM/],
  [
    'a pattern that is none',
    'certificateIdentityRegexp: "[", certificateOidcIssuer: https://a',
    /trust\.yaml:3: the identity of the certificate is not a valid Go regular expression/,
  ],
  ['a key that is given twice', 'keyring: a, keyring: b', /trust\.yaml: .*already set in map/s],
  ['a keyring that is not there', 'keyring: none.gpg', /trust\.yaml:3: open \S+none\.gpg: no such file or directory/],
  [
    'a root that is not there',
    byAnybody('none.json'),
    /trust\.yaml:3: the trusted root \S+none\.json cannot be read: open /,
  ],
  [
    'a root that is no JSON',
    byAnybody('trust.yaml'),
    /trust\.yaml:3: the trusted root \S+trust\.yaml cannot be read: /,
  ],
  [
    'a root that is none',
    byAnybody('empty.json'),
    /trust\.yaml:3: the trusted root \S+empty\.json cannot be read: it has the /,
  ],
])('%s is noticed before anything is fetched', async (_rule, signer, mistake) => {
  const { host, requests } = await registryWith('tag');
  writeFileSync(join(folder, 'trust.yaml'), `rules:\n- source: oci://other.example\n  signedBy: [{${signer}}]\n`);
  writeFileSync(join(folder, 'empty.json'), '{}');
  const policy = '--trust-policy HERE/trust.yaml';
  const { code, stderr } = await run(`pull oci://${host}/charts/web:0.1.0 --plain-http -d HERE ${policy}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(mistake);
  expect(requests).toEqual([]);
});

test.each(['nonsense', '', 'Sigstore'])('--verify=%s says what is allowed', async (word) => {
  const { code, stderr } = await run(`template HERE --verify=${word}`);
  expect(code).toBe(1);
  expect(stderr).toContain(`invalid argument "${word}" for "--verify" flag: must be one of: true, false, sigstore`);
});

test('images --verify names the flag that checks the images', async () =>
  expect((await run('images --help')).stdout).toMatch(/--verify mode\[=true\].*\n?.*--verify-images/));

test('images: who has signed each', async () => {
  const registry = await registryWith('tag');
  const chart = join(folder, 'Chart.yaml');
  writeFileSync(chart, 'apiVersion: v2\nname: app\nversion: 1.0.0\n');
  mkdirSync(join(folder, 'templates'));
  const image = `${registry.host}/charts/web:0.1.0`;
  writeFileSync(
    join(folder, 'templates/pod.yaml'),
    `kind: Pod\nmetadata: {name: a}\nspec: {containers: [{image: '{{ .Values.image }}'}, {image: '{{ .Values.other }}'}]}\n`,
  );
  writeFileSync(join(folder, 'values.yaml'), `image: ${image}\nother: ${registry.host}/charts/other:1\n`);
  const { code, stdout, stderr } = await run(`images HERE -o json --plain-http --verify-images ${key}`);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual([
    { image: `${registry.host}/charts/other:1`, usedBy: ['Pod/a'] },
    { image, usedBy: ['Pod/a'], digest: `sha256:${hex}`, signedBy: expect.stringMatching(/^key /) },
  ]);
  expect(stderr).toMatch(/^warning: .*\/charts\/other:1: /);
  const pins = await run(`images HERE --plain-http --pin --verify-images ${key}`);
  expect(pins).toEqual({ code: 1, stdout: `image: ${image}@sha256:${hex}\n`, stderr });
});

describe('stacks', () => {
  const pub = join(fixtures, 'cosign.pub');
  /** Of the chart in the registry; the release begins at line 1, its chart is at line 3. */
  function state(host: string, ofRelease: string, ofFile = ''): void {
    copyFileSync(pub, join(folder, 'cosign.pub'));
    writeFileSync(
      join(folder, 'helmfile.yaml'),
      `releases:\n- name: web\n  chart: oci://${host}/charts/web\n  version: 0.1.0\n${ofRelease}${ofFile}`,
    );
  }
  const signer = '  signedBy: {key: cosign.pub, insecureIgnoreTlog: true}\n';
  const template = 'stack template -f HERE/helmfile.yaml --oci-plain-http';

  test.each([
    ['a release', `  verify: sigstore\n${signer}`, ''],
    ['the defaults', '', `helmDefaults:\n  verify: sigstore\n${signer}`],
    [
      'the release that overrides them',
      `  verify: sigstore\n${signer}`,
      'helmDefaults: {verify: true, signedBy: {key: none.pub}}\n',
    ],
    ['a policy', '', 'trustPolicy: trust.yaml\n'],
  ])('%s', async (_name, ofRelease, ofFile) => {
    const signed = await registryWith('tag');
    const unsigned = await registryWith('nothing');
    writeFileSync(
      join(folder, 'trust.yaml'),
      `rules:\n- source: oci://${signed.host}\n  signedBy: [{key: cosign.pub, insecureIgnoreTlog: true}]\n- source: oci://${unsigned.host}\n  signedBy: [{key: cosign.pub, insecureIgnoreTlog: true}]\n`,
    );
    state(signed.host, ofRelease, ofFile);
    expect(await run(template)).toMatchObject({ code: 0 });
    state(unsigned.host, ofRelease, ofFile);
    const { code, stderr } = await run(template);
    expect(code).toBe(1);
    expect(stderr).toContain('has no sigstore signature');
    expect(stderr).toContain(`(${join(folder, 'helmfile.yaml')}:3)`);
  });

  test.each([
    ['sigstore', signer.trim(), 'has no sigstore signature'],
    ['true', 'keyring: none.gpg', 'provenance'],
  ])('a repository with `verify: %s`', async (verify, more, message) => {
    const { host } = await registryWith('nothing');
    state(host, '', `repositories:\n- name: own\n  url: ${host}/charts\n  oci: true\n  verify: ${verify}\n  ${more}\n`);
    const file = join(folder, 'helmfile.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/chart: oci.*/, 'chart: own/web'));
    const { code, stderr } = await run(template);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test.each([
    ['a flag', ` ${key}`, ''],
    ['a flag, where another signature is checked', ` ${key}`, '  verify: true\n'],
    ['the file', '', signer],
  ])('a signer that nothing is checked for is refused: by %s', async (_name, flags, ofRelease) => {
    const { host, requests } = await registryWith('tag');
    state(host, ofRelease);
    for (const verb of ['template', 'fetch', 'lint']) {
      const { code, stderr } = await run(`${template.replace('template', verb)}${flags}`);
      expect(code).not.toBe(0);
      expect(stderr).toContain(`(${join(folder, 'helmfile.yaml')}:3)`);
    }
    expect(requests).toEqual([]);
    // Who says so takes it unverified; a chart on this machine is not fetched.
    state(host, `${ofRelease.replace(/.*verify.*\n/, '')}  verify: false\n`);
    expect(await run(`${template}${flags}`)).toMatchObject({ code: 0 });
    mkdirSync(join(folder, 'web'));
    writeFileSync(join(folder, 'web/Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    writeFileSync(join(folder, 'helmfile.yaml'), `releases:\n- name: web\n  chart: ./web\n${signer}`);
    expect(await run(`${template}${flags}`)).toMatchObject({ code: 0 });
  });

  test('flags come before the state files', async () => {
    const { host } = await registryWith('nothing');
    state(host, '');
    expect(await run(template)).toMatchObject({ code: 0 });
    expect((await run(`${template} --verify=sigstore ${key}`)).stderr).toContain('has no sigstore signature');
    writeFileSync(join(folder, 'none.yaml'), 'rules: []\n');
    expect((await run(`${template} --trust-policy HERE/none.yaml`)).stderr).toContain('no rule names it');
    writeFileSync(join(folder, 'all.yaml'), 'rules: []\nothers: allowed\n');
    state(host, '', 'trustPolicy: all.yaml\n');
    expect(await run(template)).toMatchObject({ code: 0 });
    expect((await run(template, { TSHELM_TRUST_POLICY: join(folder, 'none.yaml') })).code).toBe(1);
  });

  test('the policy of a file holds for the files that it names', async () => {
    const { host } = await registryWith('nothing');
    state(host, '', 'trustPolicy: all.yaml\n');
    writeFileSync(join(folder, 'all.yaml'), 'rules: []\nothers: allowed\n');
    writeFileSync(join(folder, 'none.yaml'), 'rules: []\n');
    writeFileSync(join(folder, 'outer.yaml'), 'helmfiles: [helmfile.yaml]\ntrustPolicy: none.yaml\n');
    expect((await run(template)).code).toBe(0);
    const { code, stderr } = await run('stack template -f HERE/outer.yaml --oci-plain-http');
    expect(code).toBe(1);
    expect(stderr).toContain(`(${join(folder, 'helmfile.yaml')}:3)`);
  });

  test('and for what deps fetches', async () => {
    const { host } = await registryWith('nothing');
    mkdirSync(join(folder, 'app'));
    const dependency = `dependencies: [{name: web, version: 0.1.0, repository: "oci://${host}/charts"}]\n`;
    writeFileSync(join(folder, 'app/Chart.yaml'), `apiVersion: v2\nname: app\nversion: 1.0.0\n${dependency}`);
    writeFileSync(join(folder, 'none.yaml'), 'rules: []\n');
    const deps = 'stack deps -f HERE/deps.yaml --oci-plain-http';
    writeFileSync(join(folder, 'deps.yaml'), 'releases: [{name: app, chart: ./app}]\n');
    const unsigned = { code: 1, stderr: expect.stringContaining('has no sigstore signature') };
    expect(await run(`${deps.replace('deps', 'template')} --verify=sigstore ${key}`)).toMatchObject(unsigned);
    expect(await run(`${deps} --verify=sigstore ${key}`)).toMatchObject(unsigned);
    const unasked = { code: 1, stderr: expect.stringContaining('a signer is named') };
    expect(await run(`${deps.replace('deps', 'template')} ${key}`)).toMatchObject(unasked);
    expect((await run(deps)).code).toBe(0);
    expect((await run(`${deps.replace('deps', 'template')} ${key}`)).code).toBe(0);
    writeFileSync(join(folder, 'deps.yaml'), 'trustPolicy: none.yaml\nreleases: [{name: app, chart: ./app}]\n');
    expect(await run(deps)).toMatchObject({ code: 1, stderr: expect.stringContaining('others are refused') });
  });

  test('a saved plan asks for the same signature again', async () => {
    const registry = await registryWith('tag');
    state(registry.host, '');
    const sandbox = `--sandbox-dir ${join(folder, 'sandbox')}`;
    const plan = `stack plan -f HERE/helmfile.yaml --oci-plain-http ${sandbox} --out HERE/stack.plan`;
    expect(await run(`${plan} --verify=sigstore ${key}`)).toMatchObject({ code: 0 });
    const saved = JSON.parse(readFileSync(join(folder, 'stack.plan'), 'utf8')) as { plan: { releases: object[] } };
    expect(saved.plan.releases[0]).toMatchObject({ inputs: { signature: { digest: `sha256:${hex}` } } });
    registry.content.delete(`charts/web:sha256-${hex}`);
    expect((await run(`apply HERE/stack.plan ${sandbox}`)).stderr).toContain('has no sigstore signature');
  });

  test('`verify` is true, false or sigstore', async () => {
    state('registry.example.com', '  verify: cosign\n');
    const { code, stderr } = await run(template);
    expect(code).toBe(1);
    expect(stderr).toContain('line 5: cannot unmarshal !!str `cosign` into bool');
  });
});
