import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planFileText, readPlanFile, releasedPlanText } from '../../src/saved-plan/file.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';
import { brokenChart, mend } from './agent.ts';
import { call, connectClient, startServer, type TestRequest } from './client.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-mcp-'));
const keys = generateKeyPairSync('ed25519');
const signKey = keys.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
const publicKey = keys.publicKey.export({ format: 'pem', type: 'spki' }) as string;
const canary = 'CANARY-5f3a9c';

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

let box: Sandbox;
beforeAll(async () => {
  box = await sandbox({ time: 'real' });
  cpSync('fixtures/charts/shop', join(folder, 'shop'), { recursive: true });
  for (const [path, text] of Object.entries(brokenChart)) write(`web/${path}`, text);
  write('secret/Chart.yaml', 'apiVersion: v2\nname: secret\nversion: 1.0.0\n');
  write(
    'secret/templates/all.yaml',
    `apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-s}
stringData: {key: {{ .Values.token }}, pin: {{ .Values.pin | int64 | quote }}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-c}
data: {url: "https://user:{{ .Values.token }}@example.com", again: {{ .Values.token | b64enc }}}
`,
  );
  write('secret/templates/NOTES.txt', 'the token is {{ .Values.token }}\n');
});
afterAll(async () => {
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

const request = (more: Partial<TestRequest> = {}): TestRequest => ({
  folder,
  cluster: () => box.cluster.given.connect('default'),
  ...more,
});
const applying = { releaseKeys: [publicKey], identities: [] };

const release = (path: string): void =>
  writeFileSync(
    path,
    releasedPlanText(readFileSync(path, 'utf8'), path, { at: '2026-01-01T00:00:00Z', by: 'a test', signKey }),
  );

test('the official client takes every tool and every result', async () => {
  const client = await connectClient(startServer(request()));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'check',
    'diagnose',
    'diff',
    'drift',
    'explain',
    'history',
    'list',
    'plan',
    'rehearse',
    'render',
    'status',
  ]);
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  await box.tshelm.install('shop', join(folder, 'shop'));
  const chart = { release: 'shop', chart: 'shop' };
  const calls: readonly (readonly [string, object])[] = [
    ['render', { ...chart, objects: ['ConfigMap/shop-web'] }],
    ['check', { ...chart, useCluster: true }],
    ['plan', { ...chart, plan: 'shop.plan', values: { a: [1, 'x', null] } }],
    ['diff', chart],
    ['rehearse', { ...chart, fail: 'shop-web' }],
    ['list', {}],
    ['status', { release: 'shop' }],
    ['history', { release: 'shop', max: 3 }],
    ['diagnose', { release: 'shop' }],
    ['drift', { release: 'shop' }],
    ['explain', { code: 'image-not-found' }],
  ];
  for (const [name, given] of calls) expect(await call(client, name, given), name).not.toHaveProperty('error');
  expect(await call(client, 'explain', { code: 'no-such-code' })).toMatchObject({ error: { code: 'code-unknown' } });
  await client.close();
});

test('apply is offered with a key, and is the only tool that says that it writes', async () => {
  const client = await connectClient(startServer(request({ applying })));
  const { tools } = await client.listTools();
  const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  expect(writing.map(({ name }) => name)).toEqual(['apply']);
  await client.close();
});

