import { expect, test } from 'vitest';
import { Unreported } from '../../../src/cluster/readiness/unreported.ts';
import { readiness } from '../../../src/cluster/readiness.ts';
import { FakeCluster } from '../fake-cluster.ts';

const id = { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'default', name: 'w' };
const object = { apiVersion: id.apiVersion, kind: id.kind, metadata: { name: id.name } };

test.each([
  ['first seen now', undefined, 'waiting'],
  ['created ten seconds ago', 10, 'waiting'],
  ['created a minute ago', 60, 'ready'],
])('without a status, %s', async (_when, ageSeconds, state) => {
  const since = ageSeconds === undefined ? undefined : new Date(Date.now() - ageSeconds * 1000).toISOString();
  const unreported = await Unreported.of([id], new FakeCluster(), { since });
  const verdict = unreported.judge(id, object, readiness(object, { strategy: 'watcher', waitForJobs: false }));
  expect(verdict).toMatchObject({ state, facts: [{ code: 'status-missing' }] });
});
