import { describe, expect, test } from 'vitest';
import { podFact, podFacts } from '../../../src/cluster/diagnosis/pod-facts.ts';
import { refusalOf } from '../../../src/cluster/diagnosis/refused-pods.ts';
import {
  failingPodsOf,
  nothingBefore,
  type StateBeforeDeploy,
  verdictOn,
} from '../../../src/cluster/diagnosis/verdict.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import type { WorkloadFact } from '../../../src/problem/workload-fact.ts';

const owned = (owner: KubernetesObject) => [
  { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid ?? '' },
];
const make = (apiVersion: string, kind: string, name: string, more: object = {}): KubernetesObject => {
  const { metadata, ...rest } = more as { metadata?: object };
  return { apiVersion, kind, metadata: { name, uid: `uid-${name}`, generation: 1, ...metadata }, ...rest };
};
const waitingFor = (reason: string, message = '', more: object = {}): object => ({
  phase: 'Pending',
  containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason, message } }, ...more }],
});
const crashed = (reason: string, restarts = 3) =>
  waitingFor(reason, '', { restartCount: restarts, lastState: { terminated: { exitCode: 2, reason: 'Error' } } });

const deployment = make('apps/v1', 'Deployment', 'web', {
  metadata: { annotations: { 'deployment.kubernetes.io/revision': '2' } },
  status: { observedGeneration: 1 },
});
const replicaSet = (name: string, revision: string, status: object = {}): KubernetesObject =>
  make('apps/v1', 'ReplicaSet', name, {
    metadata: { ownerReferences: owned(deployment), annotations: { 'deployment.kubernetes.io/revision': revision } },
    status,
  });
const [oldSet, newSet] = [replicaSet('web-old', '1'), replicaSet('web-new', '2')];
const podOf = (owner: KubernetesObject, name: string, status: object, metadata: object = {}): KubernetesObject =>
  make('v1', 'Pod', name, { metadata: { ownerReferences: owned(owner), ...metadata }, status });
const refusedEvent = (owner: KubernetesObject, message: string, more: object = {}): KubernetesObject =>
  make('v1', 'Event', `event-${owner.metadata.name}`, {
    involvedObject: { uid: owner.metadata.uid },
    reason: 'FailedCreate',
    message,
    count: 2,
    lastTimestamp: '2026-01-01T00:00:10Z',
    ...more,
  });

/** A fact as programs get it. */
const shown = (fact: WorkloadFact | undefined): unknown => JSON.parse(JSON.stringify(fact));

/** `never: p app image-name-invalid`: what may be hoped for, where and what it is. */
const summaryOf = ({ outlook, pod, container, code }: WorkloadFact): string =>
  `${outlook}: ${[pod ?? [], container ?? [], code].flat().join(' ')}`;

/** The verdict in one line. */
function verdict(
  object: KubernetesObject,
  around: readonly KubernetesObject[],
  before: Partial<StateBeforeDeploy> = {},
): string {
  const found = verdictOn(object, {
    related: ({ metadata: { uid } }) =>
      around.filter(
        (one) =>
          one.metadata.ownerReferences?.some((owner) => owner.uid === uid) ||
          (one['involvedObject'] as { uid?: string } | undefined)?.uid === uid,
      ),
    nearby: (kind) => around.filter((one) => one.kind === kind),
    before: { ...nothingBefore, ...before },
  });
  return found === undefined ? 'waits' : found.facts.map(summaryOf).join('; ');
}

