import { afterEach, expect, test } from 'vitest';
import { ApiServer } from '../../src/cluster/api-server.ts';
import { fenced } from '../../src/cluster/fence.ts';
import { Transport } from '../../src/cluster/http/transport.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { type Answer, json, type ScriptedServer, scriptedServer } from './scripted-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

const object: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', namespace: 'team' } };
const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team', name: 'one' };
const away: Answer = (response) => response.writeHead(503).end();
const silence: Answer = () => {};
const taken = new Error('taken over');

/** A fence whose `entered` counts; it closes after as many attempts as it `allows`. */
function fence(allows = Number.POSITIVE_INFINITY) {
  let lapse = new AbortController();
  return {
    entered: 0,
    async enter() {
      if (++this.entered > allows) throw taken;
      lapse = new AbortController();
    },
    get lapse() {
      return lapse.signal;
    },
    abort: () => lapse.abort(),
  };
}

async function server(...script: readonly Answer[]): Promise<{ cluster: Cluster; server: ScriptedServer }> {
  const scripted = await scriptedServer(json(200, {}), ...script);
  const transport = new Transport(scripted.access(), { sleep: async () => {} });
  const cluster = new ApiServer(transport, { namespace: 'team' });
  opened.push(scripted, cluster);
  await cluster.version();
  return { cluster, server: scripted };
}

test.each<[string, (cluster: Cluster) => Promise<unknown>]>([
  ['POST', (cluster) => cluster.create(object)],
  ['PUT', (cluster) => cluster.replace(object)],
  ['PATCH', (cluster) => cluster.apply(object)],
  ['PATCH', (cluster) => cluster.patch(id, 'merge', {})],
  ['DELETE', (cluster) => cluster.delete(id)],
])('a %s is not sent again once the run may not write any more', async (method, write) => {
  const { cluster, server: scripted } = await server(away, json(200, object));
  const guard = fence(1);
  await expect(write(fenced(cluster, guard))).rejects.toBe(taken);
  expect(scripted.seen.slice(1).map((request) => request.method)).toEqual([method]);
});

test('what is read is not held up', async () => {
  const { cluster } = await server(away, json(200, object));
  expect(await fenced(cluster, fence(0)).get(id)).toEqual(object);
});

test('an attempt that is under way ends when the lock may have lapsed, and is made again when it was renewed', async () => {
  const { cluster, server: scripted } = await server(silence, json(200, object));
  const guard = fence();
  const applied = fenced(cluster, guard).apply(object);
  while (scripted.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  guard.abort();
  expect(await applied).toEqual(object);
  expect(guard.entered).toBe(2);
});
