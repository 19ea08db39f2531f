import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { HttpClient } from '../../../src/source/http/client.ts';
import { cleanScopes, parseChallenge } from '../../../src/source/oci/challenge.ts';
import { login, logout } from '../../../src/source/oci/login.ts';
import { RegistryClient } from '../../../src/source/oci/registry-client.ts';
import { messageOf } from '../../../src/support/errors.ts';
import { type Answer, fakeRegistry } from './fake-registry.ts';

let home: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tshelm-auth-'));
  env = { HOME: home, PATH: join(home, 'bin') };
  onTestFinished(() => rmSync(home, { recursive: true }));
});

const secrets: string[] = [];
const optionsFor = (more: object = {}) => ({
  http: new HttpClient({ env: {}, random: () => 0 }),
  env,
  registryConfig: join(home, 'config', 'config.json'),
  plainHttp: true,
  learnSecret: (secret: string) => void secrets.push(secret),
  ...more,
});

const reference = (registry: string) => ({ registry, repository: 'charts/demo', tag: '1.0.0', digest: '' });

/** Asks for a bearer token; `issue` says what the token server answers. */
const bearer =
  (issue: (request: IncomingMessage) => string | undefined): Answer =>
  (request, response) => {
    const host = `http://${request.headers.host}`;
    if (request.url?.startsWith('/token')) {
      const token = issue(request);
      if (token === undefined) response.writeHead(401).end('{"errors":[{"code":"UNAUTHORIZED","message":"who?"}]}');
      else response.end(JSON.stringify({ token }));
      return true;
    }
    if (request.headers.authorization === 'Bearer good') return false;
    const scope = 'repository:charts/demo:pull';
    const header = `Bearer realm="${host}/token",service="fake",scope="${scope}"`;
    response.writeHead(401, { 'www-authenticate': header }).end('{"errors":[{"code":"UNAUTHORIZED"}]}');
    return true;
  };

describe('bearer tokens', () => {
  test('one token serves for all requests of a repository', async () => {
    const registry = await fakeRegistry({ first: bearer(() => 'good') });
    registry.putChart('charts/demo', '1.0.0', Buffer.from('x'));
    const repository = new RegistryClient(optionsFor()).repository(reference(registry.host));
    await repository.fetchManifest();
    await repository.tags();
    const asked = registry.requests.map(({ url }) => url).filter((url) => url?.startsWith('/token'));
    expect(asked).toEqual(['/token?scope=repository%3Acharts%2Fdemo%3Apull&service=fake']);
    expect(secrets).toContain('good');
  });

  test('to push, the token is asked for pushing at once', async () => {
    const registry = await fakeRegistry({ first: bearer(() => 'good') });
    const repository = new RegistryClient(optionsFor()).repository(reference(registry.host), ['pull', 'push']);
    await repository.hasBlob({ mediaType: '', digest: 'sha256:0', size: 0 });
    expect(registry.requests.map(({ url }) => url)).toContain(
      '/token?scope=repository%3Acharts%2Fdemo%3Apull%2Cpush&service=fake',
    );
  });

  test('name and password go to the token server, the token to the registry', async () => {
    const registry = await fakeRegistry({
      first: bearer((request) => (request.headers.authorization === 'Basic bWU6cHc=' ? 'good' : undefined)),
    });
    registry.putChart('charts/demo', '1.0.0', Buffer.from('x'));
    const options = optionsFor({ username: 'me', password: 'pw' });
    await new RegistryClient(options).repository(reference(registry.host)).fetchManifest();
    const other = new RegistryClient(optionsFor({ username: 'me', password: 'no' }));
    await expect(other.repository(reference(registry.host)).fetchManifest()).rejects.toThrow(
      /^GET "http.*1\.0\.0": GET "http.*token.*": response status code 401: unauthorized: who\?$/,
    );
  });

  test('a server that is never content is asked twice, not for ever', async () => {
    const registry = await fakeRegistry({ first: bearer(() => 'bad') });
    const repository = new RegistryClient(optionsFor()).repository(reference(registry.host));
    await expect(repository.fetchManifest()).rejects.toThrow('response status code 401: unauthorized');
    expect(registry.requests).toHaveLength(3);
  });

  test.each([
    ['another scheme', 'ftp://host/token', 'bearer realm "ftp://host/token" uses unsupported scheme "ftp"'],
    ['an inner address', 'http://169.254.169.254/', 'bearer realm host "169.254.169.254" is a loopback, link-local'],
    ['no URL', 'token', 'failed to parse bearer realm "token"'],
  ])('a realm of %s gets no password', async (_case, realm, message) => {
    const registry = await fakeRegistry({
      first: (_request, response) => {
        response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}"` }).end();
        return true;
      },
    });
    const repository = new RegistryClient(optionsFor()).repository(reference(registry.host));
    await expect(repository.fetchManifest()).rejects.toThrow(message);
  });

  test('an identity token is exchanged', async () => {
    const bodies: string[] = [];
    const registry = await fakeRegistry({
      first: (request, response) => {
        if (request.method !== 'POST') return bearer(() => undefined)(request, response);
        request.on('data', (piece: Buffer) => bodies.push(piece.toString()));
        request.on('end', () => response.end('{"access_token":"good"}'));
        return true;
      },
    });
    registry.putChart('charts/demo', '1.0.0', Buffer.from('x'));
    mkdirSync(join(home, 'config'));
    const auths = { [registry.host]: { identitytoken: 'refresh' } };
    writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ auths }));
    await new RegistryClient(optionsFor()).repository(reference(registry.host)).fetchManifest();
    expect(bodies.join('')).toContain('grant_type=refresh_token&refresh_token=refresh&scope=repository');
  });
});