describe('a plan is applied', () => {
  test('only if it is released, as it was released, and once', async () => {
    const client = await connectClient(startServer(request({ applying })));
    const plan = 'again.plan';
    const path = join(folder, plan);
    await call(client, 'plan', { release: 'again', chart: 'secret', plan, values: { token: canary } });
    const apply = (): Promise<object> => call(client, 'apply', { plan, values: { token: canary } });
    const refused = (code: string) => ({ error: expect.objectContaining({ code }) });
    expect(await apply()).toEqual(refused('plan-unreleased'));
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, planFileText(readPlanFile(text, path), signKey));
    expect(await apply()).toEqual(refused('plan-unreleased'));
    release(path);
    const released = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const changed = JSON.parse(planFileText({ ...readPlanFile(text, path), createdBy: 'somebody' })) as object;
    writeFileSync(path, JSON.stringify({ ...changed, released: released['released'] }));
    expect(await apply()).toEqual(refused('plan-unreleased'));
    writeFileSync(path, planFileText({ ...readPlanFile(text, path), expiresAt: '2020-01-01T00:00:00.000Z' }));
    release(path);
    expect(await apply()).toEqual(refused('plan-expired'));
    writeFileSync(path, JSON.stringify(released));
    const steps: string[] = [];
    const given = { name: 'apply', arguments: { plan, values: { token: canary } } };
    const result = await client.callTool(given, undefined, { onprogress: ({ message = '' }) => steps.push(message) });
    expect(result.structuredContent).toMatchObject({ action: 'install', release: { name: 'again', revision: 1 } });
    expect(steps).toContain('ConfigMap/again-c created');
    expect(await apply()).toEqual(refused('plan-outdated'));
    await client.close();
  });

  test('an agent mends a broken release by tools alone', async () => {
    await box.tshelm.install('web', join(folder, 'web'), { set: ['image.tag=1.1'], wait: 'watcher' });
    await box.tshelm.upgrade('web', join(folder, 'web'), { setString: ['image.tag=9.9'] });
    await box.settle();
    const client = await connectClient(startServer(request({ applying })));
    const loop = { release: 'web', namespace: 'default', folder, releasePlan: async (path: string) => release(path) };
    const { before, keys: changed, early, applied, after } = await mend(client, loop);
    expect(before).toMatchObject({
      isHealthy: false,
      problems: [{ code: expect.stringContaining('image-not-found'), subject: { template: 'web/templates/web.yaml' } }],
    });
    expect(changed).toEqual(['image', 'tag']);
    expect(early).toMatchObject({ error: { code: 'plan-unreleased' } });
    expect(applied).toMatchObject({ action: 'upgrade', release: { revision: 3, status: 'deployed' } });
    expect(after).toMatchObject({ isHealthy: true, problems: [] });
    await client.close();
  });
});

test('a plan that cannot be written, and a name that no release can have, are told by their codes', async () => {
  const client = await connectClient(startServer(request()));
  const plan = (given: object) => call(client, 'plan', { release: 'a', chart: 'shop', plan: 'a.plan', ...given });
  expect(await plan({ plan: 'nowhere/a.plan' })).toMatchObject({
    error: { code: 'plan-unwritable', message: expect.stringContaining('nowhere/a.plan: no such file or directory') },
  });
  const refused = { error: { code: 'invalid-release-name', message: 'release name is invalid: BAD NAME' } };
  expect(await plan({ release: 'BAD NAME' })).toMatchObject(refused);
  for (const name of ['status', 'history', 'diagnose', 'drift'])
    expect(await call(client, name, { release: 'BAD NAME' }), name).toMatchObject({
      error: { code: 'invalid-release-name' },
    });
  expect(await call(client, 'diff', { release: 'BAD NAME', chart: 'shop' })).toMatchObject(refused);
  await client.close();
});

test('no answer has a secret', async () => {
  const pin = 7_331_733_190;
  await box.tshelm.install('hidden', join(folder, 'secret'), { values: { token: canary, pin } });
  const server = startServer(request({ applying }));
  const client = await connectClient(server);
  const chart = { release: 'hidden', chart: 'secret', values: { token: canary, pin, more: 'x' } };
  await call(client, 'status', { release: 'hidden' });
  for (const name of ['render', 'check', 'diff', 'rehearse']) await call(client, name, chart);
  await call(client, 'plan', { ...chart, plan: 'hidden.plan' });
  for (const name of ['history', 'diagnose', 'drift']) await call(client, name, { release: 'hidden' });
  await call(client, 'apply', { plan: 'hidden.plan', values: { token: canary, pin } });
  await call(client, 'render', { chart: 'secret', values: { token: { nested: canary } } });
  await client.close();
  const said = server.lines.join('');
  for (const form of [
    canary,
    String(pin),
    Buffer.from(canary).toString('base64'),
    Buffer.from(canary).toString('base64url'),
  ])
    expect(said).not.toContain(form);
  expect(said).toContain('hidden-c');
});

