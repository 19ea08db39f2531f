import { expect, test } from 'vitest';
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
