import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditOf, type Write } from './support/audit.ts';
import { configMap, documents, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, tshelm } from './support/programs.ts';

/* `drift --fix` by the audit log: exactly the objects that have drifted get one write each, and nothing else is sent. */
const directory = scratchDirectory();
const admin = adminOf('drift-fix');
const audit = auditOf(admin);
const { namespace } = admin;
const chart = writeChart(directory, 'web', {
  'templates/all.yaml': documents(
    workload('Deployment', 'web'),
    workload('Deployment', 'scaled'),
    ...['one', 'two', 'three', 'four'].map((name) => configMap(name, 'x')),
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Release.Name }}-secret\nstringData: {password: hidden-words}\n',
  ),
});

/** What the API server took: while the controller writes the status, a Deployment at an older version is refused. */
const isOurs = ({ userAgent, resource, isNamespaced, code }: Write): boolean =>
  userAgent === 'tshelm' && isNamespaced && resource !== 'leases.coordination.k8s.io' && code < 400;
const sent = async (): Promise<readonly string[]> =>
  (await audit.writes(isOurs)).map(({ verb, object }) => `${verb} ${object}`).sort();
const idOf = (kind: string, name: string) => ({
  apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
  kind,
  namespace,
  name,
});
const revisions = async (release: string): Promise<number> =>
  (JSON.parse(await ok(helm, ['history', release, '-n', namespace, '-o', 'json'])) as unknown[]).length;

describe.each(['true', 'false'])('installed with --server-side=%s', (serverSide) => {
  const method = `--server-side=${serverSide}`;
  const isServerSide = serverSide === 'true';

  /** A release with a Deployment that somebody edited, one that is scaled, a ConfigMap that is gone and one that was edited. */
  async function drifted(release: string): Promise<void> {
    await ok(tshelm, ['install', release, chart, '-n', namespace, method]);
    const cluster = admin.cluster();
    const edit = { fieldManager: 'kubectl-edit' };
    const editedImage = {
      spec: { replicas: 4, template: { spec: { containers: [{ name: 'main', image: 'evil:1' }] } } },
    };
    await cluster.patch(idOf('Deployment', `${release}-web`), 'merge', editedImage, edit);
    await cluster.patch(idOf('Deployment', `${release}-scaled`), 'merge', { spec: { replicas: 7 } }, edit);
    await cluster.patch(idOf('ConfigMap', `${release}-one`), 'merge', { data: { value: 'y', own: 'kept' } }, edit);
    await cluster.patch(idOf('Secret', `${release}-secret`), 'merge', { stringData: { password: 'other' } }, edit);
    await cluster.delete(idOf('ConfigMap', `${release}-two`));
  }
  const ignore = (release: string) => ['--ignore', `Deployment/${release}-scaled:spec.replicas@kubectl-*`];
  const writes = (release: string) =>
    [
      `patch configmaps/${release}-one`,
      `${isServerSide ? 'patch' : 'create'} configmaps/${release}-two`,
      `patch deployments.apps/${release}-web`,
      `patch secrets/${release}-secret`,
    ].sort();

  async function isAsRecorded(release: string): Promise<void> {
    const { stdout } = await tshelm.run(['drift', release, '-n', namespace, ...ignore(release), '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ drifted: false });
    const one = await admin.cluster().get(idOf('ConfigMap', `${release}-one`));
    expect(one?.['data']).toEqual({ value: 'x', own: 'kept' });
    const scaled = await admin.cluster().get(idOf('Deployment', `${release}-scaled`));
    expect(scaled?.['spec']).toMatchObject({ replicas: 7 });
    expect(await revisions(release)).toBe(1);
  }

  test('--yes sends each drifted object once', async () => {
    const release = `yes-${serverSide}`;
    await drifted(release);
    audit.begin();
    const shown = await ok(tshelm, ['drift', release, '-n', namespace, ...ignore(release), '--fix', '--yes']);
    expect(await sent()).toEqual(writes(release));
    expect(shown).toContain('1 to create, 3 to change');
    expect(shown).not.toContain('hidden-words');
    await isAsRecorded(release);
    audit.begin();
    const again = await ok(tshelm, ['drift', release, '-n', namespace, ...ignore(release), '--fix', '--yes']);
    expect(again).toContain('nothing to bring back');
    expect(await sent()).toEqual([]);
    // Helm goes on with the release as before.
    await ok(helm, ['upgrade', release, chart, '-n', namespace, ...(isServerSide ? ['--force-conflicts'] : [])]);
  });

  test('a saved plan is applied as it was shown, and refused once something else has drifted', async () => {
    const release = `plan-${serverSide}`;
    await drifted(release);
    const file = join(directory, `${release}.plan`);
    const words = ['drift', release, '-n', namespace, ...ignore(release), '--fix'];
    audit.begin();
    await ok(tshelm, [...words, '--out', file]);
    expect(await sent()).toEqual([]);
    expect(existsSync(file)).toBe(true);
    expect(await ok(tshelm, ['show-plan', file])).toContain(`fix ${release}`);
    await ok(tshelm, ['apply', file]);
    expect(await sent()).toEqual(writes(release));
    await isAsRecorded(release);
    const old = await tshelm.run(['apply', file]);
    expect(old.code).toBe(1);
    expect(old.stderr).toContain('out of date');
  });

  test('without a terminal it asks for consent by a flag, and sends nothing', async () => {
    const release = `ask-${serverSide}`;
    await drifted(release);
    audit.begin();
    const { code, stderr } = await tshelm.run(['drift', release, '-n', namespace, '--fix']);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') as unknown });
    expect(await sent()).toEqual([]);
  });

  test('what the server refuses is named, and the others are brought back', async () => {
    const release = `refused-${serverSide}`;
    const cluster = admin.cluster();
    await ok(tshelm, ['install', release, chart, '-n', namespace, method]);
    for (const [name, edit] of Object.entries({ one: {}, two: { immutable: true } }))
      await cluster.patch(idOf('ConfigMap', `${release}-${name}`), 'merge', { data: { value: 'y' }, ...edit });
    const words = ['drift', release, '-n', namespace, '--fix', '--yes'];
    audit.begin();
    const fixed = await tshelm.run(words);
    expect(await sent()).toEqual([`patch configmaps/${release}-one`]);
    expect(fixed).toMatchObject({ code: 1, stdout: expect.stringContaining('1 to change') as unknown });
    expect(fixed.stderr).toContain(`ConfigMap/${release}-two is not brought back`);
    const alone = await tshelm.run(words);
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('[field-immutable]') as unknown });
    expect(await sent()).toHaveLength(1);
  });

  test('what the release remembers as left is neither drift nor brought back', async () => {
    const release = `left-${serverSide}`;
    const leave = ['--take-fields', 'Deployment:spec.replicas=leave'];
    await ok(tshelm, ['install', release, chart, '-n', namespace, method]);
    await ok(tshelm, ['upgrade', release, chart, '-n', namespace, ...leave]);
    const edited = { spec: { replicas: 3 }, metadata: { annotations: { mine: 'x' } } };
    const cluster = admin.cluster();
    await cluster.patch(idOf('Deployment', `${release}-web`), 'merge', edited, { fieldManager: 'scaler' });
    const found = JSON.parse(await ok(tshelm, ['drift', release, '-n', namespace, '-o', 'json'])) as object;
    expect(found).toMatchObject({ drifted: false });
    const other = { spec: { replicas: 3, template: { spec: { containers: [{ name: 'main', image: 'evil:1' }] } } } };
    await cluster.patch(idOf('Deployment', `${release}-web`), 'merge', other, { fieldManager: 'kubectl-edit' });
    audit.begin();
    await ok(tshelm, ['drift', release, '-n', namespace, '--fix', '--yes']);
    expect(await sent()).toEqual([`patch deployments.apps/${release}-web`]);
    const live = await cluster.get(idOf('Deployment', `${release}-web`));
    expect(live?.['spec']).toMatchObject({
      replicas: 3,
      template: { spec: { containers: [{ image: 'example.com/main:1' }] } },
    });
  });
});

