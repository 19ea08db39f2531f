import { expect, test } from 'vitest';
import type { ApiFailure } from '../../src/cluster/types.ts';
import { remediesFor } from '../../src/execute/apply/refused-changes.ts';
import type { ExecutionContext } from '../../src/execute/context.ts';
import { readFieldRules } from '../../src/manifest/field-rules.ts';

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };

const conflict: ApiFailure = {
  status: 409,
  reason: 'Conflict',
  message: '',
  causes: ['.spec.replicas', '.spec.paused'].map((field) => ({ field, reason: 'FieldManagerConflict' })),
  method: 'PATCH',
  path: '',
};

const [replicas, paused] = ['Deployment/web:spec.replicas', 'Deployment/web:spec.paused'];
const force = { kind: 'set-option', option: 'forceConflicts' };

test.each([
  [
    'rules that are needed together are one remedy',
    [],
    [{ kind: 'set-option', option: 'takeFields', value: replicas, alsoValues: [paused] }, force],
  ],
  [
    'a rule is enough for one field',
    [`${paused}=take`],
    [{ kind: 'set-option', option: 'takeFields', value: replicas }, force],
  ],
  [
    'a rule that forbids it is named, and no option is proposed for its field',
    ['Deployment/*:spec.replicas=fail', `${paused}=take`],
    [{ kind: 'drop-rule', rule: 'Deployment/*:spec.replicas=fail' }],
  ],
])('%s', (_rule, rules, expected) => {
  const fieldRules = readFieldRules(rules, { place: 'takeFields' });
  expect(remediesFor(web, conflict, { fieldRules } as unknown as ExecutionContext)).toEqual(expected);
});
