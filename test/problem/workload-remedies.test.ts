import { expect, test } from 'vitest';
import { workloadRemedies } from '../../src/problem/workload-fact.ts';
import { remedyText } from '../../src/words/remedy.ts';

const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data' };

test('a claim without a volume: what it needs, and the command that says what is missing', () => {
  const fact = { outlook: 'open', code: 'claim-not-bound', claim: 'data', phase: 'Pending' } as const;
  const remedies = workloadRemedies(fact, { id: claim, fields: [], keysOf: () => [] });
  expect(remedies).toEqual([{ kind: 'outside', what: 'provide-volume', name: 'data' }]);
  expect(remedies.map(remedyText).join()).toContain('kubectl describe pvc data');
});
