import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { generateKey } from 'openpgp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

let home = '';
const run = (...words: string[]) => tshelm(words, { env: { HOME: home, PATH: process.env['PATH'] ?? '' } });
const at = (path: string): string => join(home, path);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'tshelm-signed-'));
  mkdirSync(at('hi'));
  writeFileSync(
    at('hi/plugin.yaml'),
    'apiVersion: v1\nname: hi\ntype: cli/v1\nruntime: subprocess\nversion: 1.2.3\nsourceURL: https://example.com/x\n' +
      'config: {usage: hi there, shortHelp: short, ignoreFlags: true}\n' +
      'runtimeConfig:\n  platformCommand: [{os: linux, command: $HELM_PLUGIN_DIR/run.sh, args: [a]}]\n' +
      '  platformHooks: {install: [{command: "true", args: [x]}]}\n',
  );
  writeFileSync(at('hi/run.sh'), '#!/bin/sh\necho ran\n', { mode: 0o755 });
  const keys = await generateKey({ userIDs: [{ name: 'Jo', email: 'jo@example.com' }], format: 'binary' });
  writeFileSync(at('secret.gpg'), keys.privateKey);
  writeFileSync(at('public.gpg'), keys.publicKey);
  const others = await generateKey({ userIDs: [{ name: 'Else' }], format: 'binary' });
  writeFileSync(at('other.gpg'), others.publicKey);
});
afterAll(() => rmSync(home, { recursive: true }));

test('package, verify, install and uninstall a signed plugin', async () => {
  const archive = at('out/hi-1.2.3.tgz');
  const packaged = await run(
    'plugin',
    'package',
    at('hi'),
    '-d',
    at('out'),
    '--key',
    'Jo',
    '--keyring',
    at('secret.gpg'),
  );
  expect(packaged.stdout).toBe(
    `Successfully signed. Signature written to: ${archive}.prov\nSuccessfully packaged plugin and saved it to: ${archive}\n`,
  );
  // As Helm v4.3.1 describes this plugin.
  expect(readFileSync(`${archive}.prov`, 'utf8')).toContain(`
APIVersion: v1
Config:
  IgnoreFlags: true
  LongHelp: ""
  ShortHelp: short
  Usage: hi there
Name: hi
Runtime: subprocess
RuntimeConfig:
  PlatformCommand:
  - Architecture: ""
    Args:
    - a
    Command: $HELM_PLUGIN_DIR/run.sh
    OperatingSystem: linux
  PlatformHooks:
    install:
    - Architecture: ""
      Args:
      - x
      Command: "true"
      OperatingSystem: ""
  ProtocolCommands: null
SourceURL: https://example.com/x
Type: cli/v1
Version: 1.2.3

...
files:
  hi-1.2.3.tgz: sha256:`);
  const verified = await run('plugin', 'verify', archive, '--keyring', at('public.gpg'));
  expect(verified.stdout).toMatch(
    /^Signed by: Jo <jo@example.com>\nUsing Key With Fingerprint: [0-9A-F]{40}\nPlugin Hash Verified: sha256:[0-9a-f]{64}\n$/,
  );
  const stranger = await run('plugin', 'install', archive, '--keyring', at('other.gpg'));
  expect(stranger.stderr).toBe('Error: plugin verification failed: openpgp: signature made by unknown entity\n');
  expect(existsSync(at('.local/share/helm/plugins/hi'))).toBe(false);
  const installed = await run('plugin', 'install', archive, '--keyring', at('public.gpg'));
  expect(installed.stdout).toBe(`Verifying plugin signature...\n${verified.stdout}Installed plugin: hi\n`);
  expect((await run('plugin', 'list')).stdout).toContain('hi  \t1.2.3  \tcli/v1\tv1        \tsigned');
  expect((await run('hi')).code).toBe(0);
  expect((await run('plugin', 'uninstall', 'hi')).code).toBe(0);
});

