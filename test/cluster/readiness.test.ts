import { describe, expect, test } from 'vitest';
import { readiness } from '../../src/cluster/readiness.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { readinessCases } from './readiness/readiness-cases.ts';

const states = { Current: 'ready', InProgress: 'waiting', Terminating: 'waiting', Failed: 'failed' } as const;

describe('as kstatus and Helm 3 see it', () => {
  test.each(readinessCases)('$what', ({ object, related, kstatus, legacy, legacyJobs }) => {
    expect(readiness(object, { strategy: 'watcher', waitForJobs: false }).state).toBe(states[kstatus]);
    expect(readiness(object, { strategy: 'legacy', waitForJobs: false, related }).state).toBe(legacy);
    expect(readiness(object, { strategy: 'legacy', waitForJobs: true, related }).state).toBe(legacyJobs ?? legacy);
  });
});

const named = (what: string): KubernetesObject => {
  const found = readinessCases.find((entry) => entry.what === what);
  if (found === undefined) throw new Error(`no such case: ${what}`);
  return found.object;
};

describe('where tshelm differs from kstatus on purpose', () => {
  const pod = (status: object): KubernetesObject => ({ ...named('a pod that is pending'), status });

  test('a pod that ended in failure is no success', () => {
    const state = { terminated: { exitCode: 3 } };
    expect(
      readiness(pod({ phase: 'Failed', containerStatuses: [{ name: 'c', state }] }), {
        strategy: 'watcher',
        waitForJobs: false,
      }),
    ).toEqual({
      state: 'failed',
      reason: 'it failed: container c exited with code 3',
    });
  });

  test('a pod that finds no node is waited for', () => {
    const conditions = [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available' },
    ];
    expect(readiness(pod({ phase: 'Pending', conditions }), { strategy: 'watcher', waitForJobs: false })).toEqual({
      state: 'waiting',
      reason: 'it is not scheduled: 0/3 nodes are available',
    });
  });

  test('a paused deployment is not waited for', () => {
    const object = named('a deployment with too few pods');
    const paused = { ...object, spec: { ...(object['spec'] as object), paused: true } };
    for (const strategy of ['watcher', 'legacy', 'ordered'] as const) {
      expect(readiness(paused, { strategy, waitForJobs: false }).state).toBe('ready');
    }
  });
});

test.each([
  ['a deployment with too few pods', '2 of 3 replicas created'],
  ['a deployment that is being updated', '1 of 3 replicas updated'],
  ['a deployment with old pods left', '1 old replicas are still terminating'],
  ['a deployment with one pod to come', '2 of 3 replicas available'],
  ['a deployment not observed yet', 'the controller has not picked up the change yet (generation 2, seen 1)'],
  ['a daemonset with a pod not available', '1 of 2 pods available'],
  ['a job not started', 'it has not started yet'],
  ['a claim that is pending', 'its volume is not bound (phase Pending)'],
  ['a pod that runs', 'it is running but not ready (0 of 0 containers ready)'],
  ['a custom resource that is stalled', 'stuck'],
  ['a CRD whose names are taken', 'taken'],
])('%s: %s', (what, reason) => {
  expect(readiness(named(what), { strategy: 'watcher', waitForJobs: false })).toMatchObject({ reason });
});

describe('jobs', () => {
  test.each([
    ['a job that runs', 'watcher', false, 'ready'],
    ['a job that runs', 'watcher', true, 'waiting'],
    ['a job that runs', 'ordered', true, 'waiting'],
    ['a job that is complete', 'ordered', false, 'ready'],
    ['a job that failed', 'ordered', false, 'failed'],
    ['a job that failed', 'watcher', false, 'failed'],
  ] as const)('%s, %s, --wait-for-jobs=%s: %s', (what, strategy, waitForJobs, state) => {
    expect(readiness(named(what), { strategy, waitForJobs }).state).toBe(state);
  });
});

