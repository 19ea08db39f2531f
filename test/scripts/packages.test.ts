import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { debianPackage, installers } from '../../scripts/release/packages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const targets = ['linux-amd64', 'linux-arm64', 'linux-amd64-musl', 'linux-arm64-musl', 'darwin-amd64', 'darwin-arm64'];
const names = [...targets, 'windows-amd64', 'npm'];
const release = (checksum: string) => ({
  version: '1.2.3',
  home: 'https://example.com/acme/tshelm',
  checksums: Object.fromEntries(names.map((name) => [name, checksum])),
});
const text = (name: string, checksum = 'a'.repeat(64)): string =>
  installers(release(checksum)).find((one) => one.name === name)?.text ?? '';

describe('what other installers take', () => {
  test.each(['install.sh', 'tshelm.json', 'tshelm.nix', 'tshelm.rb'])('%s has the release and no gap', (name) => {
    expect(text(name)).toContain('1.2.3');
    expect(text(name)).toContain('a'.repeat(64));
    expect(text(name)).not.toMatch(/@[A-Z]/);
  });

  test('the address is that of the release', () => {
    expect(JSON.parse(text('tshelm.json'))).toMatchObject({
      architecture: {
        '64bit': {
          url: 'https://example.com/acme/tshelm/releases/download/v1.2.3/tshelm-v1.2.3-windows-amd64.zip',
          hash: 'a'.repeat(64),
        },
      },
    });
  });

  test('an archive that was not made is named', () => {
    const { checksums, ...others } = release('a');
    const { 'darwin-arm64': _without, ...rest } = checksums;
    expect(() => installers({ ...others, checksums: rest })).toThrow('needs SHA256 darwin-arm64, which was not made');
  });
});

describe.skipIf(!has('curl') || process.platform !== 'linux')('the install script (needs curl and Linux)', () => {
  const { archive, checksum } = fakeArchive();

  /** Runs the script beside a server that has the archive for every target. */
  async function installed(script: string, to: string, served: Buffer = archive) {
    const server = await serving(served);
    const { port } = server.address() as AddressInfo;
    const env = { PATH: process.env['PATH'], TSHELM_DOWNLOADS: `http://127.0.0.1:${port}`, TSHELM_INSTALL_DIR: to };
    const file = join(folder, 'install.sh');
    writeFileSync(file, script);
    try {
      return { code: 0, ...(await promisify(execFile)('sh', [file], { env })) };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    } finally {
      server.close();
    }
  }

  test('puts the program where it is told, over an older one, and says what is missing on the PATH', async () => {
    const to = join(folder, 'with space');
    for (const before of [undefined, 'older']) {
      if (before !== undefined) writeFileSync(join(to, 'tshelm'), before);
      const { code, stdout } = await installed(text('install.sh', checksum), to);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `tshelm 1.2.3 is installed: ${to}/tshelm\n${to} is not on the PATH: export PATH="${to}:$PATH"\n`,
      });
      expect(execFileSync(join(to, 'tshelm'), { encoding: 'utf8' })).toBe('made up\n');
    }
  });

  test('installs nothing whose checksum differs', async () => {
    const to = join(folder, 'refused');
    const { code, stderr } = await installed(text('install.sh', checksum), to, Buffer.concat([archive, archive]));
    expect([code, existsSync(to)]).toEqual([1, false]);
    expect(stderr).toContain(`, not ${checksum}`);
  });

  test('names an address that has nothing', async () => {
    const to = join(folder, 'nothing');
    const { code, stderr } = await installed(text('install.sh', checksum), to, Buffer.alloc(0));
    expect([code, existsSync(to)]).toEqual([1, false]);
    expect(stderr).toMatch(/tshelm-v1\.2\.3-linux-\S+\.tar\.gz cannot be downloaded/);
  });

  test('a script that was cut off does nothing', async () => {
    const to = join(folder, 'cut');
    const whole = text('install.sh', checksum);
    for (const part of [0.5, 0.9]) await installed(whole.slice(0, whole.length * part), to);
    expect(existsSync(to)).toBe(false);
  });
});

function fakeArchive(): { readonly archive: Buffer; readonly checksum: string } {
  const source = join(folder, 'source');
  for (const name of ['linux-amd64', 'linux-arm64']) {
    mkdirSync(join(source, name), { recursive: true });
    writeFileSync(join(source, name, 'tshelm'), '#!/bin/sh\necho made up\n');
    chmodSync(join(source, name, 'tshelm'), 0o755);
  }
  execFileSync('tar', ['-czf', join(folder, 'source.tar.gz'), '-C', source, '.']);
  const archive = readFileSync(join(folder, 'source.tar.gz'));
  return { archive, checksum: createHash('sha256').update(archive).digest('hex') };
}

function serving(content: Buffer): Promise<Server> {
  const server = createServer((request, response) => {
    const isThere = content.length > 0 && request.url?.startsWith('/tshelm-v1.2.3-linux-') === true;
    response.writeHead(isThere ? 200 : 404).end(isThere ? content : undefined);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe.skipIf(!has('dpkg-deb'))('a package for Debian (needs dpkg-deb)', () => {
  const file = (path: string, content: string, mode = 0o644) => ({ path, content: Buffer.from(content), mode });
  const made = (version: string) =>
    debianPackage({
      version,
      processor: 'amd64',
      maintainer: 'A B <a@example.com>',
      madeAt: new Date(1_700_000_000_000),
      files: [
        file('README.md', 'not in it'),
        file('THIRD-PARTY-NOTICES', 'notices\n'),
        file('man/man1/tshelm.1.gz', 'page'),
        file('completions/tshelm.bash', 'complete'),
        file('completions/_tshelm', 'complete'),
        file('completions/tshelm.ps1', 'not in it'),
        file('tshelm', '#!/bin/sh\necho made up\n', 0o755),
      ],
    });

  test('is one that dpkg reads, with everything in its place', async () => {
    const [archive, unpacked] = [join(folder, 'made.deb'), join(folder, 'unpacked')];
    writeFileSync(archive, await made('1.2.3-rc.1'));
    const field = (name: string): string =>
      execFileSync('dpkg-deb', ['--field', archive, name], { encoding: 'utf8' }).trim();
    expect(field('Version')).toBe('1.2.3~rc.1');
    expect(field('Architecture')).toBe('amd64');
    execFileSync('dpkg-deb', ['--extract', archive, unpacked]);
    const files = execFileSync('find', ['.', '-type', 'f'], { cwd: unpacked, encoding: 'utf8' }).trim().split('\n');
    expect(files.sort()).toEqual([
      './usr/bin/tshelm',
      './usr/share/bash-completion/completions/tshelm',
      './usr/share/doc/tshelm/changelog.gz',
      './usr/share/doc/tshelm/copyright',
      './usr/share/lintian/overrides/tshelm',
      './usr/share/man/man1/tshelm.1.gz',
      './usr/share/zsh/vendor-completions/_tshelm',
    ]);
    expect(execFileSync(join(unpacked, 'usr/bin/tshelm'), { encoding: 'utf8' })).toBe('made up\n');
    expect(readFileSync(join(unpacked, 'usr/share/doc/tshelm/copyright'), 'utf8')).toMatch(
      /^Copyright 2023 [^]*notices/,
    );
  });

  test('of the same files has the same bytes', async () => {
    expect(Buffer.from(await made('1.2.3')).equals(Buffer.from(await made('1.2.3')))).toBe(true);
  });
});
