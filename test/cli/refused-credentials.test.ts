import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../../src/actions/doctor/finding.ts';
import { json, type ScriptedServer, scriptedServer } from '../cluster/scripted-server.ts';
import { fixtureCertificate } from '../support/https-server.ts';
import { tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-refused-'));
let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer(json(401, { kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized' }));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const file = join(folder, 'kubeconfig');
function writeKubeconfig(user: object, url = server.url): void {
  const config = {
    'current-context': 'prod',
    contexts: [{ name: 'prod', context: { cluster: 'c', user: 'ada' } }],
    clusters: [{ name: 'c', cluster: { server: url } }],
    users: [{ name: 'ada', user }],
  };
  writeFileSync(file, JSON.stringify(config));
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (exp: unknown): string => `${part({ alg: 'none' })}.${part({ exp })}.c2ln`;
const past = 1_600_000_000;

describe('credentials that the server does not accept', () => {
  test.each([
    [
      'an expired token',
      { token: jwt(past) },
      'the token of user ada expired on 2020-09-13 12:26:40 UTC: log in again',
    ],
    [
      'another token',
      { token: 'not-a-jwt-12345' },
      'log in again, or choose another user with --kube-context or --kubeconfig: the server does not accept the token of user ada',
    ],
    [
      'a token without an end',
      { token: jwt('soon') },
      'log in again, or choose another user with --kube-context or --kubeconfig: the server does not accept the token of user ada',
    ],
    [
      'a name and password',
      { username: 'ada', password: 'pa55w0rd' },
      'log in again, or choose another user with --kube-context or --kubeconfig: the server does not accept the name and password of user ada',
    ],
    [
      'none',
      {},
      'the kubeconfig has no credentials of user ada: log in to the cluster, or choose another user with --kube-context or --kubeconfig',
    ],
  ])('%s', async (_what, user, fix) => {
    writeKubeconfig(user);
    const { code, stderr } = await tshelm(['list', '--kubeconfig', file]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'Error: kubernetes cluster unreachable: the server has asked for the client to provide credentials\n' +
        `  where  ${server.url}, context prod of ${file}, user ada\n  fix    ${fix}\n`,
    );
  });

  test('the token of a flag is told from those of the kubeconfig', async () => {
    writeKubeconfig({ token: 'other-token-1234' });
    const { stderr } = await tshelm(['list', '--kubeconfig', file, '--kube-token', jwt(past)]);
    expect(stderr).toContain(
      '  fix    the token of --kube-token or HELM_KUBETOKEN expired on 2020-09-13 12:26:40 UTC: give a new one\n',
    );
  });

  test.each(['install', 'upgrade'])('%s says so too', async (command) => {
    writeKubeconfig({ token: jwt(past) });
    const { stderr } = await tshelm([command, 'web', 'fixtures/charts/blog', '--kubeconfig', file]);
    expect(stderr).toContain('the server has asked for the client to provide credentials\n');
    expect(stderr).toContain(', user ada\n  fix    the token of user ada expired on ');
  });
});

test('a token that expires while a command runs', async () => {
  const version = json(200, { major: '1', minor: '33', gitVersion: 'v1.33.0' });
  const late = await scriptedServer(version, json(401, { kind: 'Status', reason: 'Unauthorized' }));
  onTestFinished(() => late.close());
  writeKubeconfig({ token: jwt(past) }, late.url);
  const { stderr } = await tshelm(['template', 'fixtures/charts/blog', '--dry-run=server', '--kubeconfig', file]);
  expect(stderr).toContain(', user ada\n  fix    the token of user ada expired on ');
});

describe('doctor', () => {
  const about = async (area: Finding['area']): Promise<readonly Finding[]> => {
    const { stdout } = await tshelm(['doctor', '--kubeconfig', file, '-o', 'json']);
    return (JSON.parse(stdout) as readonly Finding[]).filter((one) => one.area === area);
  };

  test('a token that the server does not accept', async () => {
    writeKubeconfig({ token: 'not-a-jwt-12345' });
    expect(await about('server')).toEqual([
      expect.objectContaining({
        level: 'error',
        fix: expect.stringMatching(/^log in again, or .* token of user ada$/),
      }),
    ]);
  });

  test('an expired token counts once', async () => {
    writeKubeconfig({ token: jwt(past) });
    const text = `context prod of ${file}: the token of user ada expired on 2020-09-13 12:26:40 UTC`;
    expect(await about('kubeconfig')).toEqual([expect.objectContaining({ level: 'error', text })]);
    expect(await about('server')).toEqual([expect.objectContaining({ level: 'note' })]);
  });

  test('a client certificate that is not there', async () => {
    const path = join(folder, 'none.crt');
    writeKubeconfig({ 'client-certificate': path, 'client-key': path });
    const text = expect.stringContaining(
      `unable to read client-cert ${path} for ada due to open ${path}: no such file`,
    );
    expect(await about('kubeconfig')).toEqual([expect.objectContaining({ level: 'error', text })]);
  });

  test('a client certificate that has expired', async () => {
    writeKubeconfig({ 'client-certificate-data': Buffer.from(oldCertificate).toString('base64') });
    const text = expect.stringMatching(/: the client certificate of user ada expired on 2020-01-02 00:00:00 UTC$/);
    expect(await about('kubeconfig')).toEqual([expect.objectContaining({ level: 'error', text })]);
    writeKubeconfig({ 'client-certificate-data': Buffer.from(fixtureCertificate().cert).toString('base64') });
    expect(await about('kubeconfig')).toEqual([expect.objectContaining({ level: 'ok' })]);
  });
});

// openssl ca -selfsign -startdate 20200101000000Z -enddate 20200102000000Z
const oldCertificate = `-----BEGIN CERTIFICATE-----
MIIBAjCBqgIBATAKBggqhkjOPQQDAjAOMQwwCgYDVQQDDANhZGEwHhcNMjAwMTAx
MDAwMDAwWhcNMjAwMTAyMDAwMDAwWjAOMQwwCgYDVQQDDANhZGEwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAATICh4ZyJsM4hF5oV5JFOvIureWFirDoSoYJ+ttEuXa
aU9DwsfLMPy/9iVwIw6E8haxf52vK9FRdlIMxhQdvaVlMAoGCCqGSM49BAMCA0cA
MEQCICxAaQi5z3eMgvwa1EjoaXcdVYGoUNuI6eq1idhnVX1CAiABvpTF4jSxSEnh
rOwAsiTB42xm6VN+wumS9BvFbnbG4Q==
-----END CERTIFICATE-----
`;
