import { expect, test } from 'vitest';
import { likelihoodOf } from '../../../src/cluster/diagnosis/ranking.ts';
import { Quote } from '../../../src/problem/quote.ts';
import type { WorkloadFact } from '../../../src/problem/workload-fact.ts';

test('from the likely cause to what is probably its consequence', () => {
  const words = new Quote('x');
  const container = 'app';
  const inOrder: readonly WorkloadFact[] = [
    { outlook: 'never', code: 'program-ended', reason: 'Error', container, exitCode: 1 },
    { outlook: 'never', code: 'image-name-invalid', reason: 'InvalidImageName', image: '', container },
    { outlook: 'doubtful', code: 'program-ended', reason: 'CrashLoopBackOff', container, exitCode: 1 },
    { outlook: 'doubtful', code: 'image-not-found', reason: 'ErrImagePull', image: '', container },
    { outlook: 'open', code: 'pods-not-created', words },
    { outlook: 'open', code: 'claim-not-bound', claim: 'data' },
    { outlook: 'open', code: 'pod-unschedulable', reason: 'Unschedulable', words, obstacles: [], lacking: [] },
    { outlook: 'open', code: 'pod-pending', phase: 'pending' },
    { outlook: 'open', code: 'container-held', reason: 'x', container },
    { outlook: 'open', code: 'container-not-ready', container },
    { outlook: 'open', code: 'not-found' },
  ];
  const likelihoods = inOrder.map(likelihoodOf);
  expect(likelihoods).toEqual([...likelihoods].sort((a, b) => b - a));
  expect(new Set(likelihoods).size).toBe(inOrder.length);
});
