import { expect, test } from 'vitest';
import { builtInType, fieldType, type MapType, resolveType, type Type } from '../../src/kinds/field-types.ts';

/** The type at the end of a way of fields; undefined where one of them is unknown. Lists are entered. */
function typeAt(minor: number | undefined, kind: string, ...fields: readonly string[]): Type | undefined {
  let at = builtInType(kind === 'Pod' ? 'v1' : 'apps/v1', kind, minor);
  for (const field of fields) {
    if (at?.kind === 'list') at = resolveType(at.element);
    const reference = fieldType(at as MapType, field);
    if (reference === undefined) return undefined;
    at = resolveType(reference);
  }
  return at;
}

test.each([
  ['a field that came', ['spec', 'hostnameOverride'], [34, 35, 36, 37]],
  ['a field that went with its version', ['spec', 'workloadRef', 'name'], [35]],
  ['a field below definitions that are the same', ['spec', 'volumes', 'emptyDir', 'mode'], [37]],
  ['a field of a list', ['spec', 'containers', 'restartPolicyRules'], [34, 35, 36, 37]],
  ['a field of all versions', ['spec', 'containers', 'image'], [33, 34, 35, 36, 37]],
])('%s', (_what, path, minors) => {
  const having = [33, 34, 35, 36, 37].filter((minor) => typeAt(minor, 'Pod', ...path) !== undefined);
  expect(having).toEqual(minors);
});

test('a field that changed has the type of the version', () => {
  const status = ['status', 'nodeAllocatableResourceClaimStatuses'];
  expect(typeAt(36, 'Pod', ...status)).toMatchObject({ relation: 'atomic', mergeKey: undefined });
  expect(typeAt(37, 'Pod', ...status)).toMatchObject({ relation: 'map', keys: ['resourceClaimName'] });
});

// objectFields passes over them.
test('the schema of a CRD has the same fields in all versions', () => {
  const way = ['spec', 'versions', 'schema', 'openAPIV3Schema'];
  const fields = [33, 34, 35, 36, 37].map((minor) => {
    let at = builtInType('apiextensions.k8s.io/v1', 'CustomResourceDefinition', minor) as Type;
    for (const field of way) {
      if (at.kind === 'list') at = resolveType(at.element);
      at = resolveType(fieldType(at as MapType, field) ?? 'x');
    }
    return at.kind === 'map' ? Object.keys(at.fields ?? {}).sort() : [];
  });
  expect(fields[0]).toContain('x-kubernetes-validations');
  expect(new Set(fields.map(String)).size).toBe(1);
});

test('1.36 counts where no version is named', () => {
  expect(typeAt(undefined, 'Deployment', 'spec', 'template', 'spec')).toBe(
    typeAt(36, 'Deployment', 'spec', 'template', 'spec'),
  );
  expect(typeAt(undefined, 'Pod', 'spec', 'evictionResponders')).toBeUndefined();
});

test('the nearest known version counts for one that is not known', () => {
  expect(typeAt(30, 'Pod', 'spec', 'hostnameOverride')).toBeUndefined();
  expect(typeAt(40, 'Pod', 'spec', 'evictionResponders')).toMatchObject({ kind: 'list' });
});
