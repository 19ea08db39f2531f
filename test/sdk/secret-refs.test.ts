import { expect, test } from 'vitest';
import { Tshelm } from '../../src/index.ts';

const shop = new Tshelm().chart({
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'templates/a.yaml': 'kind: A\nmetadata: {name: {{ toJson .Values | quote }}}\n',
});
const tshelm = new Tshelm({ environment: { DB: 'from-env' } });
const given = { values: { a: 'ref+env://$DB' }, set: ['b=ref+echo://from/set#/from'] };

test('references in values are followed where the program asks for it', async () => {
  const { manifest } = await tshelm.render(shop, { ...given, secretRefs: true });
  expect(manifest).toContain(JSON.stringify('{"a":"from-env","b":"set"}'));
});

test('otherwise they are texts', async () =>
  expect((await tshelm.render(shop, given)).manifest).toContain('ref+env://$DB'));

test('without a program that follows them, the failure names the value', async () =>
  expect(tshelm.render(shop, { set: ['db.x=ref+vault://secret/db'], secretRefs: true })).rejects.toMatchObject({
    code: 'secret-failed',
    message: expect.stringContaining('db.x'),
    details: { keys: ['db', 'x'] },
  }));
