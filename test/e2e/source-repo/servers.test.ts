import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outcome, openSide, type Side, withoutKept } from './sides.ts';

/**
 * The flags that say how servers are reached, beside Helm: TLS is a repository with certificates of its own authority. Below
 * `/closed` it asks for a password, below `/mutual` for a certificate; the charts of `/elsewhere` lie on OTHER, which asks
 * for the same password.
 */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-servers-'));
const given = join(folder, 'given');
const served = join(folder, 'served');
const servers: Server[] = [];
const urls = { TLS: '', OTHER: '' };
let sides: readonly Side[] = [];

beforeAll(async () => {
  mkdirSync(join(folder, 'gnupg'), { mode: 0o700 });
  const helm = join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm');
  const env = { ...process.env, GNUPGHOME: join(folder, 'gnupg'), SOURCE_DATE_EPOCH: '1700000000' };
  const script = `
    gpg --batch --passphrase '' --quick-gen-key 'Jo Doe <jo@example.com>' rsa2048 sign never
    mkdir given served && gpg --export > given/public.gpg && gpg --batch --export-secret-keys > secret.gpg
    '${helm}' create red
    for version in 0.1.0 0.2.0 1.0.0-rc.1; do '${helm}' package red --version $version -d served --sign --key Jo --keyring secret.gpg; done
    '${helm}' repo index served
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\n' > ext
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out given/ca.pem -subj /CN=authority
    for one in server client; do
      openssl req -newkey rsa:2048 -nodes -keyout $one.key -out $one.csr -subj /CN=$one
      openssl x509 -req -days 2 -in $one.csr -CA given/ca.pem -CAkey ca.key -CAcreateserial -out $one.pem -extfile ext
    done
    cp client.pem client.key given; echo none > given/bad.pem; cp server.key given/other.key`;
  execFileSync('bash', ['-ec', script], { cwd: folder, env, stdio: 'pipe' });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const tls = { ca: read('given/ca.pem'), cert: read('server.pem'), key: read('server.key') };
  urls.TLS = `https://localhost:${await listening(createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, answer))}`;
  urls.OTHER = `http://127.0.0.1:${await listening(createPlainServer(answer))}`;
  writeDependants();
  sides = [openSide('helm', folder, given), openSide('tshelm', folder, given)];
}, 120_000);

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

function listening(server: Server): Promise<number> {
  servers.push(server);
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)));
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const [, place = '', name = ''] = /^\/(\w+)\/(.*)$/.exec(request.url ?? '') ?? [];
  const isMe = request.headers.authorization === `Basic ${Buffer.from('me:secret').toString('base64')}`;
  if (place === 'closed' && !isMe) return void response.writeHead(401).end();
  if (place === 'mutual' && !(request.socket as TLSSocket).authorized) return void response.writeHead(403).end();
  try {
    const text = readFileSync(join(served, name));
    const elsewhere = `- ${urls.OTHER}/closed/red`;
    response.end(place === 'elsewhere' ? text.toString().replaceAll('- red-', `${elsewhere}-`) : text);
  } catch {
    response.writeHead(404).end();
  }
}

function writeDependants(): void {
  for (const place of ['open', 'closed', 'mutual']) {
    mkdirSync(join(given, `of-${place}`));
    writeFileSync(
      join(given, `of-${place}`, 'Chart.yaml'),
      `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n- {name: red, version: 0.x, repository: "${urls.TLS}/${place}"}\n`,
    );
  }
}

const authority = '--ca-file ca.pem';
const certificate = '--cert-file client.pem --key-file client.key';
const password = '--username me --password secret';
const signed = '--verify --keyring public.gpg';

const elsewhere = `red --repo TLS/elsewhere ${authority} ${password}`;

/** Ways to the chart `red`, which every command that names a chart takes. */
const ways = [
  'red --repo TLS/open',
  `red --repo TLS/open ${authority}`,
  'red --repo TLS/open --insecure-skip-tls-verify --version ^0.1',
  `red --repo TLS/open ${authority} --devel`,
  `red --repo TLS/open ${authority} --version 9`,
  `red --repo OTHER/open ${signed} --version 0.1.0`,
  `red --repo TLS/mutual ${authority}`,
  `red --repo TLS/mutual ${authority} ${certificate}`,
  `red --repo TLS/open ${authority} --cert-file none.pem --key-file client.key`,
  `red --repo TLS/open ${authority} --cert-file client.pem --key-file other.key`,
  `red --repo TLS/open ${authority} --cert-file client.pem`,
  'red --repo TLS/open --ca-file none.pem',
  'red --repo TLS/open --ca-file bad.pem',
  `red --repo TLS/closed ${authority}`,
  `red --repo TLS/closed ${authority} ${password}`,
  `red --repo TLS/closed ${authority} --username me --password wrong`,
  elsewhere,
  `red --repo TLS/elsewhere ${authority} ${password} --pass-credentials`,
  `TLS/closed/red-0.1.0.tgz ${authority} ${password}`,
  `TLS/closed/red-0.1.0.tgz ${authority}`,
  `OTHER/open/red-0.1.0.tgz ${signed}`,
  `TLS/open/red-9.tgz ${authority}`,
  'OTHER/open/red-0.1.0.tgz --plain-http',
];
const commands = ['pull', 'show all', 'show chart', 'show crds', 'show readme', 'show values', 'template r'];

