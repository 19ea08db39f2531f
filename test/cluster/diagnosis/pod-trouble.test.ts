import { describe, expect, test } from 'vitest';
import { containerText, podTroubles } from '../../../src/cluster/diagnosis/pod-trouble.ts';

const runsAgain = (name: string) => ({
  name,
  ready: false,
  restartCount: 1,
  state: { running: {} },
  lastState: { terminated: { exitCode: 2 } },
});

test.each([
  ['an init container', undefined, 'init container fetch: it has not ended yet after exit code 2'],
  ['a sidecar', 'Always', 'container fetch: it runs but is not ready after exit code 2'],
])('%s that runs once more', (_what, restartPolicy, expected) => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1-x' },
    spec: { initContainers: [{ name: 'fetch', restartPolicy }], containers: [{ name: 'app' }] },
    status: { phase: 'Pending', initContainerStatuses: [runsAgain('fetch')] },
  };
  expect(podTroubles(pod).map((trouble) => `${containerText(trouble)}: ${trouble.reason}`)).toEqual([expected]);
});

describe('what the specification adds to it', () => {
  const limited = { resources: { limits: { memory: '256Mi' } } };
  const troubleOf = (container: object, status: object, spec: object = {}) =>
    podTroubles({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1-x' },
      spec: { containers: [{ name: 'app', image: 'example.com/web:1', ...container }], ...spec },
      status: { phase: 'Pending', ...status },
    })[0]?.reason;
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
    ['a memory limit', limited, held('CrashLoopBackOff'), 'CrashLoopBackOff (OOMKilled: memory limit 256Mi)'],
    ['no limit', {}, held('CrashLoopBackOff'), 'CrashLoopBackOff (OOMKilled)'],
    ['a limit before the back-off', limited, ended, 'OOMKilled: memory limit 256Mi'],
    ['the image', {}, held('ImagePullBackOff'), 'ImagePullBackOff: image "example.com/web:1"'],
    [
      'a registry that refuses',
      {},
      held('ErrImagePull', 'unexpected status: 401 Unauthorized'),
      'ErrImagePull: image "example.com/web:1": unexpected status: 401 Unauthorized (the registry refuses the credentials (imagePullSecrets))',
    ],
    [
      'a registry that is not there',
      {},
      held('ErrImagePull', 'dial tcp: lookup example.com: no such host'),
      'ErrImagePull: image "example.com/web:1": dial tcp: lookup example.com: no such host (the registry cannot be reached)',
    ],
    [
      'what it asks for',
      { resources: { requests: { cpu: '12' } } },
      unplaced('0/3 nodes are available: 3 Insufficient cpu.'),
      'Unschedulable: 0/3 nodes are available: 3 Insufficient cpu. (the pod requests cpu 12)',
    ],
  ])('%s', (_what, container, status, reason) => expect(troubleOf(container, status)).toBe(reason));

  test('the labels of nodes that it wants', () => {
    const message = "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector";
    const reason = troubleOf({}, unplaced(message), { nodeSelector: { disk: 'ssd' } });
    expect(reason).toBe(`Unschedulable: ${message} (nodeSelector disk=ssd)`);
  });
});