describe('by what a container says of itself', () => {
  test.each([
    [waitingFor('ContainerCreating'), 'waits'],
    [waitingFor('PodInitializing'), 'waits'],
    [waitingFor('InvalidImageName', 'bad'), 'never: p app image-name-invalid'],
    [waitingFor('ErrImageNeverPull', 'x'), 'never: p app image-not-on-node'],
    [
      waitingFor('CreateContainerConfigError', "couldn't find key a in ConfigMap default/c"),
      'never: p app reference-missing',
    ],
    [waitingFor('CreateContainerConfigError', 'secret "s" not found'), 'doubtful: p app reference-missing'],
    [
      waitingFor('CreateContainerConfigError', 'container has runAsNonRoot and image will run as root'),
      'never: p app root-refused',
    ],
    [waitingFor('CreateContainerConfigError', 'configmap "non-root" not found'), 'doubtful: p app reference-missing'],
    [waitingFor('ErrImagePull', 'no'), 'doubtful: p app image-pull-failed'],
    [waitingFor('ImagePullBackOff', 'no'), 'doubtful: p app image-pull-failed'],
    [crashed('CrashLoopBackOff'), 'doubtful: p app program-ended'],
    [
      { phase: 'Running', containerStatuses: [{ name: 'app', restartCount: 2, ready: false, state: { running: {} } }] },
      'waits',
    ],
    [
      {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' }],
      },
      'waits',
    ],
    [
      {
        phase: 'Pending',
        initContainerStatuses: [{ name: 'init', restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
        containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason: 'PodInitializing' } } }],
      },
      'doubtful: p init program-ended',
    ],
    [{ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }, 'waits'],
  ])('%j → %s', (status, expected) => {
    expect(verdict(deployment, [newSet, podOf(newSet, 'p', status)])).toBe(expected);
  });

  test.each([
    ['exec: "/app/serve": stat /app/serve: no such file or directory', 'never'],
    ['exec: "serve": executable file not found in $PATH', 'never'],
    ['exec: "/data": is a directory', 'never'],
    ['error during container init: exec /serve: exec format error', 'never'],
    ['error during container init: error mounting "proc" to rootfs: no space left on device', 'doubtful'],
  ])('a program that cannot be started is named, and comes back where it is there: %s', (start, outlook) => {
    const message = `failed to create containerd task: runc create failed: unable to start container process: ${start}: unknown`;
    const lastState = { terminated: { exitCode: 128, reason: 'StartError', message } };
    const containerStatuses = [{ name: 'a', lastState, state: { waiting: { reason: 'CrashLoopBackOff' } } }];
    expect(shown(podFact(make('v1', 'Pod', 'p', { status: { containerStatuses } })))).toMatchObject({
      outlook,
      code: 'program-not-started',
      reason: 'CrashLoopBackOff',
      why: 'StartError',
      words: `unable to start container process: ${start}`,
    });
  });

  test.each([
    ['Liveness', 137, 'killed-by-probe'],
    ['Readiness', 137, 'program-ended'],
    ['Liveness', 1, 'program-ended'],
  ])('a container that ended after its %s probe failed, with %i: %s', (probe, exitCode, code) => {
    const event = { reason: 'Unhealthy', message: `${probe} probe failed: 503`, count: 3 };
    const status = { containerStatuses: [{ name: 'a', state: { terminated: { exitCode, reason: 'Error' } } }] };
    const pod = make('v1', 'Pod', 'p', { status });
    expect(podFacts(pod, [make('v1', 'Event', 'e', event)])).toMatchObject([{ code, reason: 'Error', exitCode }]);
  });

  test('a failed pull names its image once', () => {
    const image = 'registry.acme.io/web:1';
    const failure = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
    const message = `Back-off pulling image "${image}": ErrImagePull: rpc error: code = NotFound desc = ${failure}`;
    const status = { containerStatuses: [{ name: 'a', state: { waiting: { reason: 'ImagePullBackOff', message } } }] };
    expect(shown(podFact(make('v1', 'Pod', 'p', { status })))).toMatchObject({
      code: 'image-not-found',
      reason: 'ImagePullBackOff',
      words: `failed to pull and unpack image "${image}": not found`,
    });
  });

  test('what never recovers goes before what may', () => {
    const pods = [
      podOf(newSet, 'p', waitingFor('ImagePullBackOff')),
      podOf(newSet, 'q', waitingFor('InvalidImageName')),
    ];
    expect(verdict(deployment, [newSet, ...pods])).toBe('never: q app image-name-invalid');
  });
});