describe('readiness by annotation, in ordered', () => {
  test.each([
    ['the status of an older generation tells nothing', 2, { observedGeneration: 1, phase: 'Ready' }, 'waiting'],
    ['not even that it failed', 2, { observedGeneration: 1, phase: 'Broken' }, 'waiting'],
    ['that of the generation that was applied does', 2, { observedGeneration: 2, phase: 'Ready' }, 'ready'],
    ['so does one that names no generation', 2, { phase: 'Ready' }, 'ready'],
  ])('%s', (_what, generation, status, state) => {
    const old = widget('["{.phase} == Ready"]', never, status);
    const object = { ...old, metadata: { ...old.metadata, generation } };
    expect(readiness(object, { strategy: 'ordered', waitForJobs: false }).state).toBe(state);
  });

  const widget = (success: string | undefined, failure: string | undefined, status: object): KubernetesObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: {
      name: 'w',
      annotations: {
        ...(success !== undefined && { 'helm.sh/readiness-success': success }),
        ...(failure !== undefined && { 'helm.sh/readiness-failure': failure }),
      },
    },
    status,
  });
  const never = '["{.phase} == \\"Broken\\""]';

  test.each([
    ['["{.succeeded} >= 1"]', '["{.failed} >= 1"]', { succeeded: 1 }, 'ready'],
    ['["{.succeeded} >= 1"]', '["{.failed} >= 1"]', { succeeded: 0 }, 'waiting'],
    ['["{.succeeded} >= 1"]', '["{.failed} >= 1"]', { succeeded: 1, failed: 1 }, 'failed'],
    ['["{.succeeded} >= 1"]', '["{.failed} >= 1"]', {}, 'waiting'],
    ['["{.a} == 2", "{.phase} == \\"Ready\\""]', never, { a: 1, phase: 'Ready' }, 'ready'],
    ["{.phase} == 'Ready'", never, { phase: 'Ready' }, 'ready'],
    ['["{.phase} == Ready"]', never, { phase: 'Ready' }, 'ready'],
    ['["{.phase} != Ready"]', never, { phase: 'Ready' }, 'waiting'],
    ['["{.count} < 10"]', never, { count: '9' }, 'ready'],
    ['["{.count} < 10"]', never, { count: 'many' }, 'waiting'],
    ['["{.isReady} == true"]', never, { isReady: true }, 'ready'],
    ['["{..ok} == true"]', never, { deep: { deeper: [{ ok: true }] } }, 'ready'],
    ['["{.list[-1:]} == 3"]', never, { list: [1, 2, 3] }, 'ready'],
    ['["{.list[4]} == 3"]', never, { list: [1, 2, 3] }, 'waiting'],
    ["[\"{['a','b']} == yes\"]", never, { b: 'yes' }, 'ready'],
    ['["{.parts[?(@.size>=2)].name} == big"]', never, { parts: [{ size: 1, name: 'big' }] }, 'waiting'],
    ['["{.parts[?(@.size>=2)].name} == big"]', never, { parts: [{ size: 2, name: 'big' }] }, 'ready'],
    ['["{.parts[?(@.name==\\"a}b\\")].size} == 2"]', never, { parts: [{ size: 2, name: 'a}b' }] }, 'ready'],
    ['["{.example\\\\.com/ready} == 1"]', never, { 'example.com/ready': 1 }, 'ready'],
    ['["{.phase} === Ready"]', never, { phase: 'Ready' }, 'failed'],
    ['["{phase} == Ready"]', never, { phase: 'Ready' }, 'failed'],
    ['["{.phase} == Ready"]', '[]', { phase: 'Ready' }, 'ready'],
    [
      '["{.conditions[?(@.type==\\"Ready\\")].status} == True"]',
      never,
      {
        conditions: [
          { type: 'A', status: 'True' },
          { type: 'Ready', status: 'False' },
        ],
      },
      'waiting',
    ],
    [
      '["{.conditions[?(@.type==\\"Ready\\")].status} == True"]',
      never,
      {
        conditions: [
          { type: 'A', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
      'ready',
    ],
    ['["{.nodes[*].up} == true"]', never, { nodes: [{ up: false }, { up: true }] }, 'ready'],
    // A dot in quotes is a dot between two names, as kubectl has it; a backslash makes it part of one.
    ['["{$.nodes[-1][\'a\\\\.b\']} == 1"]', never, { nodes: [{}, { 'a.b': 1 }] }, 'ready'],
    ['["{$.nodes[-1][\'a.b\']} == 1"]', never, { nodes: [{}, { a: { b: 1 } }] }, 'ready'],
    ['["{.phase} = Ready"]', never, {}, 'failed'],
    ['["{.phase[} == Ready"]', never, {}, 'failed'],
    ['[1]', never, {}, 'failed'],
  ])('success %s, failure %s, status %j: %s', (success, failure, status, state) => {
    expect(readiness(widget(success, failure, status), { strategy: 'ordered', waitForJobs: false }).state).toBe(state);
  });

  test('one annotation alone leaves it to the built-in rules', () => {
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    expect(
      readiness(widget('["{.x} == 1"]', undefined, status), { strategy: 'ordered', waitForJobs: false }).state,
    ).toBe('ready');
  });

  test('other strategies do not look at them', () => {
    const object = widget(never, never, { phase: 'Running' });
    expect(readiness(object, { strategy: 'watcher', waitForJobs: false }).state).toBe('ready');
  });
});
