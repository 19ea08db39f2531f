import { afterAll, beforeAll, expect, test } from 'vitest';
import { Tshelm } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

let world: Sandbox;
let tshelm: Tshelm;
beforeAll(async () => {
  world = await sandbox({ time: 'simulated' });
  tshelm = new Tshelm({ cluster: world.cluster });
});
afterAll(() => world.close());

const chart = new Tshelm().chart({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'templates/map.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fixed}\nimmutable: true\ndata: {k: {{ .Values.k }}}\n',
});

test('an object that cannot be changed is replaced by its name or by a rule', async () => {
  await tshelm.install('web', chart, { values: { k: 'a' } });
  const values = { k: 'b' };
  await expect(tshelm.upgrade('web', chart, { values })).rejects.toMatchObject({
    problems: [{ remedies: [{ kind: 'set-option', option: 'replaceObjects', value: 'ConfigMap/fixed' }] }],
  });
  const diff = await tshelm.diff('web', chart, { values, replaceImmutable: true });
  expect(diff.objects).toMatchObject([{ replaced: { how: 'delete', forcedBy: ['data.k'] } }]);
  await tshelm.upgrade('web', chart, { values, replaceObjects: ['ConfigMap/fixed'] });
  await tshelm.upgrade('web', chart, { values: { k: 'c' }, onImmutable: { 'ConfigMap/*': 'replace' } });
  await tshelm.rollback('web', { replaceImmutable: true });
  expect((await tshelm.drift('web')).objects).toEqual([]);
});

test('what is no list and no rule is refused', async () => {
  const given = { replaceObjects: 'ConfigMap/fixed' } as never;
  await expect(tshelm.upgrade('web', chart, given)).rejects.toMatchObject({ code: 'bad-options' });
  const rules = { onImmutable: { 'ConfigMap/*': 'never' } } as never;
  await expect(tshelm.upgrade('web', chart, rules)).rejects.toMatchObject({ code: 'invalid-arguments' });
});
