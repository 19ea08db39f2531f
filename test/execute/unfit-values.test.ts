import { describe, expect, test } from 'vitest';
import { choiceFixes, indentFixes, quantityFixes, quantityProblem, typeFixes } from '../../src/execute/unfit-values.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';

const object = (spec: object): KubernetesObject =>
  ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec }) as KubernetesObject;

describe('a field of another type', () => {
  const refusal = (field: string, wanted: string): string =>
    `failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .${field}: expected ${wanted}, got string`;

  test.each([
    ['a word for a number', 'replicas', 'numeric (int or float)', 'two', 'must be a number, not "two"'],
    ['nothing for a number', 'replicas', 'numeric (int or float)', '', 'must be a number, not ""'],
    ['a number in quotes', 'replicas', 'numeric (int or float)', '3', 'must be a number: write 3 without quotes'],
    ['a word for a switch', 'paused', 'boolean', 'yes', 'must be true or false, not "yes"'],
    ['a switch in quotes', 'paused', 'boolean', 'true', 'must be true or false: write true without quotes'],
  ])('%s', (_what, key, wanted, value, text) => {
    expect(typeFixes(refusal(`spec.${key}`, wanted), object({ [key]: value }))).toEqual([`spec.${key} ${text}`]);
  });

  test('of a server that adds the type that it wants, or an object without the field, nothing is said', () => {
    expect(typeFixes(refusal('spec.replicas', 'numeric'), object({}))).toEqual([]);
    expect(typeFixes('.spec.replicas: expected string, got number', object({ replicas: 1 }))).toEqual([]);
  });
});

describe('what is not a quantity', () => {
  const words = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const limits = object({ limits: { memory: '64MB', cpu: '1x' } });

  test('is named with its field', () => {
    const fields = [
      ['spec', 'limits', 'memory'],
      ['spec', 'limits', 'cpu'],
    ];
    expect(quantityProblem(words, limits, fields)).toBe(
      'spec.limits.memory: "64MB" is not a quantity, spec.limits.cpu: "1x" is not a quantity',
    );
  });

  test('is not said of other refusals, nor where none is found', () => {
    expect(quantityProblem('is invalid', limits, [['spec', 'limits', 'memory']])).toBeUndefined();
    expect(quantityProblem(words, limits, [])).toBeUndefined();
  });
});

test.each([
  ['"Loadbalancer"', ['did you mean LoadBalancer instead of Loadbalancer?']],
  ['"Nodport"', ['did you mean NodePort instead of Nodport?']],
  ['"public"', []],
])('one of a few texts is told for %s, where one is near', (value, fixes) => {
  const words = `spec.type: Unsupported value: ${value}: supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"`;
  expect(choiceFixes(words)).toEqual(fixes);
});

test.each([
  ['512MB', ['write 512Mi or 512M instead of 512MB']],
  ['1.5 GiB', ['write 1.5Gi or 1.5G instead of 1.5 GiB']],
  ['64kb', ['write 64Ki or 64k instead of 64kb']],
  ['lots', []],
])('what was meant by %s as a quantity', (memory, fixes) => {
  const words = "quantities must match the regular expression '^x$'";
  expect(quantityFixes(words, object({ memory }), [['spec', 'memory']])).toEqual(fixes);
  expect(quantityFixes('is invalid', object({ memory }), [['spec', 'memory']])).toEqual([]);
});

describe('a field that stands one level too high', () => {
  const fixesOf = (metadata: object, field: string) =>
    indentFixes(`.${field}: field not declared in schema`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', ...metadata },
    });

  test('belongs below the empty one above it', () => {
    expect(fixesOf({ labels: null, app: 'web' }, 'metadata.app')).toEqual([
      'indent app further: metadata.labels above it is empty',
    ]);
  });

  test('is a label or an annotation where it looks like one', () => {
    expect(fixesOf({ labels: {}, 'app.kubernetes.io/name': 'web' }, 'metadata.app.kubernetes.io/name')).toEqual([
      'indent app.kubernetes.io/name further: labels belong below metadata.labels, annotations below metadata.annotations',
    ]);
  });

  test('may be any other mistake', () => {
    expect(fixesOf({ lables: {}, labels: null }, 'metadata.lables')).toEqual([]);
  });
});
