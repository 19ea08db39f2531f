import { describe, expect, test } from 'vitest';
import { progressMarksOf } from '../../../src/cluster/diagnosis/grace.ts';
import { hindrancesOf } from '../../../src/cluster/diagnosis/hindrance.ts';
import { missingVolume } from '../../../src/cluster/diagnosis/pod-events.ts';
import { RelatedObjects } from '../../../src/cluster/diagnosis/related-objects.ts';
import { nothingBefore, type Surroundings, verdictOn } from '../../../src/cluster/diagnosis/verdict.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

/** The first hindrance, as programs get it. */
const hindranceOf = (object: KubernetesObject, surroundings: Surroundings): unknown => {
  const [first] = hindrancesOf(object, surroundings);
  return first && JSON.parse(JSON.stringify(first));
};

const claim: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', uid: 'claim' },
  status: { phase: 'Pending' },
};
const event = (reason: string, message: string, lastTimestamp: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: reason + lastTimestamp },
  involvedObject: { uid: 'claim' },
  reason,
  message,
  lastTimestamp,
});
const set: KubernetesObject = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web-1', uid: 'set' } };
const deployment: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', uid: 'web' },
};
const pod = (status: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1-x', uid: 'pod' },
  status,
});
const unplaced = (message: string): object => ({
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
});
const around = (related: Readonly<Record<string, readonly KubernetesObject[]>>) => ({
  related: ({ metadata }: KubernetesObject) => related[metadata.uid ?? ''] ?? [],
  nearby: (kind: string) =>
    Object.values(related)
      .flat()
      .filter((one) => one.kind === kind),
  before: nothingBefore,
});

/** What is undefined hinders nothing. */
function check(found: unknown, expected: object | undefined): void {
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
}

test.each<[string, KubernetesObject[], object | undefined]>([
  ['a claim without events only waits', [], undefined],
  [
    'the last word of its controller counts',
    [
      event('ProvisioningFailed', 'no class', '2026-01-01T00:00:02Z'),
      event('FailedBinding', 'x', '2026-01-01T00:00:01Z'),
    ],
    { code: 'claim-not-bound', reason: 'ProvisioningFailed', words: 'no class' },
  ],
  [
    'that it waits for its first pod is no trouble',
    [event('WaitForFirstConsumer', 'y', '2026-01-01T00:00:02Z')],
    undefined,
  ],
])('a volume: %s', (_what, events, expected) => check(hindranceOf(claim, around({ claim: events })), expected));

test.each([
  [{ phase: 'Pending' }, undefined],
  [
    unplaced('0/1 nodes are available: 1 node(s) had no room. preemption: 0/1 nodes are available: 1 No victims.'),
    { pod: 'web-1-x', code: 'pod-unschedulable', words: '0/1 nodes are available: 1 node(s) had no room' },
  ],
  [
    { phase: 'Running', containerStatuses: [{ name: 'a', ready: false, restartCount: 0, state: { running: {} } }] },
    undefined,
  ],
  [
    {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'a',
          ready: false,
          restartCount: 1,
          state: { running: {} },
          lastState: { terminated: { exitCode: 3 } },
        },
      ],
    },
    { pod: 'web-1-x', container: 'a', code: 'container-not-ready', before: { exitCode: 3 }, restarts: 1 },
  ],
])('a pod %j', (status, expected) =>
  check(hindranceOf(deployment, around({ web: [set], set: [pod(status)] })), expected),
);

const about = (uid: string, kind: string, name: string, container?: string) => ({
  involvedObject: { uid, kind, name, ...(container !== undefined && { fieldPath: `spec.containers{${container}}` }) },
});
const running = { name: 'a', ready: false, restartCount: 0, state: { running: {} } };

test.each([
  ['has failed once, as of most programs that start', 1, 'a', undefined],
  ['goes on failing', 2, 'a', { pod: 'web-1-x', container: 'a', code: 'probe-failed', probe: { kind: 'readiness' } }],
  ['of another container', 2, 'b', undefined],
])('a probe that %s', (_what, count, container, expected) => {
  const failure = { ...event('Unhealthy', 'Readiness probe failed: 503', ''), ...about('pod', 'Pod', 'p', container) };
  const related = { web: [set], set: [pod({ phase: 'Running', containerStatuses: [running] })] };
  check(hindranceOf(deployment, around({ ...related, pod: [{ ...failure, count }] })), expected);
});

