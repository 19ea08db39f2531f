import { afterEach, expect, test } from 'vitest';
import { Discovery } from '../../src/cluster/discovery.ts';
import { Transport } from '../../src/cluster/http/transport.ts';
import { type Answer, json, refuse, type ScriptedServer, scriptedServer } from './scripted-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function discovery(
  routes: Readonly<Record<string, Answer>>,
): Promise<{ found: Discovery; server: ScriptedServer; debug: string[] }> {
  const server = await scriptedServer((response, request) =>
    (routes[request.url] ?? refuse(404, 'NotFound', 'no'))(response, request),
  );
  const transport = new Transport(server.access(), { sleep: async () => {} });
  opened.push(server, transport);
  const debug: string[] = [];
  return { found: new Discovery(transport, (text) => debug.push(text)), server, debug };
}

const aggregated = (group: string, version: string, kind: string, plural: string, more: object = {}) => ({
  metadata: { name: group },
  versions: [
    {
      version,
      freshness: 'Current',
      resources: [{ resource: plural, responseKind: { kind }, scope: 'Namespaced', verbs: ['get'] }],
      ...more,
    },
  ],
});
const groupList = (...items: object[]): Answer =>
  json(200, { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items });

test('the aggregated documents say everything in two requests', async () => {
  const { found, server } = await discovery({
    '/api': groupList(aggregated('', 'v1', 'Pod', 'pods')),
    '/apis': groupList(aggregated('example.com', 'v1', 'Widget', 'widgets')),
  });
  await found.all();
  expect(await found.mapping('example.com/v1', 'Widget')).toMatchObject({
    group: 'example.com',
    plural: 'widgets',
    namespaced: true,
  });
  expect(await found.all()).toMatchObject([{ kind: 'Pod' }, { kind: 'Widget' }]);
  expect(server.seen.map(({ url }) => url).sort()).toEqual(['/api', '/apis']);
});

test('a well-known kind needs no request', async () => {
  const { found, server } = await discovery({});
  expect(await found.mapping('apps/v1', 'Deployment')).toMatchObject({ plural: 'deployments' });
  expect(server.seen).toEqual([]);
});

const widgets = json(200, { resources: [{ name: 'widgets', kind: 'Widget', namespaced: true, verbs: ['get'] }] });

test('for a kind alone its group version is asked, once', async () => {
  const { found, server } = await discovery({ '/apis/example.com/v1': widgets });
  for (let time = 0; time < 2; time++)
    expect(await found.mapping('example.com/v1', 'Widget')).toMatchObject({ plural: 'widgets', namespaced: true });
  expect(server.seen.map(({ url }) => url)).toEqual(['/apis/example.com/v1']);
});

test('kinds that are not there are asked for in one request for each group version, and again the next time', async () => {
  const { found, server } = await discovery({ '/api': groupList(), '/apis': groupList() });
  await found.all();
  const look = () =>
    Promise.all(
      ['Widget', 'Gadget'].flatMap((kind) =>
        ['a.example/v1', 'b.example/v1'].map((version) => found.mapping(version, kind)),
      ),
    );
  expect(await look()).toEqual([undefined, undefined, undefined, undefined]);
  await look();
  const asked = server.seen.map(({ url }) => url).slice(2);
  expect(asked).toEqual(['/apis/a.example/v1', '/apis/b.example/v1', '/apis/a.example/v1', '/apis/b.example/v1']);
});

test('a kind that came after the whole answer is found', async () => {
  const { found } = await discovery({ '/api': groupList(), '/apis': groupList(), '/apis/example.com/v1': widgets });
  await found.all();
  expect(await found.mapping('example.com/v1', 'Widget')).toMatchObject({ plural: 'widgets' });
});

test('who may not ask what is served is told so', async () => {
  const { found } = await discovery({ '/apis/example.com/v1': refuse(403, 'Forbidden', 'no discovery for you') });
  await expect(found.mapping('example.com/v1', 'Widget')).rejects.toThrow('no discovery for you');
});

test('an API service that is down does not hide the others', async () => {
  const { found, debug } = await discovery({
    '/api': groupList(),
    '/apis': groupList(
      { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1beta1', freshness: 'Stale' }] },
      aggregated('example.com', 'v1', 'Widget', 'widgets'),
    ),
  });
  expect(await found.all()).toMatchObject([{ kind: 'Widget' }]);
  expect(debug).toEqual(['discovery of metrics.k8s.io/v1beta1 is stale: its API service does not answer']);
});

test('an old server is asked group by group; one that fails is left out', async () => {
  const { found, debug } = await discovery({
    '/api': json(200, { kind: 'APIVersions', versions: ['v1'] }),
    '/api/v1': json(200, {
      resources: [
        { name: 'pods', kind: 'Pod', namespaced: true, verbs: [] },
        { name: 'pods/log', kind: 'Pod', namespaced: true },
      ],
    }),
    '/apis': json(200, {
      kind: 'APIGroupList',
      groups: [
        { name: 'example.com', versions: [{ groupVersion: 'example.com/v1' }] },
        { name: 'metrics.k8s.io', versions: [{ groupVersion: 'metrics.k8s.io/v1beta1' }] },
      ],
    }),
    '/apis/example.com/v1': json(200, {
      resources: [{ name: 'widgets', singularName: 'widget', kind: 'Widget', namespaced: false }],
    }),
    '/apis/metrics.k8s.io/v1beta1': refuse(
      503,
      'ServiceUnavailable',
      'the server is currently unable to handle the request',
    ),
  });
  expect(await found.all()).toMatchObject([
    { version: 'v1', kind: 'Pod', plural: 'pods' },
    { group: 'example.com', kind: 'Widget', singular: 'widget', namespaced: false },
  ]);
  expect(debug).toEqual([
    'discovery of metrics.k8s.io/v1beta1 failed: the server is currently unable to handle the request',
  ]);
});
