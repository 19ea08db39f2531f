import { expect, test } from 'vitest';
import { parseManifest } from '../../src/manifest/parse.ts';
import type { Hook } from '../../src/manifest/types.ts';
import type { Plan } from '../../src/plan/types.ts';
import { readPlan, writePlan } from '../../src/saved-plan/steps.ts';

const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    big: "12345678901234567890"\n';
const manifest = parseManifest(text, 'app/templates/a.yaml');
const hook: Hook = {
  name: 'h',
  kind: 'Job',
  path: 'app/templates/h.yaml',
  manifest: 'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: h\n',
  events: ['pre-install'],
  weight: 3,
  deletePolicies: ['hook-succeeded'],
  outputLogPolicies: [],
  lastRun: { phase: '' },
};
const nodes = [
  { kind: 'resources', name: 'app', manifests: [manifest], because: ['x'], id: 'rest', after: ['a'] },
] as const;
const inner = { name: 'sub', batches: [{ nodes, wait: false }] };
const unit = {
  name: 'app',
  batches: [{ nodes: [...nodes, { kind: 'unit', unit: inner, because: [] } as const], wait: true }],
};
const plan: Plan = {
  action: 'install',
  release: 'web',
  namespace: 'default',
  strategy: 'ordered',
  steps: [
    { kind: 'install-crds', manifests: [manifest], existing: new Set(['b', 'a']) },
    { kind: 'create-namespace', name: 'default' },
    { kind: 'record', revision: 1, status: 'pending-install' },
    { kind: 'run-hooks', event: 'pre-install', batches: [[[hook]]] },
    { kind: 'apply', unit, waves: [['ConfigMap']] },
    { kind: 'delete', unit, waves: [['ConfigMap']], ifFails: 'go-on' },
    { kind: 'hook-objects', hooks: [hook], task: 'report' },
  ],
  ifStopped: [{ kind: 'record-failure' }],
  warnings: ['w'],
};

test('a plan of every step comes back as it was, also through a file', () => {
  const { steps, texts } = writePlan(plan);
  expect(texts).toEqual([
    { source: 'app/templates/a.yaml', text },
    { source: 'app/templates/h.yaml', text: hook.manifest },
  ]);
  const file = JSON.parse(JSON.stringify({ steps, texts })) as { steps: typeof steps; texts: typeof texts };
  expect(file.steps).toEqual(steps);
  expect(readPlan(file.steps, file.texts, ['w'])).toEqual({ ...plan, hazards: [] });
});
