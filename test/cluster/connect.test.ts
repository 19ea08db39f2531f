import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/cluster/connect.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { type Answer, json, refuse, type ScriptedServer, scriptedServer } from './scripted-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function connectedTo(...script: readonly Answer[]): Promise<{ cluster: Cluster; server: ScriptedServer }> {
  const server = await scriptedServer(...script);
  const cluster = await connect({ apiServer: server.url, namespace: 'team', env: { KUBECONFIG: '/absent' } });
  opened.push(server, cluster);
  return { cluster, server };
}

const configMap: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1' } };
const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: '', name: 'a' };
const askedFor = ({ seen }: ScriptedServer): string[] => seen.map(({ method, url }) => `${method} ${url}`);

test('an apply is one PATCH, with nothing asked before', async () => {
  const { cluster, server } = await connectedTo(json(200, configMap));
  await cluster.apply(configMap, { force: true, fieldValidation: 'Strict', dryRun: true });
  expect(askedFor(server)).toEqual([
    'PATCH /api/v1/namespaces/team/configmaps/a?fieldManager=helm&fieldValidation=Strict&dryRun=All&force=true',
  ]);
  expect(server.seen[0]?.headers['content-type']).toBe('application/apply-patch+yaml');
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(configMap);
});

describe('asking ahead', () => {
  test('the version and what is served are asked for at once, and once', async () => {
    let tell = (): void => {};
    const begun = new Promise<void>((resolve) => (tell = resolve));
    const server = await scriptedServer((response, request) => {
      tell();
      json(200, {})(response, request);
    });
    const cluster = await connect({ apiServer: server.url, asksAhead: true, env: { KUBECONFIG: '/absent' } });
    opened.push(server, cluster);
    await begun;
    await cluster.version();
    await cluster.resources();
    expect(askedFor(server).toSorted()).toEqual(['GET /api', 'GET /apis', 'GET /version']);
  });

  test('but no plugin of the user is run for it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tshelm-ahead-'));
    const node = async (code: string): Promise<unknown> => promisify(execFile)(process.execPath, ['-e', code]);
    const code = `fs.writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '')`;
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', code],
      interactiveMode: 'Never',
    };
    const kubeconfigText = JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:9' } }],
      users: [{ name: 'u', user: { exec } }],
    });
    const cluster = await connect({ kubeconfigText, asksAhead: true });
    opened.push({ close: () => rm(folder, { recursive: true }) }, cluster);
    // Others that begin later and one after the other have ended.
    await node('');
    await node('');
    expect(await readdir(folder)).toEqual([]);
    await expect(cluster.version()).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['ran']);
  });
});

test.each([
  ['merge', 'application/merge-patch+json'],
  ['strategic-merge', 'application/strategic-merge-patch+json'],
  ['json', 'application/json-patch+json'],
] as const)('a %s patch', async (type, contentType) => {
  const { cluster, server } = await connectedTo(json(200, configMap));
  await cluster.patch(id, type, [], { subresource: 'status' });
  expect(askedFor(server)).toEqual(['PATCH /api/v1/namespaces/team/configmaps/a/status?fieldManager=helm']);
  expect(server.seen[0]?.headers['content-type']).toBe(contentType);
});

test('a delete says how, and whom it means', async () => {
  const { cluster, server } = await connectedTo(json(200, { kind: 'Status' }));
  await cluster.delete(id, { propagation: 'Foreground', uid: 'u', gracePeriodSeconds: 0 });
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: 'Foreground',
    preconditions: { uid: 'u' },
    gracePeriodSeconds: 0,
  });
});

test('a name with odd characters is one segment of the path', async () => {
  const { cluster, server } = await connectedTo(
    json(200, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: {} }),
  );
  await cluster.get({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    namespace: '',
    name: 'system:a b',
  });
  expect(askedFor(server)).toEqual(['GET /apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aa%20b']);
});

const page = (names: readonly string[], next?: string): Answer =>
  json(200, {
    metadata: { resourceVersion: '9', continue: next },
    items: names.map((name) => ({ metadata: { name } })),
  });

test('a list is read page by page, and each item says what it is', async () => {
  const { cluster, server } = await connectedTo(page(['a', 'b'], 'more'), page(['c']));
  const items = await cluster.list('v1', 'ConfigMap', { labelSelector: 'x=y' });
  expect(items.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
    'ConfigMap/a',
    'ConfigMap/b',
    'ConfigMap/c',
  ]);
  expect(askedFor(server)).toEqual([
    'GET /api/v1/configmaps?labelSelector=x%3Dy&limit=500',
    'GET /api/v1/configmaps?labelSelector=x%3Dy&limit=500&continue=more',
  ]);
});