describe('only what the present specification asks for counts', () => {
  const broken = waitingFor('InvalidImageName');

  test.each<[string, KubernetesObject, KubernetesObject[], Partial<StateBeforeDeploy>, string]>([
    ['pods of an old ReplicaSet', deployment, [oldSet, newSet, podOf(oldSet, 'p', broken)], {}, 'waits'],
    ['a ReplicaSet that is not seen yet', deployment, [oldSet, podOf(oldSet, 'p', broken)], {}, 'waits'],
    [
      'a specification that its controller has not seen',
      { ...deployment, metadata: { ...deployment.metadata, generation: 2 } },
      [newSet, podOf(newSet, 'p', broken)],
      {},
      'waits',
    ],
    [
      'pods that were in trouble before',
      deployment,
      [newSet, podOf(newSet, 'p', broken)],
      { failingPods: new Set(['uid-p']) },
      'waits',
    ],
    [
      'pods that were there before, and well',
      deployment,
      [newSet, podOf(newSet, 'p', broken)],
      { pods: new Set(['uid-p']) },
      'never: p app image-name-invalid',
    ],
    [
      'pods on their way out',
      deployment,
      [newSet, podOf(newSet, 'p', broken, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
      {},
      'waits',
    ],
  ])('%s', (_what, object, around, before, expected) => {
    expect(verdict(object, around, before)).toBe(expected);
  });

  test.each(['old', 'new'])('of a StatefulSet: its %s revision', (revision) => {
    const set = make('apps/v1', 'StatefulSet', 'db', { status: { observedGeneration: 1, updateRevision: 'new' } });
    const pod = podOf(set, 'db-0', broken, { labels: { 'controller-revision-hash': revision } });
    expect(verdict(set, [pod])).toBe(revision === 'old' ? 'waits' : 'never: db-0 app image-name-invalid');
  });

  test.each(['1', '2'])('of a DaemonSet: its generation 2, not %s', (generation) => {
    const set = make('apps/v1', 'DaemonSet', 'agent', {
      metadata: { annotations: { 'deprecated.daemonset.template.generation': '2' } },
      status: { observedGeneration: 1 },
    });
    const pod = podOf(set, 'a-x', broken, { labels: { 'pod-template-generation': generation } });
    expect(verdict(set, [pod])).toBe(generation === '1' ? 'waits' : 'never: a-x app image-name-invalid');
  });

  test('pods in trouble are those that may not recover', () => {
    const pods = [podOf(newSet, 'p', crashed('CrashLoopBackOff')), podOf(newSet, 'q', waitingFor('ContainerCreating'))];
    expect([...failingPodsOf(pods)]).toEqual(['uid-p']);
  });
});

describe('a Job decides itself about its failures', () => {
  const job = make('batch/v1', 'Job', 'migrate', { spec: { backoffLimit: 3 } });

  test.each([
    [
      'a failed pod',
      { phase: 'Failed', containerStatuses: [{ name: 'app', state: { terminated: { exitCode: 1 } } }] },
      'waits',
    ],
    ['a restart in place', crashed('CrashLoopBackOff'), 'waits'],
    [
      'but never counts a container that cannot be started',
      waitingFor('InvalidImageName'),
      'never: p app image-name-invalid',
    ],
    ['nor an image that cannot be had', waitingFor('ImagePullBackOff'), 'doubtful: p app image-pull-failed'],
  ])('%s', (_what, status, expected) => {
    expect(verdict(job, [podOf(job, 'p', status)])).toBe(expected);
  });

  test('past its limit it is lost before its last pod is gone', () => {
    const conditions = [{ type: 'FailureTarget', status: 'True', reason: 'BackoffLimitExceeded', message: 'limit' }];
    expect(verdict({ ...job, status: { conditions } }, [])).toBe('never: job-failed');
  });
});

test('a bare pod answers for itself', () => {
  const pod = make('v1', 'Pod', 'p', { status: crashed('CrashLoopBackOff', 1) });
  expect(verdict(pod, [])).toBe('doubtful: app program-ended');
  const status = { phase: 'Failed', containerStatuses: [{ name: 'app', state: { terminated: { exitCode: 7 } } }] };
  expect(podFact(make('v1', 'Pod', 'p', { status }))).toMatchObject({ outlook: 'never', exitCode: 7 });
});

describe('a Deployment past its deadline', () => {
  const conditions = [
    { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out progressing' },
  ];
  const late = { ...deployment, status: { observedGeneration: 1, conditions } };

  test.each<[string, ReadonlyMap<string, number>, string]>([
    ['has failed, as its controller says', new Map(), 'never: progress-deadline-exceeded'],
    ['was so before, and is unchanged', new Map([['uid-web', 1]]), 'waits'],
    ['was so before, and is changed', new Map([['uid-web', 0]]), 'doubtful: progress-deadline-exceeded'],
  ])('%s', (_what, pastDeadline, expected) => {
    expect(verdict(late, [], { pastDeadline })).toBe(expected);
  });
});

// Messages as the API server's admission plugins and controllers write them.
describe('pods that are refused', () => {
  const quota = 'pods "web-x" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1';
  const account =
    'pods "web-" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found';
  const denied = 'admission webhook "check.example.com" denied the request: no';
  const unreachable =
    'Internal error occurred: failed calling webhook "check.example.com": failed to call webhook: Post "https://x": no endpoints available';

  test.each([
    [quota, 'pods-exceed-quota'],
    [account, 'service-account-missing'],
    [denied, 'pods-refused'],
    ['pods "x" is forbidden: violates PodSecurity "restricted:latest": privileged', 'pods-refused'],
    ['pods "x" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi', 'pods-refused'],
    ['Pod "x" is invalid: spec.containers[0].image: Required value', 'pods-refused'],
    [unreachable, 'pods-not-created'],
    [
      'admission webhook "check.example.com" denied the request: exceeded quota: Internal error occurred',
      'pods-refused',
    ],
    [`Error creating: ${quota}`, 'pods-exceed-quota'],
    [`create Pod web-0 in StatefulSet web failed error: ${account}`, 'service-account-missing'],
    // kube-controller-manager v1.36.3
    [`Create Pod web-0 in StatefulSet web failed error: ${account}`, 'service-account-missing'],
    ['Timeout: request did not complete within requested timeout', 'pods-not-created'],
  ])('%s: %s', (message, code) => {
    expect(refusalOf(message, false).code).toBe(code);
  });

  const refusing = (message: string) =>
    replicaSet('web-new', '2', {
      conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }],
    });

  test.each<[string, KubernetesObject[], Partial<StateBeforeDeploy>, string]>([
    [quota, [], {}, 'never'],
    [quota, [podOf(oldSet, 'old', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })], {}, 'doubtful'],
    [quota, [podOf(oldSet, 'old', {})], { pods: new Set(['uid-old']) }, 'doubtful'],
    [quota, [], { pods: new Set(['uid-gone']) }, 'doubtful'],
    [quota, [podOf(make('batch/v1', 'Job', 'j'), 'j-x', {})], {}, 'doubtful'],
    [denied, [podOf(oldSet, 'old', {})], { pods: new Set(['uid-old']) }, 'never'],
    [account, [], {}, 'doubtful'],
    [unreachable, [], {}, 'waits'],
  ])('%s with %j', (message, others, before, outlook) => {
    const expected = outlook === 'waits' ? outlook : `${outlook}: ${refusalOf(message, false).code}`;
    expect(verdict(deployment, [refusing(message), ...others], before)).toBe(expected);
  });

  const set = make('apps/v1', 'StatefulSet', 'db', { spec: { replicas: 2 }, status: { observedGeneration: 1 } });
  const pod = (created: string) => podOf(set, 'db-0', {}, { creationTimestamp: created });

  test.each<[string, KubernetesObject[], Partial<StateBeforeDeploy>, string]>([
    ['an event', [refusedEvent(set, denied)], {}, 'never'],
    ['one that was there before', [refusedEvent(set, denied)], { refusals: new Map([['uid-event-db', 2]]) }, 'waits'],
    ['one that has come again', [refusedEvent(set, denied)], { refusals: new Map([['uid-event-db', 1]]) }, 'never'],
    ['a pod was made since', [refusedEvent(set, denied), pod('2026-01-01T00:00:11Z')], {}, 'waits'],
    ['a pod was made before', [refusedEvent(set, denied), pod('2026-01-01T00:00:09Z')], {}, 'never'],
    ['another event', [refusedEvent(set, denied, { reason: 'FailedUpdate' })], {}, 'waits'],
  ])('of a StatefulSet, by events: %s', (_what, around, before, outlook) => {
    const expected = outlook === 'waits' ? outlook : `${outlook}: pods-refused`;
    expect(verdict(set, around, before)).toBe(expected);
  });
});
