import { describe, expect, test } from 'vitest';
import { podFacts } from '../../../src/cluster/diagnosis/pod-facts.ts';

/** As programs get it. */
const shown = (data: unknown): unknown => JSON.parse(JSON.stringify(data ?? null));

const runsAgain = (name: string) => ({
  name,
  ready: false,
  restartCount: 1,
  state: { running: {} },
  lastState: { terminated: { exitCode: 2 } },
});

test.each([
  ['an init container', undefined, { isInit: true }],
  ['a sidecar', 'Always', {}],
])('%s that runs once more', (_what, restartPolicy, expected) => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1-x' },
    spec: { initContainers: [{ name: 'fetch', restartPolicy }], containers: [{ name: 'app' }] },
    status: { phase: 'Pending', initContainerStatuses: [runsAgain('fetch')] },
  };
  const fact = {
    outlook: 'open',
    code: 'container-not-ready',
    container: 'fetch',
    restarts: 1,
    before: { exitCode: 2 },
  };
  expect(podFacts(pod)).toEqual([{ ...fact, ...expected }]);
});

describe('what the specification adds to it', () => {
  const limited = { resources: { limits: { memory: '256Mi' } } };
  const troubleOf = (container: object, status: object, spec: object = {}) =>
    shown(
      podFacts({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web-1-x' },
        spec: { containers: [{ name: 'app', image: 'example.com/web:1', ...container }], ...spec },
        status: { phase: 'Pending', ...status },
      })[0],
    );
  const held = (reason: string, message?: string) => ({
    containerStatuses: [
      {
        name: 'app',
        restartCount: 2,
        state: { waiting: { reason, message } },
        lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
      },
    ],
  });
  const unplaced = (message: string) => ({
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
  });
  const ended = { containerStatuses: [{ name: 'app', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }] };

  test.each([
    [
      'a memory limit',
      limited,
      held('CrashLoopBackOff'),
      { code: 'out-of-memory', reason: 'CrashLoopBackOff', limit: '256Mi' },
    ],
    ['no limit', {}, held('CrashLoopBackOff'), { code: 'out-of-memory', reason: 'CrashLoopBackOff' }],
    ['a limit before the back-off', limited, ended, { code: 'out-of-memory', reason: 'OOMKilled', limit: '256Mi' }],
    ['the image', {}, held('ImagePullBackOff'), { code: 'image-pull-failed', image: 'example.com/web:1' }],
    [
      'a registry that refuses',
      {},
      held('ErrImagePull', 'unexpected status: 401 Unauthorized'),
      { code: 'image-denied', words: 'image "example.com/web:1": unexpected status: 401 Unauthorized' },
    ],
    [
      'a registry that is not there',
      {},
      held('ErrImagePull', 'dial tcp: lookup example.com: no such host'),
      { code: 'registry-unreachable' },
    ],
    [
      'what it asks for',
      { resources: { requests: { cpu: '12' } } },
      unplaced('0/3 nodes are available: 3 Insufficient cpu.'),
      { code: 'pod-unschedulable', obstacles: [], lacking: [{ resource: 'cpu', requested: ['12'] }] },
    ],
  ])('%s', (_what, container, status, fact) => expect(troubleOf(container, status)).toMatchObject(fact));

  test('the labels of nodes that it wants', () => {
    const message = "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector";
    const fact = troubleOf({}, unplaced(message), { nodeSelector: { disk: 'ssd' } });
    expect(fact).toMatchObject({ obstacles: ['node-selector'], nodeSelector: ['disk=ssd'], lacking: [] });
  });
});

test.each([
  [{ httpGet: { port: 80 } }, { answer: 'status', status: 503 }],
  [{ exec: { command: ['check'] } }, { answer: 'other', asked: 'command: check' }],
])('what the command of a probe writes is no answer to it: %j', (readinessProbe, answer) => {
  const running = { name: 'app', ready: false, restartCount: 0, state: { running: {} } };
  const message = 'Readiness probe failed: HTTP probe failed with statuscode: 503';
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'app', readinessProbe }] },
    status: { phase: 'Running', containerStatuses: [running] },
  };
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, reason: 'Unhealthy', message };
  const [fact] = shown(podFacts(pod, [event])) as [{ probe: { status?: number } }];
  expect(fact).toMatchObject({ code: 'probe-failed', probe: { kind: 'readiness', words: message, ...answer } });
  expect(fact.probe.status).toBe('status' in answer ? 503 : undefined);
});
