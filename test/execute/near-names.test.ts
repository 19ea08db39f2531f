import { describe, expect, test } from 'vitest';
import { namesInstead } from '../../src/execute/near-names.ts';
import type { PlanObject } from '../../src/execute/plan-objects.ts';
import { Quote } from '../../src/problem/quote.ts';
import type { WorkloadFact } from '../../src/problem/workload-fact.ts';

const made = (kind: string, name: string, content: object = {}): PlanObject => ({
  object: { apiVersion: 'v1', kind, metadata: { name }, ...content },
  source: `shop/templates/${kind.toLowerCase()}.yaml`,
});
const words = new Quote('x');
const namesFor = (fact: WorkloadFact, objects: readonly PlanObject[]) =>
  namesInstead(fact, objects).map(({ name, instead, of }) => `${of?.kind}/${of?.name}: ${name} for ${instead}`);

describe('what the release has in place of what is missing', () => {
  const release = [
    made('ConfigMap', 'web-layouts', { data: { 'a.css': '' } }),
    made('Secret', 'web-smtp', { stringData: { password: 'x', user: 'y' } }),
    made('ServiceAccount', 'web-reports'),
    made('PersistentVolumeClaim', 'web-data'),
    made('PriorityClass', 'batch'),
    made('Service', 'web-postgres', { spec: { ports: [{ port: 5432 }] } }),
  ];
  const pod = { outlook: 'doubtful', reason: 'x', words } as const;
  const missing = (kind: 'ConfigMap' | 'Secret', name: string, key?: string): WorkloadFact => ({
    ...pod,
    code: 'reference-missing',
    missing: { kind, name, key },
  });

  test.each<[string, WorkloadFact, readonly string[]]>([
    [
      'a name that is much like it',
      missing('ConfigMap', 'web-layout'),
      ['ConfigMap/web-layouts: web-layouts for web-layout'],
    ],
    [
      'one of several that are missing',
      { ...missing('Secret', 'web-smtp'), alsoMissing: [{ kind: 'ConfigMap', name: 'web-layout' }] },
      ['ConfigMap/web-layouts: web-layouts for web-layout'],
    ],
    ['the only one of its kind, of another name', { ...pod, code: 'service-account-missing', name: 'reader' }, []],
    [
      'a service account',
      { ...pod, code: 'service-account-missing', name: 'reports' },
      ['ServiceAccount/web-reports: web-reports for reports'],
    ],
    [
      'a claim',
      { ...pod, code: 'claim-missing', claim: 'web-dta' },
      ['PersistentVolumeClaim/web-data: web-data for web-dta'],
    ],
    [
      'a priority class',
      { ...pod, code: 'priority-class-missing', name: 'batches' },
      ['PriorityClass/batch: batch for batches'],
    ],
    ['a key', missing('Secret', 'web-smtp', 'smtp-password'), ['Secret/web-smtp: password for smtp-password']],
    ['a key unlike the others', missing('Secret', 'web-smtp', 'mode'), []],
    ['what is in the release and not there yet', missing('ConfigMap', 'web-layouts'), []],
    ['nothing of that kind', { ...pod, code: 'storage-class-missing', claim: 'a', storageClass: 'x' }, []],
  ])('%s', (_what, fact, names) => expect(namesFor(fact, release)).toEqual(names));
});
