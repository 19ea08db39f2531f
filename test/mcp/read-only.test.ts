import { expect, test } from 'vitest';
import type { Cluster } from '../../src/cluster/types.ts';
import { readOnly } from '../../src/mcp/read-only.ts';

const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'a', name: 'b' };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } };

test('no change reaches the cluster, and dry runs and questions do', async () => {
  const seen: string[] = [];
  const cluster = new Proxy({} as Cluster, {
    get: (_target, name) => async () => void seen.push(String(name)),
  });
  const guarded = readOnly(cluster);
  const changes: readonly ((options?: { dryRun: boolean }) => Promise<unknown>)[] = [
    (options) => guarded.apply(object, options),
    (options) => guarded.create(object, options),
    (options) => guarded.delete(id, options),
    (options) => guarded.patch(id, 'merge', {}, options),
    (options) => guarded.replace(object, options),
  ];
  for (const change of changes) {
    await expect(change()).rejects.toThrow('internal');
    await expect(change({ dryRun: false })).rejects.toThrow('internal');
  }
  expect(seen).toEqual([]);
  for (const change of changes) await change({ dryRun: true });
  await guarded.get(id);
  expect(seen).toEqual(['apply', 'create', 'delete', 'patch', 'replace', 'get']);
});
