import { describe, expect, test } from 'vitest';
import { Grace, progressMarksOf } from '../../../src/cluster/diagnosis/grace.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

const still = { marks: [], isStarting: false };

/** A grace of 30 with a clock that the test sets. */
function graceOf30() {
  const clock = { now: 0 };
  return { clock, grace: new Grace(30, () => clock.now) };
}

describe('the time of grace', () => {
  test('runs from the first doubt', () => {
    const { clock, grace } = graceOf30();
    expect(grace.leftMs('web', 'p app')).toBe(30);
    clock.now = 29;
    expect(grace.leftMs('web', 'p app')).toBe(1);
    clock.now = 30;
    expect(grace.leftMs('web', 'p app')).toBe(0);
    expect(grace.leftMs('web', 'q app')).toBe(30);
  });

  test('begins again with the progress of any resource, which counts once', () => {
    const { clock, grace } = graceOf30();
    grace.leftMs('web', 'p');
    clock.now = 20;
    grace.look('db', { marks: ['ready 1'], isStarting: false });
    clock.now = 40;
    grace.look('db', { marks: ['ready 1'], isStarting: false });
    expect(grace.leftMs('web', 'p')).toBe(10);
  });

  test('stands still while a pod is being started, and goes on when it is given up', () => {
    const { clock, grace } = graceOf30();
    grace.leftMs('web', 'p');
    grace.look('db', { marks: [], isStarting: true });
    clock.now = 100;
    expect(grace.leftMs('web', 'p')).toBe(30);
    grace.look('db', still);
    clock.now = 110;
    expect(grace.leftMs('web', 'p')).toBe(20);
  });

  test('is given anew to a resource that was ready meanwhile', () => {
    const { clock, grace } = graceOf30();
    grace.leftMs('web', 'p');
    grace.leave('web');
    clock.now = 50;
    expect(grace.leftMs('web', 'p')).toBe(30);
  });

  test('of zero is over at once', () => {
    expect(new Grace(0, () => 5).leftMs('web', 'p')).toBe(0);
  });
});

const object = (kind: string, status: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x', uid: 'u' },
  status,
});
const marksOf = (status: object): string[] =>
  progressMarksOf(object('Deployment', {}), [object('Pod', status)]).marks.filter((mark) => mark.startsWith('u '));

describe('movement', () => {
  test('is what a pod has reached', () => {
    const running = { name: 'app', state: { running: {} } };
    expect(marksOf({ conditions: [{ type: 'PodScheduled', status: 'True' }] })).toEqual(['u exists', 'u PodScheduled']);
    expect(marksOf({ containerStatuses: [running] })).toEqual(['u exists', 'u app has run']);
    const done = { name: 'init', state: { terminated: { exitCode: 0 } } };
    expect(marksOf({ initContainerStatuses: [done], containerStatuses: [running] })).toContain('u init is done');
  });

  test('a crash, and a run after it, are none', () => {
    const run = marksOf({ containerStatuses: [{ name: 'app', restartCount: 0, state: { running: {} } }] });
    const loop = { name: 'app', restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } };
    expect(marksOf({ containerStatuses: [loop] })).toEqual(run);
  });

  test.each([
    ['its image is on the way', { waiting: { reason: 'ContainerCreating' } }, 0, true],
    ['its image cannot be had', { waiting: { reason: 'ImagePullBackOff' } }, 0, false],
    ['it crashed before', { waiting: { reason: 'ContainerCreating' } }, 1, false],
    ['it runs', { running: {} }, 0, false],
  ])('a pod is being started while %s', (_what, state, restartCount, isStarting) => {
    const pod = object('Pod', { phase: 'Pending', containerStatuses: [{ name: 'app', restartCount, state }] });
    expect(progressMarksOf(object('Deployment', {}), [pod]).isStarting).toBe(isStarting);
  });
});
