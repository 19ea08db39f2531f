import { afterEach, expect, test } from 'vitest';
import { ApiServer } from '../../src/cluster/api-server.ts';
import { Transport } from '../../src/cluster/http/transport.ts';
import { json, scriptedServer } from './scripted-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

// The words are those of client-go 0.36, as `helm list -n NAME` prints them.
test.each([
  ['../x', "[may not contain '/']"],
  ['shop/services/web/proxy', "[may not contain '/']"],
  ['a%2fb', "[may not contain '%']"],
  ['a/%', "[may not contain '/' may not contain '%']"],
  ['..', "[may not be '..']"],
])('a name that would lead to another path is refused before anything of it is sent: %s', async (name, problem) => {
  const server = await scriptedServer(json(200, {}));
  const cluster = new ApiServer(new Transport(server.access()), { namespace: 'team' });
  opened.push(server, cluster);
  const secret = (namespace: string, object: string) => ({ apiVersion: 'v1', kind: 'Secret', namespace, name: object });
  const inNamespace = { failure: { status: 400, message: `invalid namespace "${name}": ${problem}` } };
  const asName = { failure: { status: 400, message: `invalid resource name "${name}": ${problem}` } };
  await expect(cluster.list('v1', 'Secret', { namespace: name })).rejects.toMatchObject(inNamespace);
  await expect(cluster.get(secret(name, 'a'))).rejects.toMatchObject(inNamespace);
  await expect(cluster.get(secret('team', name))).rejects.toMatchObject(asName);
  await expect(cluster.delete(secret('team', name))).rejects.toMatchObject(asName);
  await expect(cluster.logs({ namespace: name, name: 'a' })).rejects.toMatchObject(inNamespace);
  await expect(cluster.logs({ namespace: 'team', name })).rejects.toMatchObject(asName);
  expect(server.seen.filter(({ url }) => url.includes('team') || url.includes('namespaces'))).toEqual([]);
});
