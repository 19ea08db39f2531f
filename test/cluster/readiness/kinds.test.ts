import { describe, expect, test } from 'vitest';
import { readiness } from '../../../src/cluster/readiness.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { Quote } from '../../../src/problem/quote.ts';

// What each rule says of the statuses that operators really write is tested with Argo CD's samples, in
// test/e2e/argo-health. Here are the rules of the rules.

const custom = (apiVersion: string, kind: string, status: object | undefined, more: object = {}): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x', generation: 1 },
  ...more,
  ...(status !== undefined && { status }),
});
const verdict = (object: KubernetesObject) => readiness(object, { strategy: 'watcher', waitForJobs: false });
const condition = (type: string, status: string, more: object = {}) => ({ type, status, ...more });
const widget = (status: object | undefined, more: object = {}) => custom('example.com/v1', 'Widget', status, more);

describe('a custom resource on which nothing has reported', () => {
  test.each([
    ['without a status', widget(undefined)],
    ['with an empty one', widget({})],
    ['with the default of a CRD', widget({ observedGeneration: 0 })],
    ['of a kind that has a rule', custom('argoproj.io/v1alpha1', 'Rollout', undefined)],
    [
      'that Argo CD will sync',
      custom('argoproj.io/v1alpha1', 'Application', undefined, { spec: { syncPolicy: { automated: {} } } }),
    ],
  ])('%s is waited for', (_what, object) => {
    expect(verdict(object)).toMatchObject({ state: 'waiting', facts: [{ code: 'status-missing' }] });
  });

  test.each([
    ['of a kind that never has one', custom('networking.istio.io/v1', 'VirtualService', undefined)],
    ['of a kind that needs none', custom('argoproj.io/v1alpha1', 'CronWorkflow', undefined)],
    [
      'that is paused',
      custom('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', undefined, { spec: { suspend: true } }),
    ],
    ['that somebody has to sync', custom('argoproj.io/v1alpha1', 'Application', undefined, { spec: {} })],
    ['of a kind of the API server itself', custom('networking.k8s.io/v1', 'Ingress', undefined)],
  ])('%s is ready', (_what, object) => expect(verdict(object).state).toBe('ready'));
});

const rollout = ['argoproj.io/v1alpha1', 'Rollout'] as const;
test.each([
  [
    'a field',
    ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'] as const,
    { spec: { suspend: true } },
    { field: 'spec.suspend', value: 'true' },
  ],
  ['a phase', rollout, { status: { phase: 'Paused' } }, { field: 'phase', value: 'Paused' }],
  [
    'a condition',
    rollout,
    { status: { conditions: [condition('Progressing', 'Unknown', { reason: 'RolloutPaused' })] } },
    { value: 'RolloutPaused' },
  ],
  [
    'a field that is not set',
    ['argoproj.io/v1alpha1', 'Application'] as const,
    { spec: { syncPolicy: {} } },
    { field: 'spec.syncPolicy.automated', value: '' },
  ],
])('what is paused is ready, and says so: by %s', (_what, [apiVersion, kind], more, said) => {
  const facts = [{ outlook: 'open', code: 'paused', ...said }];
  expect(verdict(custom(apiVersion, kind, undefined, more))).toEqual({ state: 'ready', facts });
});

test('a paused Deployment says so as well', () => {
  const deployment = custom('apps/v1', 'Deployment', undefined, { spec: { paused: true } });
  expect(verdict(deployment)).toMatchObject({ state: 'ready', facts: [{ code: 'paused', field: 'spec.paused' }] });
});

test('an OCI repository of Flux is no work for anybody', () => {
  const repository = custom('source.toolkit.fluxcd.io/v1', 'HelmRepository', undefined, { spec: { type: 'oci' } });
  expect(verdict(repository)).toEqual({ state: 'ready' });
});

describe('the generation that a status is about', () => {
  const at = (generation: number) => ({ metadata: { name: 'x', generation } });
  test.each([
    ['a number', { observedGeneration: 1, phase: 'Running' }, 'waiting'],
    ['a text, as Argo Rollouts writes it', { observedGeneration: '1', phase: 'Running' }, 'waiting'],
    ['a hash, as Argo Rollouts wrote it before 0.10', { observedGeneration: '77646c9d4c', phase: 'Running' }, 'ready'],
    ['inside of its conditions', { conditions: [condition('Ready', 'True', { observedGeneration: 1 })] }, 'waiting'],
    [
      'inside of the conditions of its parts',
      { parents: [{ conditions: [condition('Accepted', 'True', { observedGeneration: 1 })] }] },
      'waiting',
    ],
    ['absent', { conditions: [condition('Ready', 'True')] }, 'ready'],
  ])('%s', (_what, status, state) => {
    expect(verdict(widget(status, at(2))).state).toBe(state);
    expect(verdict(widget(status, at(1))).state).toBe('ready');
  });

  test('a failure that names no generation may be what was there before', () => {
    const failed = { phase: 'Failed' };
    const backup = (generation: number) => verdict(custom('velero.io/v1', 'Backup', failed, at(generation)));
    expect(backup(1)).toMatchObject({ state: 'failed', facts: [{ outlook: 'never' }] });
    expect(backup(2)).toMatchObject({ state: 'waiting', facts: [{ outlook: 'doubtful' }] });
  });
});

