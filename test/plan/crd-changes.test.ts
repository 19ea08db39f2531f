import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { crdDifferences, crdLosses } from '../../src/plan/crd-changes.ts';

type Fields = Record<string, unknown>;

const text = { type: 'string' };
const version = (properties: Fields, more: Fields = {}): Fields => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties } },
  ...more,
});
const crd = (spec: Fields, status: Fields = {}): KubernetesObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, ...spec },
  status,
});
const withVersions = (...versions: readonly Fields[]): KubernetesObject => crd({ versions });

describe('what an update of a CRD would lose', () => {
  test.each<[string, KubernetesObject, KubernetesObject, readonly string[]]>([
    ['nothing, with a new field', withVersions(version({ a: text })), withVersions(version({ a: text, b: text })), []],
    [
      'nothing, with a new version',
      withVersions(version({ a: text })),
      withVersions(version({ a: text }), version({}, { name: 'v2', storage: false })),
      [],
    ],
    [
      'a field',
      withVersions(version({ a: text, b: text })),
      withVersions(version({ a: text })),
      ['version v1: field .b would be lost'],
    ],
    [
      'a field inside a list and a map',
      withVersions(
        version({ a: { type: 'array', items: { type: 'object', additionalProperties: { properties: { b: text } } } } }),
      ),
      withVersions(
        version({ a: { type: 'array', items: { type: 'object', additionalProperties: { properties: {} } } } }),
      ),
      ['version v1: field .a[].*.b would be lost'],
    ],
    [
      'no field where everything is kept',
      withVersions(version({ a: { type: 'object', properties: { b: text } } })),
      withVersions(version({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } })),
      [],
    ],
    [
      'free keys',
      withVersions(version({ a: { type: 'object', additionalProperties: text } })),
      withVersions(version({ a: { type: 'object', properties: { b: text } } })),
      ['version v1: field .a.* would be lost'],
    ],
    [
      'a type',
      withVersions(version({ a: text })),
      withVersions(version({ a: { type: 'integer' } })),
      ['version v1: the type of .a would change from string to integer'],
    ],
    [
      'a served version',
      withVersions(version({}), version({}, { name: 'v1beta1', storage: false })),
      withVersions(version({}), version({}, { name: 'v1beta1', storage: false, served: false })),
      ['version v1beta1 would no longer be served'],
    ],
    [
      'a stored version that is not served any more',
      crd(
        { versions: [version({}), version({}, { name: 'v1alpha1', served: false, storage: false })] },
        { storedVersions: ['v1alpha1', 'v1'] },
      ),
      withVersions(version({})),
      ['objects are stored in version v1alpha1, which would be removed'],
    ],
    [
      'the scope',
      crd({ versions: [version({})] }),
      crd({ scope: 'Cluster', versions: [version({})] }),
      ['its scope would change from Namespaced to Cluster'],
    ],
  ])('%s', (_what, live, chart, losses) => expect(crdLosses(chart, live)).toEqual(losses));
});

describe('where a CRD of the cluster differs from the chart', () => {
  const schema = 'spec.versions[v1].schema.openAPIV3Schema.properties';
  test.each<[string, KubernetesObject, KubernetesObject, readonly string[]]>([
    [
      'not in what the server fills in',
      withVersions(version({ a: { type: 'string', description: '', nullable: false, enum: null } })),
      crd({
        names: { kind: 'Widget', plural: 'widgets', listKind: 'WidgetList', singular: 'widget' },
        conversion: { strategy: 'None' },
        versions: [version({ a: text })],
      }),
      [],
    ],
    [
      'in a field that is new',
      withVersions(version({ a: text, b: text })),
      withVersions(version({ a: text })),
      [`${schema}.b`],
    ],
    ['in one that is gone', withVersions(version({})), withVersions(version({ a: text })), [`${schema}.a`]],
    [
      'in a default of false',
      withVersions(version({ a: { type: 'boolean', default: false } })),
      withVersions(version({ a: { type: 'boolean' } })),
      [`${schema}.a.default`],
    ],
    [
      'in a version, whatever the order',
      withVersions(version({}, { name: 'v2', storage: false }), version({})),
      withVersions(version({}), version({}, { name: 'v2', storage: false, served: false })),
      ['spec.versions[v2].served'],
    ],
    [
      'not in the certificate of its webhook',
      crd({ conversion: { strategy: 'Webhook', webhook: { clientConfig: { service: { name: 'a' } } } }, versions: [] }),
      crd({
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { caBundle: 'Qg==', service: { name: 'a', port: 443 } } },
        },
        versions: [],
      }),
      [],
    ],
  ])('%s', (_where, chart, live, paths) => expect(crdDifferences(chart, live)).toEqual(paths));
});