// In Helm's words.
test.each([
  [['package', 'nothere'], 'stat nothere: no such file or directory'],
  [['package', 'FILE'], 'plugin package only supports directories, not tarballs'],
  [['package', 'DIR', '--keyring', '/nope'], 'error reading from keyring: open /nope: no such file or directory'],
  [['package', 'DIR', '--keyring', 'SECRET'], 'private key not found'],
  [['package', 'DIR', '--key', 'nobody', '--keyring', 'SECRET'], 'private key not found'],
  [['package', 'DIR', '--key', 'Jo', '--keyring', 'PUBLIC'], 'provided key is not a private key.'],
  [['verify', '/nope'], 'stat /nope: no such file or directory'],
  [['verify', 'DIR'], 'directory verification not supported - only plugin tarballs can be verified'],
  [['verify', 'FILE'], 'plugin file must be a gzipped tarball (.tar.gz or .tgz)'],
])('plugin %j', async (words, message) => {
  const paths: Record<string, string> = {
    DIR: at('hi'),
    FILE: at('hi/plugin.yaml'),
    SECRET: at('secret.gpg'),
    PUBLIC: at('public.gpg'),
  };
  const { code, stderr } = await run('plugin', ...words.map((word) => paths[word] ?? word));
  expect([code, stderr.slice(0, message.length + 7)]).toEqual([1, `Error: ${message}`]);
});

test('a plugin without a signature', async () => {
  const packaged = await run('plugin', 'package', at('hi'), '-d', at('plain'), '--sign=false');
  expect(packaged.stdout).toContain('WARNING: Skipping plugin signing.');
  const archive = at('plain/hi-1.2.3.tgz');
  const verified = await run('plugin', 'verify', archive);
  expect(verified.stderr).toContain(`Error: could not find provenance file ${archive}.prov`);
  const installed = await run('plugin', 'install', archive);
  expect(installed.stderr).toBe('Error: plugin verification failed: no provenance file (.prov) found\n');
});

describe('an archive on the web', () => {
  const server = createServer(({ url = '' }, response) => {
    const file = at(join('web', url));
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  let base = '';
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await run('plugin', 'package', at('hi'), '-d', at('web'), '--key', 'Jo', '--keyring', at('secret.gpg'));
    await run('plugin', 'package', at('hi'), '-d', at('web/bare'), '--sign=false');
  });
  afterAll(() => server.close());
  const remove = () => run('plugin', 'uninstall', 'hi');

  test('with its signature', async () => {
    const { code, stdout } = await run('plugin', 'install', `${base}/hi-1.2.3.tgz`, '--keyring', at('public.gpg'));
    expect([code, stdout.includes('Plugin Hash Verified: sha256:')]).toEqual([0, true]);
    expect((await run('plugin', 'list')).stdout).toContain('signed');
    await remove();
  });

  test('without one', async () => {
    const source = `${base}/bare/hi-1.2.3.tgz`;
    expect((await run('plugin', 'install', source)).stderr).toBe(
      'Error: plugin verification failed: no provenance file (.prov) found\n',
    );
    const { code, stdout } = await run('plugin', 'install', source, '--verify=false');
    expect([code, stdout]).toEqual([0, 'WARNING: Skipping plugin signature verification\nInstalled plugin: hi\n']);
    await remove();
  });

  test('that is not there', async () => {
    const source = `${base}/none-1.0.0.tgz`;
    expect((await run('plugin', 'install', source)).stderr).toBe(
      `Error: failed to get verification data: failed to download plugin: failed to fetch ${source} : 404 Not Found\n`,
    );
  });
});

// Links, devices and pipes are no files of a plugin.
test.each([
  ['symlink', '/etc'],
  ['link', '/etc/passwd'],
  ['fifo', ''],
] as const)('an archive with a %s', async (type, linkname) => {
  const yaml = Buffer.from('name: odd\nversion: 1.0.0\n');
  const packed = await packTar([
    { header: { name: 'odd/plugin.yaml', size: yaml.length, type: 'file' }, body: yaml },
    { header: { name: 'odd/other', size: 0, type, linkname } },
  ]);
  writeFileSync(at('odd-1.0.0.tgz'), gzipSync(packed));
  const { stderr } = await run('plugin', 'install', at('odd-1.0.0.tgz'), '--verify=false');
  expect(stderr).toBe(`Error: failed to extract archive: unknown type: ${type} in odd/other\n`);
  expect(existsSync(at('.local/share/helm/plugins/odd'))).toBe(false);
});

test.each([
  ['hello', 'gzip: invalid header'],
  [gzipSync('hello').subarray(0, 12), 'gzip: '],
])('an archive that is none', async (data, message) => {
  writeFileSync(at('bad-1.0.0.tgz'), data);
  const { code, stderr } = await run('plugin', 'install', at('bad-1.0.0.tgz'), '--verify=false');
  expect(code).toBe(1);
  expect(stderr).toContain(`Error: failed to extract plugin metadata from tarball: ${message}`);
});
