import { expect, test } from 'vitest';
import { type Finding, findingsText, likelihoodOf, rankFindings } from '../../../src/cluster/diagnosis/finding.ts';

const finding = (name: string, more: Partial<Finding> = {}): Finding => ({
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name },
  chain: [`Deployment/${name}`, `Pod/${name}-x`],
  kind: 'nothing',
  outlook: 'open',
  reason: `reason of ${name}`,
  log: [],
  previousLog: [],
  events: [],
  ...more,
});

test('from the likely cause to what is probably its consequence', () => {
  const inOrder = [
    finding('exited', { kind: 'container', outlook: 'never', exitCode: 1 }),
    finding('config', { kind: 'container', outlook: 'never' }),
    finding('crash', { kind: 'container', outlook: 'doubtful', exitCode: 1 }),
    finding('pull', { kind: 'container', outlook: 'doubtful' }),
    finding('webhook', { kind: 'refused' }),
    finding('claim', { kind: 'volume' }),
    finding('node', { kind: 'schedule' }),
    finding('probe', { kind: 'probe' }),
    finding('nothing'),
  ];
  expect(rankFindings(inOrder.toReversed()).map(({ reason }) => reason)).toEqual(inOrder.map(({ reason }) => reason));
  expect(inOrder.map(likelihoodOf)).toEqual(inOrder.map(likelihoodOf).sort((a, b) => b - a));
});

test('one cause under two resources is told once', () => {
  const claim = { chain: ['PersistentVolumeClaim/data'], kind: 'volume', reason: 'no class' } as const;
  const below = { ...claim, chain: ['StatefulSet/db', 'Pod/db-0', 'PersistentVolumeClaim/data'] };
  const text = findingsText([finding('data', claim), finding('db', below)], []);
  expect(text).toBe('PersistentVolumeClaim/data: no class');
});

test('what a first failure left undecided is no evidence, unless something warns of it', () => {
  const broken = finding('web', { outlook: 'never', reason: 'no such image' });
  const young = finding('cart', { kind: 'probe', reason: 'it runs but is not ready', log: ['listening'] });
  const warned = finding('mail', { kind: 'probe', reason: 'not ready', events: ['Unhealthy: 503'] });
  const all = [broken, young, warned];
  expect(findingsText(all, [], { isCutShort: true }).split('\n')).toEqual([
    'Deployment/web → Pod/web-x: no such image',
    'Deployment/mail → Pod/mail-x: not ready',
    '  event: Unhealthy: 503',
    'not ready yet when the run ended: Deployment/cart',
  ]);
  expect(findingsText(all, [])).toContain('Deployment/cart → Pod/cart-x: it runs but is not ready');
});

test('it fits on one screen', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const many = ['a', 'b', 'c', 'd', 'e'].map((name) => finding(name, { log: lines, events: lines }));
  const text = findingsText(many, []).split('\n');
  expect(text.length).toBeLessThan(24);
  expect(text.slice(0, 2)).toEqual(['Deployment/a → Pod/a-x: reason of a', '  event: line 37']);
  expect(text.at(-1)).toBe('… 2 more; --report FILE keeps them all');
});

test('events that repeat the reason, the verdict or each other are left out, whatever pod they name', () => {
  const refused = (pod: string) => `FailedCreate: pods "${pod}" is forbidden: exceeded quota`;
  const found = finding('web', {
    reason: 'its pods cannot be created: pods "web-7d-w5cz2" is forbidden: exceeded quota',
    verdict: 'BackoffLimitExceeded: too often',
    events: [
      refused('web-7d-w6tkc'),
      'BackoffLimitExceeded: too often',
      'Other: pod web-7d-lpcsz',
      'Other: pod web-7d-rdgzb',
    ],
  });
  expect(findingsText([found], []).split('\n').slice(1)).toEqual(['  event: Other: pod web-7d-rdgzb']);
});

test.each([
  ['ErrImagePull: no such tag', 'Failed: Failed to pull image "web:1": no such tag of it', []],
  ['ImagePullBackOff: Back-off pulling image "web:1"', 'Failed: Failed to pull image "web:1": no such tag', ['kept']],
  ['ImagePullBackOff: no such tag', 'Failed: Error: ImagePullBackOff', []],
  ['CrashLoopBackOff', 'BackOff: Back-off restarting failed container web in pod web-1', []],
  ['it runs: Readiness probe failed: 503 (GET :80/up)', 'Unhealthy: Readiness probe failed: 503 (x4)', []],
  ['Unschedulable: no room (the pod requests cpu 12)', 'FailedScheduling: no room. preemption: none', []],
  ['CreateContainerConfigError: no key x; also missing: Secret/y', 'Failed: Error: no key x', []],
])('of %s the event is an echo, or tells more: %s', (reason, event, kept) => {
  const lines = findingsText([finding('web', { reason, events: [event] })], [], { told: reason }).split('\n');
  expect(lines.filter((line) => line.startsWith('  event: '))).toHaveLength(kept.length);
});

test('a program that ends is not ready either', () => {
  const events = [
    'Unhealthy: Readiness probe failed: connection refused',
    'BackOff: Back-off restarting failed container',
    'Unhealthy: Liveness probe failed: 500',
  ];
  const text = findingsText([finding('web', { kind: 'container', outlook: 'doubtful', exitCode: 1, events })], []);
  expect(text.split('\n').slice(1)).toEqual(['  event: Unhealthy: Liveness probe failed: 500']);
});

test('of a long log the lines that tell, and what prints all of it', () => {
  const log = ['Error: no host db', ...Array.from({ length: 9 }, (_, index) => `  at f (a.js:${index})`), 'bye'];
  const crash = finding('web', { chain: ['Pod/web', 'container app'], exitCode: 1, log: ['again'], previousLog: log });
  expect(findingsText([crash], []).split('\n').slice(1)).toEqual([
    '  log: Error: no host db',
    '  log: … 9 lines',
    '  log: bye',
    '  all of it: kubectl logs web -n default -c app -p',
  ]);
});

test('a log of one line that was told is not told again', () => {
  const crash = finding('web', { reason: 'crash', exitCode: 1, log: ['no host db'] });
  expect(findingsText([crash], [], { told: 'crash; its log ends: no host db' })).toBe('');
});
