import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadChart } from '../../src/chart/load.ts';
import { chartArchive } from '../../src/source/package/archive-writer.ts';
import { serve } from '../source/http/server.ts';
import { type FakeRegistry, fakeRegistry } from '../source/oci/fake-registry.ts';
import { type Ran, tshelm } from './harness.ts';

/**
 * Whole commands against servers that mean no good, or are ill. Whatever they answer, the error names the URL and the
 * reason, no message has a credential in it, and nothing is left in the folders of the user.
 */
let folder: string;
let archive: Buffer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-'));
  write('chart/Chart.yaml', 'apiVersion: v2\nname: red\nversion: 1.0.0\n');
  write('chart/templates/a.yaml', 'a: {{ .Values.a | quote }}\n');
  archive = Buffer.from(await chartArchive(await loadChart(join(folder, 'chart')), new Date(0)));
  write('red-1.0.0.tgz', archive);
  mkdirSync(join(folder, 'out'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Every file, but for the caches and the lock of repositories.yaml. */
const filesHere = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('cache/') && !path.endsWith('.lock'))
      .sort()
      .map((path) => [path, statSync(join(folder, path)).isFile() ? readFileSync(join(folder, path), 'latin1') : '']),
  );

/** The name and password of every line; HERE is the folder, URL the server, OCI the registry of a line. */
const password = 'hunter22';
const me = `--username me --password ${password}`;
const token = 'tok3n-of-the-server';
const secrets = [password, Buffer.from(`me:${password}`).toString('base64'), token];

async function run(line: string, places: Readonly<Record<string, string>>): Promise<Ran> {
  const words = line.split(' ').map((word) => word.replace(/HERE|URL|OCI|HOST/, (name) => places[name] ?? folder));
  const env = { HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'config') };
  return tshelm(words, { env });
}

function expectRefusal({ code, stdout, stderr }: Ran, reason: string, places: Readonly<Record<string, string>>): void {
  const expected = reason.replace(/URL|OCI|HOST/g, (name) => places[name] ?? name);
  expect(stderr.replace(/^level=WARN .*\n/, '')).toContain(expected);
  expect(code).toBe(1);
  for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
}

type Listener = (request: IncomingMessage, response: ServerResponse, count: number) => unknown;

/** What is sent as it stands, past Node's own care. */
const raw =
  (text: string): Listener =>
  (_request, response) =>
    response.socket?.end(text);
const index = (url: string, digest = ''): string =>
  `apiVersion: v1\nentries:\n  red:\n  - {name: red, version: 1.0.0, urls: ["${url}"], digest: "${digest}"}\n`;
const indexed =
  (url: string, digest = ''): Listener =>
  (request, response) =>
    response.end(request.url === '/index.yaml' ? index(url, digest) : archive);
const answered =
  (status: number, headers = {}, body: string | Buffer = ''): Listener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);
const said = (text: string): Listener => answered(200, {}, text);

