import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import type { Cluster } from '../../../src/cluster/types.ts';
import { previewApply } from '../../../src/execute/preview/preview.ts';
import { parseManifests } from '../../../src/manifest/parse.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { openSandbox } from '../../../src/sandbox/index.ts';

const owner = { release: 'web', namespace: 'default' };
const manifests = parseManifests('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: busy}\ndata: {mine: "1"}\n');
const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'busy' };
const revision = 'deployment.kubernetes.io/revision';

let server: Awaited<ReturnType<typeof openSandbox>>;
let cluster: Cluster;
beforeAll(async () => {
  server = await openSandbox({});
  cluster = await connect({
    apiServer: server.url,
    token: server.token,
    namespace: 'default',
    env: { KUBECONFIG: '/dev/null' },
  });
  await cluster.create(manifests[0]?.object as KubernetesObject, { fieldManager: 'helm' });
});
afterAll(async () => {
  cluster.close();
  await server.close();
});

/** Somebody writes the object just after each of the next reads. */
function writtenAfterReads(times: number) {
  const get = cluster.get.bind(cluster);
  let reads = 0;
  return vi.spyOn(cluster, 'get').mockImplementation(async (...args) => {
    const found = await get(...args);
    if (reads++ < times) {
      const annotations = { [revision]: `${times}-${reads}` };
      await cluster.patch(id, 'merge', { metadata: { annotations } }, { fieldManager: 'controller' });
    }
    return found;
  });
}

/** What is sent depends on the object that is there, so it is read first. */
const readFirst = [{ applyMethod: 'ssa', upgradeFieldManager: true }, { applyMethod: 'csa' }] as const;

test.each(readFirst)(
  'what others write between reading and dry run ($applyMethod) is no part of the difference',
  async (method) => {
    const get = writtenAfterReads(2);
    const [preview] = await previewApply(manifests, { cluster, owner, ...method, forceConflicts: true });
    expect(get).toHaveBeenCalledTimes(3);
    expect(preview?.live?.metadata.annotations).toMatchObject({ [revision]: '2-2' });
    expect(preview?.result.metadata.annotations).toMatchObject({ [revision]: '2-2' });
    get.mockRestore();
  },
);

test('an object that never holds still is shown as it was last read', async () => {
  const get = writtenAfterReads(Infinity);
  const [preview] = await previewApply(manifests, { cluster, owner, ...readFirst[0], forceConflicts: true });
  expect(get).toHaveBeenCalledTimes(6);
  expect(preview?.live?.metadata.annotations).toMatchObject({ [revision]: 'Infinity-5' });
  get.mockRestore();
});

test('a dry run that does not depend on what is there does not wait for it; what others write after it is no difference', async () => {
  const [get, apply] = [cluster.get.bind(cluster), vi.spyOn(cluster, 'apply')];
  let reads = 0;
  const read = vi.spyOn(cluster, 'get').mockImplementation(async (...args) => {
    await vi.waitFor(() => expect(apply).toHaveResolved());
    const annotations = { [revision]: 'after-dry-run' };
    if (reads++ === 0) await cluster.patch(id, 'merge', { metadata: { annotations } }, { fieldManager: 'controller' });
    return get(...args);
  });
  const [preview] = await previewApply(manifests, { cluster, owner, applyMethod: 'ssa', forceConflicts: true });
  expect(preview?.live?.metadata.annotations).toMatchObject({ [revision]: 'after-dry-run' });
  expect(preview?.result.metadata.annotations).toMatchObject({ [revision]: 'after-dry-run' });
  for (const spy of [read, apply]) spy.mockRestore();
});
