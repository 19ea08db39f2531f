import { describe, expect, test } from 'vitest';
import { withoutLeft } from '../../../src/execute/apply/left-fields.ts';
import { readFieldRule, readFieldRules } from '../../../src/manifest/field-rules.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

const object = (spec: object, metadata: object = {}): KubernetesObject =>
  ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', ...metadata }, spec }) as KubernetesObject;

const owned = (manager: string, operation: string, fields: object) => ({
  manager,
  operation,
  fieldsV1: { 'f:spec': fields },
});
const container = (fields: object) => ({
  'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': fields } } },
});
const pod = (...containers: object[]) => ({ template: { spec: { containers } } });

const sent = (rules: readonly string[], wanted: object, live: KubernetesObject, how: 'remove' | 'keep' = 'remove') => {
  const result = withoutLeft(object(wanted), live, readFieldRules(rules, { place: 'test' }), how);
  return {
    spec: result.object['spec'],
    left: result.left.map(({ path, managers }) => [path, managers]),
    isFilled: result.isFilled,
  };
};

test('what says which object it is, is sent whatever is left: drift may ignore all of an object', () => {
  const rule = { ...readFieldRule('*:*', { otherwise: 'ignore', place: 'test' }), action: 'leave' as const };
  const { object: rest } = withoutLeft(object({ replicas: 2 }, { namespace: 'shop' }), object({}), [rule], 'remove');
  expect(rest).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } });
});

describe('with server-side apply', () => {
  const byHelm = object({ replicas: 5 }, { managedFields: [owned('helm', 'Apply', { 'f:replicas': {} })] });
  const byScaler = object({ replicas: 5 }, { managedFields: [owned('hpa', 'Update', { 'f:replicas': {} })] });

  test.each([
    ['what another has is not sent', ['*:spec.replicas=leave'], byScaler, {}, [['spec.replicas', ['hpa']]]],
    [
      'what Helm has keeps its live value',
      ['*:spec.replicas=leave'],
      byHelm,
      { replicas: 5 },
      [['spec.replicas', ['helm']]],
    ],
    ['of the manager that is named', ['*:spec.replicas@hpa=leave'], byScaler, {}, [['spec.replicas', ['hpa']]]],
    ['not of another one', ['*:spec.replicas@kubectl=leave'], byScaler, { replicas: 2 }, []],
    ['the last rule decides', ['*:spec=leave', '*:spec.replicas=take'], byScaler, { replicas: 2 }, []],
    ['whichever it is', ['*:spec.replicas=take', '*:spec=leave'], byScaler, undefined, [['spec', ['hpa']]]],
  ])('%s', (_what, rules, live, spec, left) => {
    expect(sent(rules, { replicas: 2 }, live)).toEqual({
      spec,
      left,
      isFilled: spec !== undefined && 'replicas' in spec && spec.replicas === 5,
    });
  });

  test('what the chart no longer has stays where Helm has it', () => {
    expect(sent(['*:spec.replicas=leave'], {}, byHelm).spec).toEqual({ replicas: 5 });
  });

  test('an item of a list is told by its key, and a new one is sent whole', () => {
    const live = object(pod({ name: 'side', image: 's:1' }, { name: 'web', image: 'a:2' }), {
      managedFields: [owned('keel', 'Update', container({ 'f:image': {} }))],
    });
    const wanted = pod({ name: 'web', image: 'a:1', tty: true }, { name: 'new', image: 'n:1' });
    expect(sent(['Deployment/web:spec.template.spec.containers[*].image=leave'], wanted, live)).toMatchObject({
      spec: pod({ name: 'web', tty: true }, { name: 'new', image: 'n:1' }),
    });
  });

  test('a part of what is one value for the API server keeps its live value', () => {
    const live = object(
      { rules: [{ host: 'a', weight: 9 }] },
      { managedFields: [owned('x', 'Update', { 'f:rules': {} })] },
    );
    expect(sent(['*:spec.rules[*].weight=leave'], { rules: [{ host: 'b', weight: 1 }] }, live).spec).toEqual({
      rules: [{ host: 'b', weight: 9 }],
    });
  });

  test('of a map only what Helm has is sent', () => {
    const live = object(
      { labels: { own: 'a', other: 'b' } },
      { managedFields: [owned('helm', 'Apply', { 'f:labels': { 'f:own': {} } })] },
    );
    expect(sent(['*:spec.labels=leave'], { labels: { own: 'new' } }, live).spec).toEqual({ labels: { own: 'a' } });
  });
});

test('a merge that is computed here keeps what is there, and sets nothing that is not', () => {
  const live = object({ replicas: 5 });
  expect(
    sent(['*:spec.replicas=leave', '*:spec.paused=leave'], { replicas: 2, paused: true, x: 1 }, live, 'keep').spec,
  ).toEqual({
    replicas: 5,
    x: 1,
  });
});
