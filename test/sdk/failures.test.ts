import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Tshelm, TshelmError } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
};

let box: Sandbox;
beforeAll(async () => {
  box = await sandbox({ time: 'simulated' });
  await box.tshelm.install('web', box.tshelm.chart(files));
  await box.tshelm.upgrade('web', box.tshelm.chart(files));
});
afterAll(() => box.close());

test.each<[string, (tshelm: Tshelm) => Promise<unknown>, object]>([
  [
    'a release that is not there is named',
    (tshelm) => tshelm.get('shop'),
    { code: 'release-not-found', message: 'release "shop" not found', details: { release: 'shop' } },
  ],
  [
    'a revision that is not there is another failure than a release',
    (tshelm) => tshelm.get('web', { revision: 9 }),
    {
      code: 'revision-not-found',
      message: 'release "web" has no revision 9; it has 1, 2',
      details: { release: 'web', revision: 9, revisions: [1, 2] },
    },
  ],
  [
    'of a release that is not there there are no revisions',
    (tshelm) => tshelm.get('shop', { revision: 9 }),
    { code: 'release-not-found', message: 'release "shop" not found' },
  ],
  [
    'a rollback to a revision that is not there',
    (tshelm) => tshelm.rollback('web', { revision: 9 }),
    { code: 'revision-not-found', message: 'release "web" has no revision 9; it has 1, 2' },
  ],
  [
    'a rollback of a release that has only one revision',
    async (tshelm) => {
      await tshelm.install('single', tshelm.chart({ 'Chart.yaml': 'apiVersion: v2\nname: single\nversion: 1.0.0\n' }));
      await tshelm.rollback('single');
    },
    { code: 'revision-not-found', message: 'release "single" has only revision 1: there is none to go back to' },
  ],
  [
    'an install of a name that is taken',
    (tshelm) => tshelm.install('web', tshelm.chart(files)),
    { code: 'name-in-use', details: { release: 'web' } },
  ],
  [
    'a rehearsal in which something fails that the chart does not have',
    (tshelm) => tshelm.rehearse('new', tshelm.chart(files), { fail: 'queue' }),
    {
      code: 'bad-options',
      message: 'cannot fail queue: the chart has no workload with this name; it has none',
      details: { option: 'fail' },
    },
  ],
  [
    'a repository that is not known',
    (tshelm) => tshelm.load('bitnami/redis'),
    {
      code: 'repository-unknown',
      details: { remedies: [{ kind: 'run', verb: 'repo', arguments: ['add', 'bitnami', 'URL'] }] },
    },
  ],
])('%s', async (_what, call, expected) => {
  await expect(call(box.tshelm)).rejects.toMatchObject(expected);
});

describe('values that do not fit the schema', () => {
  const schema = {
    required: ['name'],
    properties: { port: { type: 'integer' }, web: { properties: { size: { enum: ['s', 'm'] } } } },
  };

  test('are listed', async () => {
    const chart = box.tshelm.chart({ ...files, 'values.schema.json': JSON.stringify(schema) });
    const values = { port: 'many', web: { size: 'xl' } };
    const misfits = [
      { chart: 'web', path: '', message: "missing property 'name'" },
      { chart: 'web', path: 'port', message: 'got string, want integer' },
      { chart: 'web', path: 'web.size', message: "value must be one of 's', 'm'" },
    ];
    await expect(box.tshelm.render(chart, { values })).rejects.toMatchObject({
      code: 'values-schema',
      details: { chart: 'web', misfits },
    });
    expect(() => new Tshelm().renderSync(chart, { values })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ misfits }) as object }) as Error,
    );
  });

  test('and a schema that is none, too', async () => {
    const chart = box.tshelm.chart({ ...files, 'values.schema.json': '{"type": 5}' });
    await expect(box.tshelm.render(chart)).rejects.toMatchObject({
      details: { misfits: [{ chart: 'web', path: '', message: expect.stringContaining('type') as string }] },
    });
  });
});

test.each([
  ['undefined', () => undefined],
  ['null', () => null],
  ['object', async () => ['a: b']],
])('a post-renderer that gives %s is refused', async (what, postRenderer) => {
  const { tshelm } = box;
  const message = `the option postRenderer must return the manifests as a string or a promise of a string; it returned ${what}`;
  const options = { postRenderer: postRenderer as never };
  for (const call of [
    () => tshelm.render(tshelm.chart(files), options),
    () => tshelm.template(tshelm.chart(files), options),
    () => tshelm.install('posted', tshelm.chart(files), options),
  ])
    await expect(call()).rejects.toMatchObject({
      code: 'post-renderer-failed',
      message: expect.stringContaining(message) as string,
    });
});

test('an error says its class, whatever a bundler made of it', () => {
  expect(TshelmError.name).toBe('TshelmError');
  expect(inspect(new TshelmError('failed', { message: 'no' }))).toMatch(/^TshelmError \[failed\]: no\n {4}at /);
});

test('an error that is logged shows its problems, and not its data', async () => {
  const broken = { ...files, 'templates/b.yaml': 'apiVersion: v1\nkind: Pot\nmetadata: {name: b}\n' };
  const failure = await box.tshelm.install('pot', box.tshelm.chart(broken)).catch((error: unknown) => error);
  const shown = inspect(failure).split('\n');
  expect(shown[0]).toBe(
    `TshelmError [${(failure as TshelmError).code}]: ${(failure as TshelmError).message.split('\n')[0]}`,
  );
  expect(shown.length).toBeLessThan(30);
  expect(shown.filter((line) => /^ {2}(?:where|fix) /.test(line)).length).toBeGreaterThan(1);
});

test('an error has its problems, of a template too, without secrets', async () => {
  const chart = box.tshelm.chart({ ...files, 'templates/b.yaml': '{{ fail (printf "no %s" .Values.auth.password) }}' });
  const values = { auth: { password: 'hunter2-of-the-user' } };
  const failure: unknown = await box.tshelm.render(chart, { values }).catch((error: unknown) => error);
  const { problems } = failure as TshelmError;
  expect(problems[0]).toMatchObject({ code: 'chart-refuses', subject: { kind: 'template' } });
  expect(JSON.stringify(problems)).toContain('no ***');
  expect(JSON.stringify(problems)).not.toContain('hunter2');
});

test('an error of a file that is no YAML has its problem', async () => {
  const chart = { ...files, 'values.yaml': 'a: [1\n' };
  const failure = (await Promise.resolve()
    .then(() => box.tshelm.chart(chart))
    .catch((error: unknown) => error)) as TshelmError;
  expect(failure.problems).toMatchObject([
    { code: 'yaml-bracket-open', places: [{ kind: 'file', file: 'values.yaml', line: 2 }] },
  ]);
});