test('a broken Rollout has failed, and its message is the cause', () => {
  const status = { observedGeneration: '1', phase: 'Degraded', message: 'ProgressDeadlineExceeded: too slow' };
  expect(verdict(custom('argoproj.io/v1alpha1', 'Rollout', status))).toEqual({
    state: 'failed',
    reason: 'Degraded: ProgressDeadlineExceeded: too slow',
    facts: [
      {
        outlook: 'never',
        code: 'condition',
        reason: 'Degraded',
        words: new Quote('ProgressDeadlineExceeded: too slow'),
      },
    ],
  });
});

describe('common words, where a kind has no rule', () => {
  test.each([
    ['Ready decides', { phase: 'Pending', conditions: [condition('Ready', 'True')] }, 'ready', undefined],
    ['Ready is not true', { conditions: [condition('Ready', 'False')] }, 'waiting', 'open'],
    ['another good condition is false', { conditions: [condition('Synced', 'False')] }, 'waiting', 'open'],
    [
      'a condition that nobody knows is not looked at',
      { conditions: [condition('Fancy', 'False')] },
      'ready',
      undefined,
    ],
    ['a bad condition is true', { conditions: [condition('Degraded', 'True')] }, 'waiting', 'doubtful'],
    ['a phase says that it failed', { phase: 'Failed' }, 'waiting', 'doubtful'],
    ['a phase says that it is under way', { state: 'IN_PROGRESS' }, 'waiting', 'open'],
    ['a phase that nobody knows', { phase: 'Purple' }, 'ready', undefined],
  ])('%s', (_what, status, state, outlook) => {
    const found = verdict(widget(status));
    expect(found.state).toBe(state);
    expect(found.state === 'ready' ? undefined : found.facts?.[0]?.outlook).toBe(outlook);
  });

  test('a status may hold anything', () => {
    const status = { phase: [[{ toString: 1 }, null]], reason: { toString: 1 } };
    expect(verdict(widget(status)).state).toBe('ready');
    expect(verdict(custom('apm.k8s.elastic.co/v1', 'ApmServer', status)).state).toBe('waiting');
  });

  test('too few replicas are ready', () => {
    const status = { readyReplicas: 1 };
    expect(verdict(widget(status, { spec: { replicas: 2 } }))).toMatchObject({ reason: '1 of 2 replicas ready' });
    expect(verdict(widget(status, { spec: { replicas: 1 } })).state).toBe('ready');
  });

  test('a game server with players is ready', () => {
    const fleet = (status: object) => custom('agones.dev/v1', 'Fleet', status, { spec: { replicas: 3 } });
    const status = { replicas: 3, readyReplicas: 1, reservedReplicas: 0, allocatedReplicas: 2 };
    expect(verdict(fleet(status)).state).toBe('ready');
    expect(verdict(fleet({ ...status, allocatedReplicas: 1 }))).toMatchObject({ reason: '2 of 3 replicas ready' });
  });

  test('a phase without a message is the whole reason', () => {
    expect(verdict(widget({ phase: 'Pending' }))).toMatchObject({ reason: 'Pending' });
  });
});

test.each([
  ['is not met', 'snapshot.storage.k8s.io/v1', 'VolumeSnapshot', { readyToUse: false }, 'readyToUse is false'],
  [
    'is one of trouble',
    'postgresql.cnpg.io/v1',
    'Database',
    { applied: false, message: 'no role' },
    'applied is false: no role',
  ],
])('a test of true or false that %s names its field', (_what, apiVersion, kind, status, reason) => {
  expect(verdict(custom(apiVersion, kind, status))).toMatchObject({ reason });
});

// Argo CD: pkg/apis/application/v1alpha1/types.go, SyncPolicyAutomated.Enabled and SyncStatusCode.
test.each([
  ['is judged by its health once it is synced', {}, 'Synced', 'waiting'],
  ['is not waited for before', {}, 'OutOfSync', 'ready'],
  ['is not waited for where automated syncs are off', { automated: { enabled: false } }, 'OutOfSync', 'ready'],
  ['is judged by its health where they are on', { automated: {} }, 'OutOfSync', 'waiting'],
])('an application that a person syncs %s', (_what, syncPolicy, sync, state) => {
  const status = { health: { status: 'Degraded' }, sync: { status: sync } };
  const application = custom('argoproj.io/v1alpha1', 'Application', status, { spec: { syncPolicy } });
  expect(verdict(application).state).toBe(state);
});

test.each([
  ['its own kind', 'cert-manager.io/v1', 'Certificate', { conditions: [condition('Issuing', 'True')] }, 'waiting'],
  ['any kind of its group', 'external-secrets.io/v1', 'Fancy', { phase: 'Running' }, 'waiting'],
  ['a group below another', 's3.aws.crossplane.io/v1', 'Bucket', { conditions: [condition('Ready', 'True')] }, 'ready'],
  ['none', 'crossplane.example.com/v1', 'Bucket', { phase: 'Running' }, 'ready'],
])('the rule of %s', (_what, apiVersion, kind, status, state) => {
  expect(verdict(custom(apiVersion, kind, status)).state).toBe(state);
});
