import { afterEach, describe, expect, test } from 'vitest';
import { ApiServer } from '../../src/cluster/api-server.ts';
import { Transport } from '../../src/cluster/http/transport.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { type Answer, hangUp, json, refuse, type ScriptedServer, scriptedServer } from './scripted-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

/** A cluster whose server is known already: its first answer is not part of the script. */
async function knownServer(...script: readonly Answer[]): Promise<{ cluster: Cluster; server: ScriptedServer }> {
  const server = await scriptedServer(json(200, {}), ...script);
  const transport = new Transport(server.access(), { sleep: async () => {} });
  const cluster = new ApiServer(transport, { namespace: 'team' });
  opened.push(server, cluster);
  await cluster.version();
  return { cluster, server };
}

const record: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'sh.helm.release.v1.a.v1', labels: { owner: 'helm' } },
  data: { release: 'AAAA' },
};
const id = { apiVersion: 'v1', kind: 'Secret', namespace: 'team', name: 'sh.helm.release.v1.a.v1' };
const exists = refuse(409, 'AlreadyExists', 'secrets "sh.helm.release.v1.a.v1" already exists');
const missing = refuse(404, 'NotFound', 'secrets "sh.helm.release.v1.a.v1" not found');

const live = (change: { createdMsAgo?: number; data?: object; labels?: object; manager?: string } = {}): Answer =>
  json(200, {
    ...record,
    metadata: {
      ...record.metadata,
      uid: 'u',
      labels: { owner: 'helm', ...change.labels },
      creationTimestamp: new Date(Date.now() - (change.createdMsAgo ?? 0)).toISOString(),
      managedFields: [{ manager: change.manager ?? 'helm', operation: 'Update' }],
    },
    data: change.data ?? record['data'],
  });

test('a create whose answer was lost has created the object', async () => {
  const { cluster, server } = await knownServer(hangUp, exists, live());
  expect(await cluster.create(record)).toMatchObject({ metadata: { uid: 'u' } });
  expect(server.seen.slice(1).map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
});

test.each([
  ['created before', live({ createdMsAgo: 3_600_000 })],
  ['with other data', live({ data: { release: 'BBBB' } })],
  ['with other labels', live({ labels: { owner: 'me' } })],
  ['by another field manager', live({ manager: 'kubectl' })],
  ['gone again', missing],
])('an object that was not created by the lost attempt: %s', async (_why, answer) => {
  const { cluster } = await knownServer(hangUp, exists, answer);
  await expect(cluster.create(record)).rejects.toMatchObject({ failure: { reason: 'AlreadyExists' } });
});

describe('where a proxy takes away the Date header', () => {
  const undated =
    (answer: Answer): Answer =>
    (response, request) => {
      response.sendDate = false;
      answer(response, request);
    };
  const tried = (createdMsAgo: number): Answer =>
    json(201, {
      apiVersion: record.apiVersion,
      kind: record.kind,
      metadata: { creationTimestamp: new Date(Date.now() - createdMsAgo).toISOString() },
    });

  test('a dry run tells the time of the server', async () => {
    const { cluster, server } = await knownServer(hangUp, undated(exists), undated(live()), undated(tried(0)));
    expect(await cluster.create(record)).toMatchObject({ metadata: { uid: 'u' } });
    expect(server.seen.at(-1)).toMatchObject({ method: 'POST', url: expect.stringContaining('dryRun=All') });
    expect(JSON.parse(server.seen.at(-1)?.body ?? '')).toMatchObject({ metadata: { generateName: `${id.name}-` } });
  });

  test.each([
    ['was created before', live({ createdMsAgo: 3_600_000 }), tried(0)],
    ['may have been, when a dry run is refused', live(), refuse(403, 'Forbidden', 'no dry runs')],
  ])('what %s is somebody else’s', async (_what, there, probe) => {
    const { cluster } = await knownServer(hangUp, undated(exists), undated(there), undated(probe));
    await expect(cluster.create(record)).rejects.toMatchObject({ failure: { reason: 'AlreadyExists' } });
  });
});

test('without a lost answer, what exists is somebody else’s', async () => {
  const { cluster, server } = await knownServer(json(429, {}), exists, live());
  await expect(cluster.create(record)).rejects.toMatchObject({ failure: { reason: 'AlreadyExists' } });
  expect(server.seen.slice(1).map(({ method }) => method)).toEqual(['POST', 'POST']);
});

test('an object with a generated name is not created twice', async () => {
  const { cluster, server } = await knownServer(hangUp, json(201, record));
  const generated = { ...record, metadata: { generateName: 'a-' } } as unknown as KubernetesObject;
  await expect(cluster.create(generated)).rejects.toMatchObject({ code: 'cluster-unreachable' });
  expect(server.seen.slice(1)).toHaveLength(1);
});

test.each([
  ['deleted it', [hangUp, missing], {}, true],
  ['deleted it, and another came', [hangUp, refuse(409, 'Conflict', 'the UID does not match')], { uid: 'u' }, true],
  ['was refused before it could', [json(429, {}), missing], {}, false],
] as const)('a deletion whose first attempt %s', async (_what, answers, options, isDeleted) => {
  const { cluster } = await knownServer(...answers);
  expect(await cluster.delete(id, options)).toBe(isDeleted);
});

test.each([
  ['replaces', (cluster: Cluster) => cluster.replace(record)],
  ['applies', (cluster: Cluster) => cluster.apply(record)],
  ['merges', (cluster: Cluster) => cluster.patch(id, 'merge', {})],
  [
    'patches one version of an object',
    (cluster: Cluster) => cluster.patch(id, 'json', [{ op: 'replace', path: '/metadata/resourceVersion', value: '1' }]),
  ],
] as const)('what %s is sent again', async (_what, write) => {
  const { cluster } = await knownServer(hangUp, json(200, record));
  expect(await write(cluster)).toMatchObject(record);
});

test('a JSON patch for any version is not sent again', async () => {
  const { cluster } = await knownServer(hangUp, json(200, record));
  const added = [{ op: 'add', path: '/metadata/finalizers/-', value: 'x' }];
  await expect(cluster.patch(id, 'json', added)).rejects.toMatchObject({ code: 'cluster-unreachable' });
});

test.each([
  ['older than the record that was created before', '7', true],
  ['newer', '12', false],
])('an applied object whose version is %s', async (_what, resourceVersion, isUnchanged) => {
  const withVersion = (version: string): Answer => {
    const metadata = { ...record.metadata, resourceVersion: version };
    return json(200, { ...record, metadata });
  };
  const { cluster } = await knownServer(withVersion('10'), withVersion(resourceVersion));
  await cluster.create(record);
  let told = false;
  await cluster.apply(record, { onUnchanged: () => (told = true) });
  expect(told).toBe(isUnchanged);
});
