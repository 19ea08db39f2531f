import { RunModel } from '../../../src/cli/progress/model.ts';
import type { Output } from '../../../src/cli/terminal/io.ts';
import type { ExecutionEvent } from '../../../src/execute/events.ts';
import { planInstall } from '../../../src/plan/plan.ts';
import type { Plan } from '../../../src/plan/types.ts';
import { hookOf, manifestsOf } from '../../plan/manifests.ts';

export const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
export const config = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' };
export const seed = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: 'seed' };

/** A hook, a ConfigMap and a Deployment, waited for. */
export const plan: Plan = planInstall({
  release: 'shop',
  namespace: 'shop',
  strategy: 'watcher',
  hooks: [hookOf('seed')],
  manifests: manifestsOf('ConfigMap/settings', 'apps/v1 Deployment/web'),
});

const [hooks, apply] = plan.steps;
if (hooks === undefined || apply === undefined) throw new Error('the plan has two steps');

export const hookEvents: readonly ExecutionEvent[] = [
  { kind: 'plan-started', plan },
  { kind: 'step-started', title: 'run pre-install hooks', step: hooks },
  { kind: 'hook', id: seed, event: 'pre-install', state: 'deleted' },
  { kind: 'hook', id: seed, event: 'pre-install', state: 'started' },
  { kind: 'hook', id: seed, event: 'pre-install', state: 'waiting' },
  {
    kind: 'hook',
    id: seed,
    event: 'pre-install',
    state: 'waiting',
    reason: '0 of 1 completions',
    pods: { ready: 0, desired: 1 },
  },
  { kind: 'hook', id: seed, event: 'pre-install', state: 'succeeded' },
  { kind: 'log', id: { ...seed, apiVersion: 'v1', kind: 'Pod' }, text: 'seeding\n::add-mask::x\n' },
  { kind: 'hook', id: seed, event: 'pre-install', state: 'deleted' },
];

export const applyEvents: readonly ExecutionEvent[] = [
  { kind: 'step-started', title: 'apply 2 resources', step: apply },
  { kind: 'batch-started', unit: 'shop', number: 1, of: 1, names: ['shop'] },
  { kind: 'resource', id: config, state: 'applying' },
  { kind: 'resource', id: web, state: 'applying' },
  { kind: 'resource', id: config, state: 'created' },
  { kind: 'resource', id: web, state: 'created' },
  { kind: 'resource', id: web, state: 'waiting', reason: '0 of 2 replicas ready', pods: { ready: 0, desired: 2 } },
];

export const waitingRun = [...hookEvents, ...applyEvents];

export const readyEvent: ExecutionEvent = { kind: 'resource', id: web, state: 'ready', pods: { ready: 2, desired: 2 } };

/** A model that has taken these events, one each second from 1000 on. */
export function modelOf(events: readonly ExecutionEvent[]): RunModel {
  const model = new RunModel(
    { action: 'install', release: 'shop', namespace: 'shop', chart: 'fixtures/charts/shop' },
    0,
  );
  events.forEach((event, index) => model.take(event, (index + 1) * 1000));
  return model;
}

export interface Recorded extends Output {
  text: string;
  columns: number | undefined;
  rows: number | undefined;
}

export const recorded = (size: { columns?: number; rows?: number } = {}): Recorded => {
  const output: Recorded = {
    text: '',
    isTerminal: true,
    columns: size.columns ?? 80,
    rows: size.rows ?? 24,
    write: (text) => void (output.text += text),
  };
  return output;
};
