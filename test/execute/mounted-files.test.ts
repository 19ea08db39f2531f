import { expect, test } from 'vitest';
import { mountedInstead } from '../../src/execute/mounted-files.ts';
import type { PlanObject } from '../../src/execute/plan-objects.ts';

const planned = (object: object): PlanObject => ({ object, source: '' }) as unknown as PlanObject;
const job = (volume: object) =>
  planned({
    kind: 'Job',
    metadata: { name: 'load' },
    spec: {
      template: {
        spec: {
          containers: [{ name: 'load', volumeMounts: [{ name: 'files', mountPath: '/fixtures' }] }],
          volumes: [{ name: 'files', ...volume }],
        },
      },
    },
  });
const files = planned({
  kind: 'ConfigMap',
  metadata: { name: 'files' },
  data: { 'supplier.json': '{}', 'readme.txt': '' },
});

test.each([
  [
    'one that is much like it',
    "FileNotFoundError: [Errno 2] No such file or directory: '/fixtures/suppliers.json'",
    { configMap: { name: 'files' } },
    ['ConfigMap/files, mounted at /fixtures, has supplier.json: did you mean it?'],
  ],
  [
    'all, where none is',
    'open /fixtures/orders.csv: no such file or directory',
    { configMap: { name: 'files' } },
    ['ConfigMap/files, mounted at /fixtures, has supplier.json, readme.txt'],
  ],
  [
    'those that are mounted of it',
    'ENOENT: no such file or directory, open "/fixtures/a"',
    { configMap: { name: 'files', items: [{ key: 'supplier.json', path: 'first.json' }] } },
    ['ConfigMap/files, mounted at /fixtures, has first.json'],
  ],
  ['nothing of one that is there', 'no such file: /fixtures/readme.txt', { configMap: { name: 'files' } }, []],
  ['nothing of another place', 'no such file: /etc/x', { configMap: { name: 'files' } }, []],
  ['nothing of a ConfigMap of others', 'no such file: /fixtures/x', { configMap: { name: 'other' } }, []],
])('%s', (_what, line, volume, told) => expect(mountedInstead([line], job(volume), [files])).toEqual(told));
