import { afterAll, beforeAll, expect, test } from 'vitest';
import { Tshelm } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.2.3\n',
  'values.yaml': 'id: 9007199254740993\nsmall: 5\nlabel: one\n',
  'templates/config.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {id: "{{ .Values.user.id }}", label: "{{ .Values.label }}"}\n',
};
/** The last three are those of a float64 too: the first two digit by digit, the other one is what 2 ** 60 is written as. */
const ids = [
  9007199254740993n,
  -9223372036854775808n,
  9223372036854775807n,
  9007199254740992n,
  1152921504606847000n,
  1152921504606846976n,
];

let box: Sandbox;
beforeAll(async () => {
  box = await sandbox({ time: 'simulated' });
});
afterAll(() => box.close());

test.each(ids)('%s is the same in the record, however it is asked for', async (id) => {
  const { tshelm } = box;
  const name = `web${id}`.replace('-', 'minus');
  const values = { user: { id, list: [id, 7], text: '9007199254740993' } };
  const { release } = await tshelm.install(name, tshelm.chart(files), { values });
  expect(release.values).toEqual(values);
  expect((await tshelm.get(name)).values).toEqual(values);
  expect((await tshelm.get(name, { revision: 1 })).values).toEqual(values);
  expect((await tshelm.status(name)).release.values).toEqual(values);
  expect(await tshelm.allValues(name)).toMatchObject(values);
});

test('values that are kept by an upgrade and a rollback stay exact, for templates too', async () => {
  const { tshelm } = box;
  const user = { id: 9007199254740993n };
  await tshelm.install('kept', tshelm.chart(files), { values: { user } });
  const { release } = await tshelm.upgrade('kept', tshelm.chart(files), {
    reuseValues: true,
    values: { label: 'two' },
  });
  expect(release.manifest).toContain('id: "9007199254740993"');
  expect((await tshelm.get('kept')).values).toEqual({ user, label: 'two' });
  await tshelm.rollback('kept', { revision: 1 });
  expect((await tshelm.get('kept')).values).toEqual({ user });
});

test('a number, which Helm takes for a float64, is one for templates when it is kept', async () => {
  const { tshelm } = box;
  await tshelm.install('float', tshelm.chart(files), { values: { user: { id: 2 ** 60 } } });
  const { release } = await tshelm.upgrade('float', tshelm.chart(files), { reuseValues: true });
  expect(release.manifest).toContain('id: "1.152921504606847e+18"');
  expect(release.values).toEqual({ user: { id: 1152921504606847000n } });
});

test('the values of a chart are those of its values.yaml', () => {
  const { values } = new Tshelm().chart(files);
  expect(values).toEqual({ id: 9007199254740993n, small: 5, label: 'one' });
});