describe('input that no model should send', () => {
  const id = 7;
  const rpc = (more: object): string => JSON.stringify({ jsonrpc: '2.0', id, ...more });
  const tool = (name: unknown, given: unknown): string =>
    rpc({ method: 'tools/call', params: { name, arguments: given } });
  const error = (code: number) => ({ error: { code, message: expect.any(String) } });
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

  test.each([
    ['broken JSON', '{"jsonrpc":', error(-32700)],
    ['a batch', `[${rpc({ method: 'ping' })}]`, error(-32600)],
    ['a text', '"ping"', error(-32600)],
    ['another version', JSON.stringify({ jsonrpc: '1.0', id, method: 'ping' }), error(-32600)],
    ['no method', rpc({}), error(-32600)],
    ['an id that is an object', JSON.stringify({ jsonrpc: '2.0', id: {}, method: 'ping' }), error(-32600)],
    ['a method that is not there', rpc({ method: 'resources/list' }), error(-32601)],
    ['a method of every object', rpc({ method: 'toString' }), error(-32601)],
    ['params that are a list', rpc({ method: 'ping', params: [1] }), error(-32602)],
    ['a tool that is not there', tool('install', {}), error(-32602)],
    ['a tool of every object', tool('constructor', {}), error(-32602)],
    ['a tool that is a number', tool(1, {}), error(-32602)],
    ['arguments that are a text', tool('render', 'shop'), error(-32602)],
    ['a line of many megabytes', `"${'x'.repeat(9 * 1024 * 1024)}"`, error(-32600)],
    [
      'a deep nest',
      rpc({ method: 'tools/call', params: { name: 'render', arguments: { chart: 'shop', values: 'D' } } }).replace(
        '"D"',
        deep,
      ),
      error(-32600),
    ],
  ])('%s is answered, and the next request too', async (_what, line, answer) => {
    const server = startServer(request());
    server.say(line);
    const told = await server.next();
    expect(told).toMatchObject(answer);
    server.say(JSON.stringify({ jsonrpc: '2.0', id: 'next', method: 'ping' }));
    expect(await server.next()).toEqual({ jsonrpc: '2.0', id: 'next', result: {} });
    await server.end();
  });

  test.each([
    ['no chart', 'render', {}, 'chart'],
    ['a chart that is a number', 'render', { chart: 3 }, 'chart'],
    ['an argument that is not there', 'render', { chart: 'shop', postRenderer: 'sh' }, 'postRenderer'],
    ['a plan in any file', 'plan', { release: 'a', chart: 'shop', plan: '.bashrc' }, 'plan'],
    ['a revision that is a fraction', 'status', { release: 'a', revision: 1.5 }, 'revision'],
    ['a wait that is none', 'plan', { release: 'a', chart: 'shop', plan: 'a.plan', wait: 'never' }, 'wait'],
  ])('%s is told to the model', async (_what, name, given, word) => {
    const client = await connectClient(startServer(request()));
    const result = await client.callTool({ name, arguments: given });
    expect(result.isError).toBe(true);
    const [{ text }] = result.content as [{ text: string }];
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'bad-options', message: expect.stringContaining(word) } });
    await client.close();
  });

  test('files outside of the folder are not read, and not written', async () => {
    symlinkSync('/etc', join(folder, 'link'));
    const client = await connectClient(startServer(request({ applying })));
    const outside: readonly (readonly [string, object])[] = [
      ['render', { chart: '/etc' }],
      ['render', { chart: '..' }],
      ['render', { chart: 'link' }],
      ['render', { chart: 'shop', valueFiles: ['/etc/hostname'] }],
      ['render', { chart: 'shop', valueFiles: ['link/hostname'] }],
      ['render', { chart: 'shop', valueFiles: ['https://example.com/../../../etc/hostname'] }],
      ['plan', { release: 'a', chart: 'shop', plan: '../a.plan' }],
      ['plan', { release: 'a', chart: 'shop', plan: 'link/a.plan' }],
      ['apply', { plan: '/tmp/a.plan' }],
    ];
    for (const [name, given] of outside)
      expect(await call(client, name, given), JSON.stringify(given)).toMatchObject({
        error: { code: 'path-outside' },
      });
    await client.close();
  });

  test('an id is of one request at a time, and a cancelled one is not answered', async () => {
    let open: () => void = () => {};
    const held = new Promise<void>((resolve) => (open = resolve));
    const cluster = async () => {
      await held;
      return box.cluster.given.connect('default');
    };
    const server = startServer({ folder, cluster });
    const list = rpc({ method: 'tools/call', params: { name: 'list' } });
    server.say(list);
    server.say(list);
    expect(await server.next()).toMatchObject({ id, ...error(-32600) });
    server.say(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }));
    server.say(JSON.stringify({ jsonrpc: '2.0', id: 'next', method: 'ping' }));
    expect(await server.next()).toMatchObject({ id: 'next' });
    open();
    await server.end();
    expect(server.lines).toHaveLength(2);
  });
});

test('the end of its signal ends the server, whatever its input does', async () => {
  const end = new AbortController();
  const server = startServer(request({ signal: end.signal }));
  server.say(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
  await server.next();
  end.abort(new Error('SIGTERM'));
  await server.ended;
});