const basic: Answer = (request, response) => {
  if (request.headers.authorization === 'Basic bWU6cHc=') return false;
  response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  return true;
};

describe('credentials', () => {
  test('without any, Helm’s words', async () => {
    const registry = await fakeRegistry({ first: basic });
    const repository = new RegistryClient(optionsFor()).repository(reference(registry.host));
    await expect(repository.tags()).rejects.toThrow(
      `GET "${registry.url}/v2/charts/demo/tags/list": basic credential not found`,
    );
  });

  test('login keeps them in Helm’s file for its owner alone, logout forgets them, what else is there stays', async () => {
    const registry = await fakeRegistry({ first: basic });
    const file = join(home, 'config', 'config.json');
    mkdirSync(join(home, 'config'));
    writeFileSync(file, '{"zeta": {"b": 1}, "auths": {"other": {"auth": "eDp5"}}}');
    await login(registry.host, optionsFor({ username: 'me', password: 'pw' }));
    const other = { other: { auth: 'eDp5' } };
    const auths = { [registry.host]: { auth: 'bWU6cHc=' }, ...other };
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ auths, zeta: { b: 1 } });
    registry.putChart('charts/demo', '1.0.0', Buffer.from('x'));
    await new RegistryClient(optionsFor()).repository(reference(registry.host)).fetchManifest();
    await logout(registry.host, optionsFor());
    expect(readFileSync(file, 'utf8')).toBe(
      '{\n\t"auths": {\n\t\t"other": {\n\t\t\t"auth": "eDp5"\n\t\t}\n\t},\n\t"zeta": {\n\t\t"b": 1\n\t}\n}',
    );
  });

  test('a refused login keeps nothing', async () => {
    const registry = await fakeRegistry({ first: basic });
    await expect(login(registry.host, optionsFor({ username: 'me', password: 'no' }))).rejects.toThrow(
      `authenticating to "${registry.host}": GET "${registry.url}/v2/": response status code 401: Unauthorized`,
    );
    expect(() => readFileSync(join(home, 'config', 'config.json'))).toThrow('ENOENT');
  });

  test.each([
    ['Docker’s own file', (host: string) => ({ auths: { [host]: { auth: 'bWU6cHc=' } } })],
    ['an older file, by URL', (host: string) => ({ auths: { [`https://${host}/v1/`]: { auth: 'bWU6cHc=' } } })],
    ['a helper for all', () => ({ credsStore: 'test' })],
    ['a helper of the registry', (host: string) => ({ credHelpers: { [host]: 'test' } })],
  ])('%s serves', async (_case, content) => {
    const registry = await fakeRegistry({ first: basic });
    registry.putChart('charts/demo', '1.0.0', Buffer.from('x'));
    mkdirSync(join(home, '.docker'));
    writeFileSync(join(home, '.docker', 'config.json'), JSON.stringify(content(registry.host)));
    writeHelper(`case $1 in get) echo '{"ServerURL":"x","Username":"me","Secret":"pw"}' ;; esac`);
    await new RegistryClient(optionsFor()).repository(reference(registry.host)).fetchManifest();
  });

  test('a helper stores and erases what login and logout say', async () => {
    const registry = await fakeRegistry({ first: basic });
    mkdirSync(join(home, 'config'));
    writeFileSync(join(home, 'config', 'config.json'), '{"credsStore":"test"}');
    const log = join(home, 'log');
    writeHelper(`read -r line; echo "$1 $line" >> '${log}'; [ $1 != get ] || echo '{}'`);
    await login(registry.host, optionsFor({ username: 'me', password: 'pw' }));
    await logout(registry.host, optionsFor());
    const stored = JSON.stringify({ ServerURL: registry.host, Username: 'me', Secret: 'pw' });
    expect(readFileSync(log, 'utf8')).toBe(`store ${stored}\nerase ${registry.host}\n`);
    expect(readFileSync(join(home, 'config', 'config.json'), 'utf8')).toBe('{"credsStore":"test"}');
  });

  test('a helper that is not there, or fails, is named', async () => {
    const registry = await fakeRegistry({ first: basic });
    mkdirSync(join(home, 'config'));
    writeFileSync(join(home, 'config', 'config.json'), '{"credsStore":"none"}');
    const repository = () => new RegistryClient(optionsFor()).repository(reference(registry.host));
    await expect(repository().tags()).rejects.toThrow(
      'failed to resolve credential: exec: "docker-credential-none": executable file not found in $PATH',
    );
    writeFileSync(join(home, 'config', 'config.json'), '{"credsStore":"test"}');
    writeHelper('echo the keychain is locked; exit 1');
    await expect(repository().tags()).rejects.toThrow('the keychain is locked');
    writeHelper('echo credentials not found in native keychain; exit 1');
    await expect(repository().tags()).rejects.toThrow('basic credential not found');
  });

  test('a config file that is not JSON fails without a word of what it holds', async () => {
    const registry = await fakeRegistry({ first: basic });
    mkdirSync(join(home, 'config'));
    const path = join(home, 'config', 'config.json');
    writeFileSync(path, '{"auths":{"h":{"auth": c2VjcmV0 }}}');
    const failure = await new RegistryClient(optionsFor())
      .repository(reference(registry.host))
      .tags()
      .catch((error: unknown) => error);
    expect(inspect(failure, { depth: 9 })).not.toContain('c2Vjcm');
    expect(messageOf(failure)).toContain(
      `failed to decode config file ${path}: invalid config format: invalid character 'c' looking for beginning of value`,
    );
  });
});

function writeHelper(script: string): void {
  mkdirSync(join(home, 'bin'), { recursive: true });
  const path = join(home, 'bin', 'docker-credential-test');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

test('a challenge is read as oras reads it', () => {
  expect(parseChallenge('Bearer realm="https://a/b?c=\\"d\\"",service=reg , scope="x:y:pull z:a:push"')).toEqual({
    kind: 'bearer',
    realm: 'https://a/b?c="d"',
    service: 'reg',
    scopes: ['x:y:pull', 'z:a:push'],
  });
  expect(parseChallenge('basic realm="x"')).toEqual({ kind: 'basic' });
  expect(parseChallenge('Negotiate')).toEqual({ kind: 'unknown' });
});

test('scopes of one resource become one', () => {
  expect(cleanScopes(['repository:b:pull', 'repository:a:push,pull', 'repository:b:delete,pull', 'other'])).toEqual([
    'other',
    'repository:a:pull,push',
    'repository:b:delete,pull',
  ]);
});
