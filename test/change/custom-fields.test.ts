import { expect, test } from 'vitest';
import { nearestCustomField } from '../../src/change/custom-fields.ts';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        schema: {
          openAPIV3Schema: {
            properties: {
              spec: {
                properties: {
                  color: { type: 'string' },
                  parts: { items: { properties: { size: { type: 'integer' } } } },
                  named: { additionalProperties: { properties: { weight: { type: 'integer' } } } },
                },
              },
            },
          },
        },
      },
    ],
  },
};
const widget = { apiVersion: 'example.com/v1', kind: 'Widget' };

test.each([
  ['a field', ['spec', 'colour'], { field: 'colour', meant: 'color' }],
  ['in a list', ['spec', 'parts', 0, 'sise'], { field: 'sise', meant: 'size' }],
  ['in a map', ['spec', 'named', 'x', 'wieght'], { field: 'wieght', meant: 'weight' }],
  ['nothing is near', ['spec', 'other'], undefined],
  ['all are known', ['spec', 'color'], undefined],
])('the name that was meant, as the CRD has it: %s', (_where, path, meant) =>
  expect(nearestCustomField(widget, path, [definition])).toEqual(meant),
);

test.each([
  ['another version', { ...widget, apiVersion: 'example.com/v2' }],
  ['another group', { ...widget, apiVersion: 'example.org/v1' }],
  ['another kind', { ...widget, kind: 'Gadget' }],
])('a CRD says nothing of %s', (_what, id) =>
  expect(nearestCustomField(id, ['spec', 'colour'], [definition])).toBeUndefined(),
);
