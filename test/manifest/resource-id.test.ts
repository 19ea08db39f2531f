import { expect, test } from 'vitest';
import { formatId, groupOf, idOf, isNamed, objectKey } from '../../src/manifest/resource-id.ts';

const deployment = (metadata: { name: string; namespace?: string }) =>
  idOf({ apiVersion: 'apps/v1', kind: 'Deployment', metadata }, 'fallback');

test.each([
  [deployment({ name: 'web', namespace: 'shop' }), 'Deployment/web in shop'],
  [deployment({ name: 'web' }), 'Deployment/web in fallback'],
  [idOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }), 'Namespace/shop'],
])('formatId(%o)', (id, text) => expect(formatId(id)).toBe(text));

test('two versions of one group name the same object', () => {
  const id = deployment({ name: 'web' });
  expect(objectKey({ ...id, apiVersion: 'apps/v1beta1' })).toBe(objectKey(id));
  expect(objectKey({ ...id, apiVersion: 'extensions/v1beta1' })).not.toBe(objectKey(id));
});

test.each([
  ['v1', ''],
  ['apps/v1', 'apps'],
])('the group of %s', (apiVersion, group) => expect(groupOf(apiVersion)).toBe(group));

test.each([
  ['Deployment/web', true],
  ['deployment/web', true],
  ['Deployment.apps/web', true],
  ['shop/Deployment/web', true],
  ['shop/Deployment.apps/web', true],
  ['Deployment.extensions/web', false],
  ['other/Deployment/web', false],
  ['Deployment/shop/web', false],
  ['web', false],
  ['a/shop/Deployment/web', false],
])('%s names Deployment/web in shop: %s', (text, expected) =>
  expect(isNamed(deployment({ name: 'web', namespace: 'shop' }), text)).toBe(expected),
);
