import { expect, test } from 'vitest';
import { hindranceOf } from '../../../src/cluster/diagnosis/hindrance.ts';
import { nothingBefore } from '../../../src/cluster/diagnosis/verdict.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

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
  before: nothingBefore,
});

test.each([
  ['a claim without events only waits', [], undefined],
  [
    'the last word of its controller counts',
    [
      event('ProvisioningFailed', 'no class', '2026-01-01T00:00:02Z'),
      event('FailedBinding', 'x', '2026-01-01T00:00:01Z'),
    ],
    'ProvisioningFailed: no class',
  ],
  [
    'that it waits for its first pod is no trouble',
    [event('WaitForFirstConsumer', 'y', '2026-01-01T00:00:02Z')],
    undefined,
  ],
])('a volume: %s', (_what, events, expected) => expect(hindranceOf(claim, around({ claim: events }))).toBe(expected));

test.each([
  [{ phase: 'Pending' }, undefined],
  [
    unplaced('0/1 nodes are available: 1 node(s) had no room. preemption: 0/1 nodes are available: 1 No victims.'),
    'Pod/web-1-x Unschedulable: 0/1 nodes are available: 1 node(s) had no room',
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
    'Pod/web-1-x container a: it runs but is not ready after exit code 3, 1 restart',
  ],
])('a pod %j', (status, expected) =>
  expect(hindranceOf(deployment, around({ web: [set], set: [pod(status)] }))).toBe(expected),
);