test('stack drift --fix sends each drifted object of all releases once, and a saved plan the same', async () => {
  const names = ['stack-a', 'stack-b', 'stack-c'];
  const state = join(directory, 'helmfile.yaml');
  const release = (name: string, needs = '[]'): string =>
    `  - {name: ${name}, namespace: ${namespace}, createNamespace: false, chart: ${chart}, needs: ${needs}}\n`;
  writeFileSync(state, `releases:\n${release('stack-a', '[stack-b]')}${release('stack-b')}${release('stack-c')}`);
  await ok(tshelm, ['stack', 'sync', '-f', state]);
  const edit = async (): Promise<void> => {
    for (const name of ['stack-a', 'stack-b'])
      await admin.cluster().patch(idOf('ConfigMap', `${name}-one`), 'merge', { data: { value: 'y' } });
    await admin.cluster().delete(idOf('ConfigMap', 'stack-b-two'));
  };
  const expected = ['patch configmaps/stack-a-one', 'patch configmaps/stack-b-one', 'patch configmaps/stack-b-two'];
  await edit();
  audit.begin();
  const words = ['stack', 'drift', '-f', state, '--fix'];
  expect(await tshelm.run([...words, '--yes', '--exit-code'])).toMatchObject({ code: 2 });
  expect(await sent()).toEqual(expected);
  const order = (await audit.writes(isOurs)).map(({ object }) => object);
  expect(order.indexOf('configmaps/stack-b-two')).toBeLessThan(order.indexOf('configmaps/stack-a-one'));
  await edit();
  const file = join(directory, 'stack-fix.plan');
  audit.begin();
  await ok(tshelm, [...words, '--out', file]);
  expect(await sent()).toEqual([]);
  await ok(tshelm, ['apply', file]);
  expect(await sent()).toEqual(expected);
  expect(await tshelm.run(['stack', 'drift', '-f', state, '--exit-code'])).toMatchObject({ code: 0 });
  for (const name of names) expect(await revisions(name)).toBe(1);
  audit.begin();
  expect(await tshelm.run(['apply', file])).toMatchObject({ code: 1 });
  expect(await sent()).toEqual([]);
});
