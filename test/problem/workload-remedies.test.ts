import { expect, test } from 'vitest';
import { workloadRemedies } from '../../src/problem/workload-fact.ts';

const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data' };

test('a claim without a volume needs a volume', () => {
  const fact = { outlook: 'open', code: 'claim-not-bound', claim: 'data', phase: 'Pending' } as const;
  const remedies = workloadRemedies(fact, { id: claim, fields: [], keysOf: () => [] });
  expect(remedies).toEqual([{ kind: 'outside', what: 'provide-volume', name: 'data' }]);
});
