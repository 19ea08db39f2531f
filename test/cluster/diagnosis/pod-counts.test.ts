import { expect, test } from 'vitest';
import { podCounts } from '../../../src/cluster/diagnosis/pod-counts.ts';

const object = (apiVersion: string, kind: string, spec: object, status: object) => ({
  apiVersion,
  kind,
  metadata: { name: 'web' },
  spec,
  status,
});

test.each([
  ['a new Deployment', object('apps/v1', 'Deployment', { replicas: 2 }, {}), { ready: 0, desired: 2 }],
  [
    'a Deployment that is half there',
    object('apps/v1', 'Deployment', { replicas: 2 }, { replicas: 2, updatedReplicas: 2, readyReplicas: 1 }),
    { ready: 1, desired: 2 },
  ],
  [
    'a rollout whose ready pods are the old ones',
    object('apps/v1', 'Deployment', { replicas: 2 }, { replicas: 3, updatedReplicas: 1, readyReplicas: 2 }),
    { ready: 0, desired: 2 },
  ],
  [
    'a StatefulSet without replicas wants one',
    object('apps/v1', 'StatefulSet', {}, { replicas: 1, updatedReplicas: 1, readyReplicas: 1 }),
    { ready: 1, desired: 1 },
  ],
  ['a DaemonSet that nobody counted yet', object('apps/v1', 'DaemonSet', {}, {}), undefined],
  [
    'a DaemonSet',
    object('apps/v1', 'DaemonSet', {}, { desiredNumberScheduled: 3, numberReady: 2 }),
    { ready: 2, desired: 3 },
  ],
  [
    'a Job: those that have completed',
    object('batch/v1', 'Job', { completions: 4, parallelism: 2 }, { succeeded: 3, active: 1 }),
    { ready: 3, desired: 4 },
  ],
  ['a ConfigMap has none', object('v1', 'ConfigMap', {}, {}), undefined],
])('%s', (_what, of, counts) => expect(podCounts(of)).toEqual(counts));
