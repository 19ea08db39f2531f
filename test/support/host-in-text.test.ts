import { expect, test } from 'vitest';
import { hostIn } from '../../src/support/host-in-text.ts';

const host = { name: 'db', namespace: 'shop' };

test.each([
  ['db:5432', ''],
  ['postgres://user:pass@db/shop', ''],
  ['http://db/health', ''],
  ['until nc -z db 5432; do sleep 1; done', ''],
  ['pg_isready -h db', ''],
  ['host = "db"', ''],
  ['db', 'DATABASE_HOST'],
])('%j names the Service as a host', (value, key) => expect(hostIn({ value, key }, host)).toBe('db'));

test('a namespace that the kubelet fills in is that of the pod', () =>
  expect(hostIn({ value: 'x-0.db.$(POD_NAMESPACE).svc', key: '' }, host)).toBe('db.$(POD_NAMESPACE)'));

test('a name with its namespace is a host wherever it stands', () =>
  expect(hostIn({ value: 'x-0.db.shop.svc.cluster.local', key: '' }, host)).toBe('db.shop'));

test.each([
  ['db', 'DATABASE_NAME'],
  ['the db of the shop', 'TEXT'],
  ['my-db:5432', ''],
  ['db-replica:5432', ''],
  ['db.other.svc', ''],
  ['db.shopping', ''],
  ['/data/db/file', ''],
  ['', 'DATABASE_HOST'],
])('%j of %j does not', (value, key) => expect(hostIn({ value, key }, host)).toBeUndefined());