const lines: readonly string[] = [
  // To OTHER, which TLS names, Helm's pull sends the password that is meant for TLS; tshelm does not.
  ...commands
    .flatMap((command) => ways.map((way) => `${command} ${way}`))
    .filter((line) => line !== `pull ${elsewhere}`),
  `install r red --repo TLS/closed ${authority} ${password} --dry-run=client`,
  `pull red --repo TLS/open ${authority} --prov --untar --untardir out`,
  `show values red --repo TLS/open ${authority} --jsonpath {.image.tag}`,
  `repo add plain TLS/open`,
  `repo add ours TLS/mutual ${authority} ${certificate}`,
  `repo add wrong TLS/mutual ${authority} --cert-file client.pem --key-file other.key`,
  `repo add none TLS/mutual ${authority} --cert-file none.pem --key-file none.key`,
  `repo add closed TLS/closed ${authority} ${password}`,
  `repo add far TLS/elsewhere ${authority} ${password} --pass-credentials`,
  `repo add near TLS/elsewhere ${authority} ${password}`,
  'repo update --timeout 30s',
  'repo update ours far --timeout 1m',
  'repo update --timeout x',
  'pull ours/red',
  'pull closed/red --version ~0.1.0',
  'pull far/red',
  'pull near/red',
  `pull near/red ${password} --pass-credentials`,
  'show chart closed/red',
  'template r closed/red --version 0.1.0',
  'template r ./of-open --ca-file none.pem',
  'show chart ./of-open --cert-file none.pem --key-file none.key',
  'package of-open --ca-file none.pem',
  'pull TLS/closed/red-0.1.0.tgz',
  `dependency update of-open`,
  `dependency update of-mutual ${authority} ${certificate}`,
  `dependency build of-mutual ${authority} ${certificate}`,
  `dependency update of-closed ${password} --insecure-skip-tls-verify --plain-http`,
  `dependency build of-closed ${password} --insecure-skip-tls-verify --plain-http`,
  `dependency update of-closed ${signed}`,
  `dependency build of-closed ${signed}`,
  'dependency update of-closed --verify --keyring none.gpg',
  'dependency build of-closed --verify --keyring none.gpg',
  `dependency build of-closed --ca-file none.pem`,
  `dependency update of-closed --cert-file none.pem --key-file none.key`,
  `package of-closed -u ${authority} ${certificate} -d out`,
  `package of-closed --dependency-update ${password} --insecure-skip-tls-verify --plain-http -d out`,
  `package of-closed -u --ca-file none.pem -d out`,
];

test.each(lines)(
  '%s',
  async (line) => {
    const words = line.replace(/\b(?:TLS|OTHER)\b/g, (name) => urls[name as keyof typeof urls]).split(' ');
    const [helm, tshelm] = await Promise.all(sides.map((side) => side.run(words)));
    expect(shown(tshelm)).toEqual(shown(helm));
    // What one line has fetched is no help to the next: a password is asked for again.
    for (const { folder: work } of sides)
      for (const path of ['out', '../cache/content']) rmSync(join(work, path), { recursive: true, force: true });
  },
  30_000,
);

test('leave the same files', async () => {
  const [helm = {}, tshelm = {}] = await Promise.all(sides.map((side) => side.files()));
  expect(withoutKept(tshelm)).toEqual(withoutKept(helm));
});

/**
 * Downloads run side by side; Helm tells that a signature is no archive, in a folder that comes and goes. What to write
 * instead of a value that is none stands behind Helm's line.
 */
const shown = (outcome: Outcome | undefined) =>
  outcome && {
    ...outcome,
    stderr: outcome.stderr.replace(/^Write --timeout=.*\n/m, ''),
    stdout: outcome.stdout
      .replace(/Could not verify .* for moving: .*? \(Skipping\)/, '')
      .replace(/^(LAST DEPLOYED: ).*/m, '$1TIME')
      .split('\n')
      .sort()
      .join('\n'),
  };
