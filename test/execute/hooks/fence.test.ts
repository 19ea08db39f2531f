import { describe, expect, test } from 'vitest';
import type { ExecutionEvent } from '../../../src/execute/events.ts';
import { executePlan } from '../../../src/execute/execute.ts';
import { mustSuspend } from '../../../src/execute/hooks/fence.ts';
import type { Hook, KubernetesObject } from '../../../src/manifest/types.ts';
import { planInstall } from '../../../src/plan/plan.ts';
import { FakeCluster, refusal } from '../../cluster/fake-cluster.ts';

const object = (kind: string, status: object): KubernetesObject => ({
  apiVersion: kind === 'Job' ? 'batch/v1' : 'v1',
  kind,
  metadata: { name: 'migrate' },
  status,
});
const ended = (type: string): object => ({ conditions: [{ type, status: 'True' }] });
const podIn = (state: object): KubernetesObject =>
  object('Pod', { containerStatuses: [{ name: 'main', restartCount: 0, state }] });

describe('a Job is suspended', () => {
  test.each<[string, object, KubernetesObject[], boolean, boolean]>([
    ['declared dead', {}, [], true, true],
    ['declared dead while a pod of it runs', {}, [podIn({ running: {} })], true, true],
    ['out of time, and nothing of it has run', {}, [podIn({ waiting: {} })], false, true],
    ['out of time, and at work', {}, [podIn({ running: {} })], false, false],
    ['out of time between two tries', {}, [podIn({ terminated: { exitCode: 1 } })], false, false],
    ['failed', ended('Failed'), [], true, false],
    ['about to fail', ended('FailureTarget'), [], true, false],
    ['complete', ended('Complete'), [], true, false],
  ])('%s', (_when, status, pods, isDead, expected) => {
    expect(mustSuspend(object('Job', status), pods, isDead)).toBe(expected);
  });
});

const hook: Hook = {
  name: 'migrate',
  kind: 'Job',
  path: 'app/templates/hook.yaml',
  manifest: 'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: migrate\nspec: {}\n',
  events: ['pre-install'],
  weight: 0,
  deletePolicies: [],
  outputLogPolicies: [],
  lastRun: { phase: '' },
} as unknown as Hook;

describe('a hook that is given up', () => {
  const start = (cluster: FakeCluster, events: ExecutionEvent[]) => {
    const plan = planInstall({
      release: 'rel',
      namespace: 'default',
      strategy: 'hookOnly',
      manifests: [],
      hooks: [hook],
    });
    return executePlan(plan, { cluster, graceMs: 0, onEvent: (event) => events.push(event) });
  };
  const unstartable = (cluster: FakeCluster): void => {
    const { uid = '' } = cluster.find('migrate')?.metadata ?? {};
    cluster.add({
      ...object('Pod', {
        phase: 'Pending',
        containerStatuses: [
          { name: 'main', state: { waiting: { reason: 'ImagePullBackOff', message: 'no such tag' } } },
        ],
      }),
      metadata: {
        name: 'migrate-x',
        labels: { 'batch.kubernetes.io/controller-uid': uid },
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'migrate', uid, controller: true }],
      },
    });
  };

  test('cannot run later, and is suspended before the failure is told', async () => {
    const cluster = new FakeCluster();
    const events: ExecutionEvent[] = [];
    const running = start(cluster, events);
    const outcome = expect(running).rejects.toMatchObject({
      code: 'wait-failed',
      message: expect.stringMatching(/^failed pre-install: .*ImagePullBackOff: no such tag/),
    });
    await cluster.sees('migrate');
    unstartable(cluster);
    await outcome;
    expect(cluster.find('migrate', 'Job')?.['spec']).toEqual({ suspend: true });
    const order = events.flatMap((event) => (event.kind === 'note' || event.kind === 'hook' ? [event.kind] : []));
    expect(order.lastIndexOf('hook')).toBeGreaterThan(order.indexOf('note'));
  });

  test('where that is forbidden, the failure is told all the same', async () => {
    const cluster = new FakeCluster();
    cluster.failOn('patch', 'migrate', refusal(403, 'Forbidden', object('Job', {}), 'is forbidden'));
    const events: ExecutionEvent[] = [];
    const outcome = expect(start(cluster, events)).rejects.toMatchObject({ code: 'wait-failed' });
    await cluster.sees('migrate');
    unstartable(cluster);
    await outcome;
    expect(events).toContainEqual({
      kind: 'warning',
      text: 'Job/migrate in default could not be suspended: jobs.batch "migrate" is forbidden',
    });
  });
});
