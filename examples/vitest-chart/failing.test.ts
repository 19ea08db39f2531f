import { join } from 'node:path';
import { sandbox } from 'tshelm/testing';
import { expect, test } from 'vitest';

const chart = join(import.meta.dirname, '../chart');

test('an image that cannot be pulled fails the deploy and is rolled back', async () => {
  const cluster = await sandbox({ time: 'simulated', fail: 'shop=image-pull' });
  const deploy = cluster.tshelm.install('shop', chart, { wait: 'watcher', rollbackOnFailure: true });
  await expect(deploy).rejects.toMatchObject({ message: expect.stringContaining('ImagePullBackOff') });
  expect(await cluster.tshelm.list()).toEqual([]);
  await cluster.close();
});

test('a start of two minutes fits into the timeout', async () => {
  const cluster = await sandbox({ time: 'simulated', assume: { 'deployment/shop': 120_000 } });
  const begin = cluster.now().getTime();
  await cluster.tshelm.install('shop', chart, { wait: 'watcher', timeoutMs: 300_000 });
  expect(cluster.now().getTime() - begin).toBeGreaterThanOrEqual(120_000);
  await cluster.close();
});