test('a list whose pages have expired is read again as a whole', async () => {
  const { cluster } = await connectedTo(page(['a'], 'more'), refuse(410, 'Expired', 'too old'), page(['a', 'b']));
  expect((await cluster.list('v1', 'ConfigMap')).map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
});

test('the log of a container', async () => {
  const { cluster, server } = await connectedTo((response) => response.end('one\ntwo\n'));
  const options = { container: 'c', tailLines: 2, previous: true };
  expect(await cluster.logs({ namespace: 'ns', name: 'p' }, options)).toBe('one\ntwo\n');
  expect(askedFor(server)).toEqual(['GET /api/v1/namespaces/ns/pods/p/log?container=c&tailLines=2&previous=true']);
});

test('the lines of a log as they come, also after a silence at its beginning', async () => {
  const { cluster, server } = await connectedTo((response) => {
    setTimeout(() => response.write('2026-01-01T00:00:00.5Z one\n'), 50);
    setTimeout(() => response.end('2026-01-01T00:00:01Z two'), 100);
  });
  const lines: object[] = [];
  const options = { container: 'c', follow: true, sinceTime: '2026-01-01T00:00:00Z' };
  for await (const line of cluster.logLines({ namespace: 'ns', name: 'p' }, options)) lines.push(line);
  expect(lines).toEqual([
    { time: '2026-01-01T00:00:00.5Z', text: 'one' },
    { time: '2026-01-01T00:00:01Z', text: 'two' },
  ]);
  expect(askedFor(server)).toEqual([
    'GET /api/v1/namespaces/ns/pods/p/log?container=c&follow=true&sinceTime=2026-01-01T00%3A00%3A00Z&timestamps=true',
  ]);
});

test('lines of a log that may not be read', async () => {
  const { cluster } = await connectedTo(refuse(403, 'Forbidden', 'no'));
  const reading = cluster.logLines({ namespace: 'ns', name: 'p' })[Symbol.asyncIterator]().next();
  await expect(reading).rejects.toMatchObject({ code: 'api-error', failure: { status: 403 } });
});

// The words are client-go's (api/errors.NewGenericServerResponse).
test.each([
  [404, 'NotFound', 'the server could not find the requested resource'],
  [405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  [401, 'Unauthorized', 'the server has asked for the client to provide credentials'],
  [418, 'Unknown', 'the server responded with the status code 418 but did not return more information: "<html>"'],
])('an answer %d that is no Status object', async (status, reason, message) => {
  const { cluster } = await connectedTo((response) => response.writeHead(status).end('<html>'));
  await expect(cluster.patch(id, 'merge', {})).rejects.toMatchObject({
    code: 'api-error',
    message,
    failure: { status, reason },
  });
});

test('a cluster that refuses to say its version cannot be reached', async () => {
  const { cluster } = await connectedTo(refuse(403, 'Forbidden', 'no entry'));
  await expect(cluster.version()).rejects.toMatchObject({
    code: 'cluster-unreachable',
    message: 'kubernetes cluster unreachable: no entry',
  });
});

test.each<[string, (cluster: Cluster, signal: AbortSignal) => Promise<unknown>]>([
  ['its version', (cluster, signal) => cluster.version({ signal })],
  ['what it serves', (cluster, signal) => cluster.resources({ signal })],
  ['one group version', (cluster, signal) => cluster.mapping('example.com/v1', 'Widget', { signal })],
])('an operation that ends does not end the wait of another one for %s', async (_what, ask) => {
  const [interruption, other] = [new AbortController(), new AbortController()];
  const { cluster } = await connectedTo((response, request) => {
    interruption.abort(new Error('interrupted'));
    json(200, { kind: 'APIVersions' })(response, request);
  });
  const waiting = [ask(cluster, interruption.signal), ask(cluster, other.signal)];
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('a well-known kind that this server does not serve is found out', async () => {
  const { cluster } = await connectedTo(
    (response) => response.writeHead(404).end('404 page not found'),
    json(200, { kind: 'APIVersions', versions: [] }),
    json(200, { kind: 'APIGroupList', groups: [] }),
  );
  await expect(cluster.apply(configMap)).rejects.toThrow('no matches for kind "ConfigMap" in version "v1"');
});

test('an answer that is no JSON is shown', async () => {
  const { cluster } = await connectedTo((response) => response.writeHead(200).end('<html>Sign in</html>'));
  await expect(cluster.get(id)).rejects.toThrow(
    'GET /api/v1/namespaces/team/configmaps/a: the answer (status 200) is not JSON: "<html>Sign in</html>"',
  );
});

test('a token that the server refuses is read again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tshelm-connect-'));
  const server = await scriptedServer(refuse(401, 'Unauthorized', 'Unauthorized'), json(200, configMap));
  const token = join(directory, 'token');
  const kubeconfig = join(directory, 'config');
  await writeFile(token, 'old');
  await writeFile(
    kubeconfig,
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: server.url } }],
      users: [{ name: 'u', user: { tokenFile: token } }],
    }),
  );
  const cluster = await connect({ kubeconfig });
  opened.push(server, cluster, { close: () => rm(directory, { recursive: true }) });
  expect(await cluster.get(id)).toEqual(configMap);
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer old']);
});

test('a closed cluster ends its watches', async () => {
  const { cluster } = await connectedTo(page([]), (response) => response.writeHead(200).flushHeaders());
  const watch = cluster.watch('v1', 'ConfigMap', { signal: new AbortController().signal })[Symbol.asyncIterator]();
  expect(await watch.next()).toMatchObject({ value: { kind: 'synced' } });
  const ended = watch.next();
  cluster.close();
  expect(await ended).toMatchObject({ done: true });
});