test('a pod that waits for its claim: the claim and why, not that it is unschedulable', () => {
  const spec = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] };
  const status = unplaced('0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found');
  const pods = [{ ...pod(status), spec }];
  const of = (events: readonly KubernetesObject[]) =>
    hindranceOf(deployment, around({ web: [set], set: pods, e: events }));
  const failure = { ...event('ProvisioningFailed', 'no class', ''), ...about('c', 'PersistentVolumeClaim', 'data') };
  expect(of([failure])).toMatchObject({ pod: 'web-1-x', code: 'claim-not-bound', claim: 'data', words: 'no class' });
  expect(of([{ ...failure, ...about('c', 'PersistentVolumeClaim', 'other') }])).toMatchObject({
    code: 'pod-unschedulable',
    words: '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims',
  });
});

test('news of a claim concern the owners of the pods that mount it', () => {
  const objects = new RelatedObjects();
  const owner = (uid: string) => ({ ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid }] });
  objects.change({ ...set, metadata: { ...set.metadata, ...owner('web') } }, false);
  const spec = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] };
  objects.change({ ...pod({}), metadata: { ...pod({}).metadata, ...owner('set') }, spec }, false);
  const news = { ...event('ProvisioningFailed', 'no class', ''), ...about('c', 'PersistentVolumeClaim', 'data') };
  expect([...objects.change(news, false)]).toEqual(expect.arrayContaining(['c', 'pod', 'set', 'web']));
});

test('a volume that cannot be mounted is told while the pod waits for it', () => {
  const failure = { ...event('FailedMount', 'configmap "web" not found', ''), ...about('pod', 'Pod', 'web-1-x') };
  const related = { web: [set], set: [pod({ phase: 'Pending' })], pod: [failure] };
  expect(hindranceOf(deployment, around(related))).toMatchObject({
    pod: 'web-1-x',
    code: 'reference-missing',
    reason: 'FailedMount',
    missing: { kind: 'ConfigMap', name: 'web' },
  });
});

test('the probe that killed a container: what it asked, and when it gives up', () => {
  const killed = {
    name: 'app',
    restartCount: 2,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: { terminated: { exitCode: 137, reason: 'Error' } },
  };
  const livenessProbe = {
    httpGet: { path: '/live', port: 80 },
    initialDelaySeconds: 5,
    failureThreshold: 3,
    periodSeconds: 2,
  };
  const spec = { containers: [{ name: 'app', livenessProbe }] };
  const pods = [{ ...pod({ phase: 'Running', containerStatuses: [killed] }), spec }];
  const said = 'Liveness probe failed: HTTP probe failed with statuscode: 500';
  const failure = { ...event('Unhealthy', said, '2026-01-01T00:00:02Z'), ...about('pod', 'Pod', 'web-1-x'), count: 3 };
  const ready = { ...failure, message: 'Readiness probe failed: x', lastTimestamp: '2026-01-01T00:00:09Z' };
  expect(hindranceOf(deployment, around({ web: [set], set: pods, pod: [failure, ready] }))).toMatchObject({
    code: 'killed-by-probe',
    exitCode: 137,
    probe: { kind: 'liveness', answer: 'status', status: 500, words: said, asked: 'GET :80/live' },
    patience: { initialDelaySeconds: 5, failureThreshold: 3, periodSeconds: 2 },
  });
});

describe('a ConfigMap or Secret of a volume that nobody has made', () => {
  const creating = (conditions: readonly object[]): KubernetesObject =>
    pod({
      phase: 'Pending',
      conditions,
      containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } }],
    });
  const held = [{ type: 'PodReadyToStartContainers', status: 'False' }];
  const failure = (message: string): KubernetesObject => ({
    ...event('FailedMount', message, ''),
    ...about('pod', 'Pod', 'web-1-x'),
  });
  const missing = failure('secret "tls" not found');

  test.each<[string, KubernetesObject, KubernetesObject, string | undefined]>([
    ['may still come, like those that containers name', creating(held), missing, 'doubtful'],
    ['has come by then', creating([{ type: 'PodReadyToStartContainers', status: 'True' }]), missing, undefined],
    ['where the node does not tell whether it has', creating([]), missing, undefined],
    [
      'and a volume that is still held elsewhere, which passes',
      creating(held),
      failure('Multi-Attach error'),
      undefined,
    ],
  ])('%s', (_what, one, told, outlook) => {
    const surroundings = around({ web: [set], set: [one], pod: [told] });
    expect(verdictOn(deployment, surroundings)?.facts[0]?.outlook).toBe(outlook);
    const isHeld = (each: KubernetesObject): boolean => missingVolume(each, surroundings.related(each)) !== undefined;
    expect(progressMarksOf(deployment, [one], isHeld).isStarting).toBe(outlook === undefined);
  });
});
