import { expect, test } from 'vitest';
import type { ExecutionEvent } from '../../src/execute/events.ts';
import { executePlan } from '../../src/execute/execute.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { planInstall } from '../../src/plan/plan.ts';
import { addedDetail } from '../../src/support/errors.ts';
import { SimulatedTime } from '../../src/support/simulated-time.ts';
import { FakeCluster } from '../cluster/fake-cluster.ts';
import { manifestsOf } from '../plan/manifests.ts';
import { shown } from '../problem/shown.ts';

const waitingFor = (reason: string, message: string) => ({
  phase: 'Pending',
  containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason, message } } }],
});

test('every object that is broken is told to have failed, whichever was given up first', async () => {
  const statuses: Readonly<Record<string, object>> = {
    given: waitingFor('InvalidImageName', 'no name'),
    doubted: waitingFor('ImagePullBackOff', 'no such tag'),
    slow: { phase: 'Pending' },
  };
  const cluster = new FakeCluster();
  const apply = cluster.apply.bind(cluster);
  cluster.apply = async (...args) => {
    const written = (await apply(...args)) as KubernetesObject;
    return cluster.add({ ...written, status: statuses[written.metadata.name] });
  };
  const manifests = manifestsOf('Pod/slow', 'Pod/doubted', 'Pod/given');
  const plan = planInstall({ release: 'web', namespace: 'default', strategy: 'watcher', hooks: [], manifests });
  const events: ExecutionEvent[] = [];
  const failure = await executePlan(plan, { cluster, onEvent: (event) => events.push(event) }).catch(
    (error: unknown) => error,
  );
  const failed = events.flatMap((event) => (event.kind === 'resource' && event.state === 'failed' ? [event] : []));
  expect(failed.map(({ id, reason }) => `${id.name}: ${reason}`)).toEqual([
    'given: container app: InvalidImageName: no name',
    'doubted: container app: ImagePullBackOff: no such tag',
  ]);
  expect(
    addedDetail(failure, 'problems')
      ?.map(shown)
      .map((one) => `${one?.name}: ${one?.file}`),
  ).toEqual([`given: ${manifests[2]?.source}`, `doubted: ${manifests[1]?.source}`]);
});

test.each(['ssa', 'csa'] as const)('what is deleted before the wait begins has failed: %s', async (applyMethod) => {
  const timers = new SimulatedTime(0);
  const cluster = Object.assign(new FakeCluster({ readyAtOnce: true }), { timers });
  const removing = <Args extends unknown[]>(write: (...args: Args) => Promise<KubernetesObject>) => {
    return async (...args: Args): Promise<KubernetesObject> => {
      const written = await write(...args);
      if (written.metadata.name === 'a') cluster.remove('a');
      return written;
    };
  };
  cluster.apply = removing(cluster.apply.bind(cluster));
  cluster.create = removing(cluster.create.bind(cluster));
  // So many of a kind are watched together, which begins with a list.
  const manifests = manifestsOf(...[...'abcdefghi'].map((name) => `Pod/${name}`));
  const plan = planInstall({ release: 'web', namespace: 'default', strategy: 'watcher', hooks: [], manifests });
  const failure = executePlan(plan, { cluster, applyMethod, timeoutMs: 60_000 }).catch((error: unknown) => error);
  timers.begin();
  expect(await failure).toMatchObject({ details: { unready: [{ reason: 'it was deleted during the wait' }] } });
  expect(timers.now()).toBeLessThan(10_000);
  timers.end();
});