const bomb =
  'apiVersion: v1\na0: &a0 [1, 1]\n' +
  Array.from({ length: 24 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('');

const pull = `pull URL/x.tgz -d HERE/out ${me}`;
const byRepo = `pull red --repo URL -d HERE/out ${me}`;
const add = `repo add web URL ${me}`;

describe('a server of charts', () => {
  test.each<[title: string, line: string, listener: Listener, reason: string]>([
    [
      'other bytes than the index says',
      byRepo,
      indexed('x.tgz', 'a'.repeat(64)),
      `URL/x.tgz: mismatched digest: the content is sha256:`,
    ],
    [
      'a digest that is none',
      byRepo,
      indexed('x.tgz', 'md5:1'),
      'digest: "md5:1" of URL/x.tgz is not a SHA-256 digest',
    ],
    [
      'an index that names a file',
      byRepo,
      indexed('file:///etc/passwd'),
      'scheme "file" not supported: the index of URL names file:///etc/passwd',
    ],
    ['an index that names no file', byRepo, indexed('a/..'), 'URL/ does not name an archive'],
    ['an index that names a path of Windows', byRepo, indexed('a%5C..%5Cx.tgz'), 'does not name an archive'],
    ['no HTTP', pull, raw('SSH-2.0 hello\r\n\r\n'), 'Get "URL/x.tgz": Parse Error'],
    ['an endless head', pull, raw(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`), 'Get "URL/x.tgz": Parse Error'],
    [
      'chunks that are none',
      pull,
      raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
      'Get "URL/x.tgz": ',
    ],
    ['more than its length', pull, raw('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcdef'), 'Get "URL/x.tgz": '],
    [
      'a length above all limits',
      pull,
      raw(`HTTP/1.1 200 OK\r\ncontent-length: ${1e12}\r\n\r\nabc`),
      'Get "URL/x.tgz": the body is larger than the limit of 268435456 bytes',
    ],
    [
      'a part that was not asked for',
      pull,
      answered(206, { 'content-range': 'bytes 5-6/9' }, 'ab'),
      'URL/x.tgz : 206 ',
    ],
    ['nothing', pull, answered(204), 'failed to fetch URL/x.tgz : 204 No Content'],
    ['a wait of a day', pull, answered(429, { 'retry-after': '86400' }), 'URL/x.tgz : 429 Too Many Requests'],
    ['a failure that stays', pull, answered(500, { 'retry-after': '0' }), 'URL/x.tgz : 500 Internal Server Error'],
    [
      'a redirect to itself',
      pull,
      answered(302, { location: '/x.tgz' }),
      'Get "URL/x.tgz": stopped after 10 redirects',
    ],
    ['a redirect to a file', pull, answered(302, { location: 'file:///etc/passwd' }), 'Get "file:///etc/passwd": '],
    [
      'a redirect to nowhere',
      pull,
      answered(302, { location: 'http://[' }),
      'Get "URL/x.tgz": failed to parse Location',
    ],
    [
      'the password in its reason',
      pull,
      (_request, response) => response.writeHead(403, `no ${password}`).end(),
      'failed to fetch URL/x.tgz : 403 no ***',
    ],
    [
      'the password in a redirect',
      pull,
      answered(302, { location: `ftp://me:${password}@host/${password}` }),
      'unsupported protocol scheme "ftp"',
    ],
    [
      'no archive, which is to be unpacked',
      `${pull} --untar`,
      said('x'),
      'gzip: invalid header, in the archive of URL/x.tgz',
    ],
    ['no archive, which is to be rendered', 'template URL/x.tgz', said('x'), '; it was fetched from URL/x.tgz'],
    ['an index that is a page', add, said('<html>'), '"URL" is not a valid chart repository or cannot be reached: '],
    ['an index that is empty', add, said(''), '"URL" is not a valid chart repository or cannot be reached: empty'],
    ['an index of aliases of aliases', add, said(bomb), 'yaml: document contains excessive aliasing'],
    [
      'an index whose packing breaks off',
      add,
      answered(200, { 'content-encoding': 'gzip' }, gzipSync(index('x')).subarray(0, 20)),
      'Get "URL/index.yaml": gzip: unexpected end of file',
    ],
    ['the password in the reason for no index', add, answered(403, {}, password), '403 Forbidden'],
    [
      'values that stay away',
      'template HERE/chart -f URL/v.yaml',
      answered(503, { 'retry-after': '0' }),
      'URL/v.yaml : 503',
    ],
  ])('that gives %s', async (_title, line, listener, reason) => {
    let count = 0;
    const { url } = await serve((request, response) => void listener(request, response, ++count));
    const before = filesHere();
    const places = { URL: url };
    expectRefusal(await run(line, places), reason, places);
    expect(withoutFolder(filesHere(), 'config')).toEqual(before);
  });

  test.each<[title: string, line: string, listener: Listener]>([
    [
      '503 and 429',
      'pull URL/red-1.0.0.tgz -d HERE/out',
      (_request, response, count) => ailing(response, count, archive),
    ],
    [
      '503 and 429',
      'template HERE/chart -f URL/v.yaml',
      (_request, response, count) => ailing(response, count, 'a: 1'),
    ],
    [
      '503 and 429',
      'template HERE/chart --set-file a=URL/v.yaml',
      (_request, response, count) => ailing(response, count, 'a'),
    ],
    ['503 and 429', 'repo add web URL', (_request, response, count) => ailing(response, count, index('x'))],
  ])('that is well again after %s: %s', async (_title, line, listener) => {
    let count = 0;
    const { url } = await serve((request, response) => void listener(request, response, ++count));
    expect(await run(line, { URL: url })).toMatchObject({ code: 0, stderr: '' });
    expect(count).toBe(3);
  });

  test('of whose index an archive is at another host, which gets no password', async () => {
    const other = await serve((_request, response) => void response.end(archive));
    const { url, requests } = await serve(
      (request, response) =>
        void indexed(`${other.url.replace('127.0.0.1', 'localhost')}/red-1.0.0.tgz`)(request, response, 0),
    );
    expect((await run(byRepo, { URL: url })).code).toBe(0);
    expect(requests[0]?.headers.authorization).toBeDefined();
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('that gives no archive leaves no folder behind which would refuse the next try', async () => {
    let isWell = false;
    const { url } = await serve((_request, response) => void response.end(isWell ? archive : 'x'));
    const line = 'pull URL/red-1.0.0.tgz --untar -d HERE/out';
    expect((await run(line, { URL: url })).code).toBe(1);
    isWell = true;
    expect(await run(line, { URL: url })).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['red', 'red-1.0.0.tgz']);
  });
});

/** Ill for two requests. */
function ailing(response: ServerResponse, count: number, body: string | Buffer): void {
  if (count > 2) response.end(body);
  else response.writeHead(count === 1 ? 503 : 429, { 'retry-after': '0' }).end('no');
}

const withoutFolder = (files: Readonly<Record<string, string>>, name: string) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => path !== name && path !== 'cache'));

/** Answers where it gives true. */
type First = (request: IncomingMessage, response: ServerResponse) => unknown;

const always =
  (status: number, headers = {}, body = ''): First =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);
const blobs =
  (answer: First): First =>
  (request, response) =>
    request.url?.includes('/blobs/') ? answer(request, response) : undefined;
const asking =
  (answer: First): First =>
  (request, response) => {
    if (request.url?.startsWith('/token')) return answer(request, response);
    const realm = `http://${request.headers.host}/token`;
    const error = { code: 'UNAUTHORIZED', message: request.headers.authorization ?? 'who?' };
    const headers = { 'www-authenticate': `Bearer realm="${realm}",service="fake"` };
    return response.writeHead(401, headers).end(JSON.stringify({ errors: [error] }));
  };
const pushing =
  (answer: First): First =>
  (request, response) =>
    request.method === 'HEAD' ? response.writeHead(404).end() : answer(request, response);

const changedLayer =
  (change: object) =>
  ({ content }: FakeRegistry): void => {
    const manifest = JSON.parse(String(content.get('charts/red:1.0.0')));
    Object.assign(manifest.layers[0], change);
    content.set('charts/red:1.0.0', Buffer.from(JSON.stringify(manifest)));
  };

const fetch = `pull OCI/charts/red:1.0.0 --plain-http -d HERE/out ${me}`;
const push = `push HERE/red-1.0.0.tgz OCI/charts --plain-http ${me}`;
const nothing: First = () => undefined;

describe('a registry', () => {
  test.each<[title: string, line: string, first: First, reason: string, change?: (registry: FakeRegistry) => void]>([
    [
      'that is never content',
      fetch,
      always(401, { 'www-authenticate': 'Basic' }, `{"errors":[{"code":"UNAUTHORIZED","message":"${password}?"}]}`),
      '/v2/charts/red/manifests/1.0.0": response status code 401: unauthorized: ***?',
    ],
    [
      'that takes no token and says it',
      fetch,
      asking((_request, response) => response.end(JSON.stringify({ token }))),
      'response status code 401: unauthorized: Bearer ***',
    ],
    [
      'whose tokens are pages',
      fetch,
      asking((_request, response) => response.end('<html>')),
      'failed to decode response',
    ],
    [
      'whose tokens do not end',
      fetch,
      asking((_request, response) => response.end('x'.repeat(200_000))),
      'the body is larger than the limit of 131072 bytes',
    ],
    [
      'that sends for tokens into the inner network',
      fetch,
      always(401, { 'www-authenticate': 'Bearer realm="http://10.0.0.1/token"' }),
      'bearer realm host "10.0.0.1" is a loopback, link-local, private',
    ],
    [
      'whose manifest is a page',
      fetch,
      always(200, {}, '<html>'),
      'HOST/charts/red:1.0.0: the manifest is not JSON: invalid',
    ],
    ['that is broken', fetch, always(500, { 'retry-after': '0' }), 'response status code 500: Internal Server Error'],
    [
      'whose layer is said to be huge',
      fetch,
      nothing,
      'according to the manifest, the layer has 1000000000000000 bytes; the limit is 268435456',
      changedLayer({ size: 1e15 }),
    ],
    [
      'whose layer has a text for size',
      fetch,
      nothing,
      'red:1.0.0: the manifest has an entry without',
      changedLayer({ size: '5' }),
    ],
    ['whose layer is longer', fetch, blobs(always(200, {}, 'x'.repeat(9999))), 'the body is larger than'],
    ['whose layer is shorter', fetch, blobs(always(200, {}, 'x')), 'mismatched length: the content has 1 bytes'],
    [
      'whose layer has no digest',
      fetch,
      nothing,
      '/v2/charts/red/blobs/../../etc/passwd": invalid reference: invalid digest "../../etc/passwd"',
      changedLayer({ digest: '../../etc/passwd' }),
    ],
    [
      'that sends to a signed URL of a server that is not there',
      fetch,
      blobs(always(307, { location: `http://127.0.0.1:1/x?X-Amz-Signature=${token}` })),
      'Get "http://127.0.0.1:1/x?X-Amz-Signature=xxxxx": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    [
      'whose pages of tags go round',
      `pull OCI/charts/red --plain-http -d HERE/out`,
      (request, response) =>
        response.writeHead(200, { link: `<${request.url}>; rel="next"` }).end('{"tags":["1.0.0"]}'),
      'GET "http://HOST/v2/charts/red/tags/list": the pages of the list of tags form a loop',
    ],
    [
      'that takes uploads elsewhere',
      push,
      pushing(always(202, { location: 'http://127.0.0.1:1/steal' })),
      'Location "127.0.0.1:1" is on a different host than the registry "HOST"',
    ],
    [
      'that fails at uploads with the password',
      push,
      pushing(always(500, { 'retry-after': '0' }, `{"errors":[{"code":"X","message":"${password}"}]}`)),
      'POST "http://HOST/v2/charts/red/blobs/uploads/": response status code 500: x: ***',
    ],
    [
      'that keeps something else than was pushed',
      push,
      pushing((request, response) =>
        request.method === 'POST'
          ? response.writeHead(202, { location: '/up?x=1' }).end()
          : response.writeHead(201, { 'docker-content-digest': `sha256:${'a'.repeat(64)}` }).end(),
      ),
      'invalid response; digest mismatch: the registry has sha256:aaaa',
    ],
    [
      'that says the password at a login',
      `registry login HOST --plain-http ${me}`,
      always(403, {}, password),
      'code 403',
    ],
  ])('%s', async (_title, line, first, reason, change = () => undefined) => {
    const registry = await fakeRegistry({ first: (request, response) => Boolean(first(request, response)) });
    registry.putChart('charts/red', '1.0.0', archive);
    change(registry);
    const places = { OCI: `oci://${registry.host}`, HOST: registry.host };
    const before = filesHere();
    expectRefusal(await run(line, places), reason, places);
    expect(filesHere()).toEqual(before);
  });

  test('that sends to another host for a layer: that host gets no credentials', async () => {
    const registry = await fakeRegistry({
      first: (request, response) => {
        const { host = '', authorization } = request.headers;
        if (host.startsWith('localhost')) return false;
        if (authorization === undefined) response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
        else if (!request.url?.includes('/blobs/')) return false;
        else
          response.writeHead(307, { location: `http://${host.replace('127.0.0.1', 'localhost')}${request.url}` }).end();
        return true;
      },
    });
    registry.putChart('charts/red', '1.0.0', archive);
    expect((await run(fetch, { OCI: `oci://${registry.host}` })).code).toBe(0);
    const asked = registry.requests.map(({ headers }) => [headers.host?.split(':')[0], Boolean(headers.authorization)]);
    expect(asked).toEqual([
      ['127.0.0.1', false],
      ['127.0.0.1', true],
      ['127.0.0.1', true],
      ['localhost', false],
    ]);
  });
});
