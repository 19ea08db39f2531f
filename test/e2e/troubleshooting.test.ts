import { describe, expect, test } from 'vitest';
import { auditOf } from './support/audit.ts';
import { configMap, scratchDirectory, writeChart } from './support/charts.ts';
import { deletions, expectDeleted } from './support/deletions.ts';
import { adminOf } from './support/namespaces.ts';
import { workload } from './support/order.ts';
import { helm, helm3, ok, tshelm } from './support/programs.ts';

// docs/troubleshooting.md, followed as it stands; its Jobs and refused objects are in order-audit.test.ts.
const directory = scratchDirectory();
const admin = adminOf('troubles');
const audit = auditOf(admin);
const { namespace } = admin;
const inNamespace = ['-n', namespace, '--timeout', '60s'];
const ordered = [...inNamespace, '--wait=ordered'];
const set = (more = ''): readonly string[] => ['--set', `global.tag=1,global.ready=0s,global.gone=500ms${more}`];
const states = async (name: string): Promise<readonly string[]> => {
  const { sequencing } = JSON.parse(await ok(tshelm, ['status', name, '-n', namespace, '-o', 'json'])) as {
    readonly sequencing: { readonly states: readonly { unit: string; node?: string; state: string }[] };
  };
  return sequencing.states.map(({ unit, node = '', state }) => `${unit} ${node}: ${state}`);
};

test('a cycle: nothing was sent, and each arrow has its line', async () => {
  const chart = writeChart(directory, 'shop', {
    'Chart.yaml':
      'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies:\n- name: api\n  version: 1.0.0\n  depends-on: [queue]\n- name: queue\n  version: 1.0.0\n  depends-on: [api]\n',
    ...Object.fromEntries(
      ['api', 'queue'].flatMap((name) => [
        [`charts/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`],
        [`charts/${name}/templates/a.yaml`, configMap(name, 'x')],
      ]),
    ),
  });
  audit.begin();
  const { code, stderr } = await tshelm.run(['install', 'shop', chart, ...ordered]);
  expect(code).toBe(1);
  expect(stderr).toContain(
    `subcharts of shop wait for each other: api -> queue -> api; remove one of these:\n  api waits for queue because of Chart.yaml depends-on (${chart}/Chart.yaml:7)\n  queue waits for api because of Chart.yaml depends-on (${chart}/Chart.yaml:10)\n`,
  );
  expect(
    await audit.writes(
      ({ userAgent, resource, isNamespaced }) =>
        userAgent === 'tshelm' && isNamespaced && !resource.startsWith('leases'),
    ),
  ).toEqual([]);
});

describe('after a failed batch', () => {
  const fated = workload('db', 'helm.sh/resource-group: database').replace(
    'e2e.tshelm.dev/ready-after:',
    '{{ with .Values.fate }}e2e.tshelm.dev/fate: {{ . }}{{ end }}\n        e2e.tshelm.dev/ready-after:',
  );
  const chart = writeChart(directory, 'batches', {
    'templates/db.yaml': fated,
    'templates/web.yaml': workload('web', 'helm.sh/resource-group: web, helm.sh/depends-on/resource-groups: database'),
  });
  const broken = (tag: string): readonly string[] => [
    ...ordered,
    '--grace',
    '1s',
    ...set(`,global.tag=${tag},fate=image-pull`),
  ];

  test('the message names the batch, the object and its container; nothing of a later one was started', async () => {
    audit.begin();
    const { code, stderr } = await tshelm.run(['install', 'shop', chart, ...broken('1')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Error: INSTALLATION FAILED: Deployment\/db: container main: ImagePullBackOff: .* \(no progress for 1 s\) \[image-pull-failed\]\n(?: .*\n)+ {2}batch {2}1 of 2 of batches \(database\)\n/m,
    );
    const sent = await audit.writes(
      ({ resource, userAgent }) => resource === 'deployments.apps' && userAgent === 'tshelm',
    );
    expect(sent.map(({ name }) => name)).toEqual(['db']);
    expect(await states('shop')).toEqual(['batches : failed', 'batches database: failed', 'batches web: pending']);
    expect(await ok(tshelm, ['history', 'shop', '-n', namespace])).toMatch(
      /failed.*batch 1 of 2 of batches \(database\)/,
    );
  });

  test('a first install has no revision to go back to; with other values it is not resumed', async () => {
    expect(await tshelm.run(['rollback', 'shop', ...inNamespace])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('release has no 0 version'),
    });
    const resumed = await tshelm.run(['upgrade', 'shop', chart, ...ordered, '--resume', ...set()]);
    expect(resumed.stderr).toContain('cannot be resumed: the values are not the same');
  });

  test('upgraded again with what is mended it is deployed; it can go back, and goes back by itself', async () => {
    await ok(tshelm, ['upgrade', 'shop', chart, ...ordered, ...set()]);
    expect(await states('shop')).toEqual(['batches : ready', 'batches database: ready', 'batches web: ready']);
    expect((await tshelm.run(['upgrade', 'shop', chart, ...broken('2')])).code).toBe(1);
    await ok(tshelm, ['rollback', 'shop', ...inNamespace]);
    expect(await states('shop')).toEqual(['batches : ready', 'batches database: ready', 'batches web: ready']);
    const back = await tshelm.run(['upgrade', 'shop', chart, ...broken('3'), '--rollback-on-failure']);
    expect(back.stderr).toContain('has been rolled back due to rollback-on-failure being set');
    expect(await ok(tshelm, ['status', 'shop', '-n', namespace])).toContain('STATUS: deployed');
    await ok(tshelm, ['uninstall', 'shop', ...inNamespace]);
  });
});

describe('mixing with Helm', () => {
  const files = {
    'Chart.yaml':
      'apiVersion: v2\nname: pair\nversion: 1.0.0\ndependencies:\n- {name: api, version: 1.0.0, depends-on: [queue]}\n- {name: queue, version: 1.0.0}\n',
    ...Object.fromEntries(
      ['api', 'queue'].flatMap((name) => [
        [`charts/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`],
        [`charts/${name}/templates/a.yaml`, workload(name)],
      ]),
    ),
  };
  const backwards = [['api'], ['queue']];

  test.each([helm, helm3])(
    'what $name installed without an order, an upgrade puts on record first',
    async (program) => {
      const chart = writeChart(directory, `first-${program.name}`, files);
      await ok(program, ['install', 'pair', chart, ...inNamespace, '--wait', ...set()]);
      const guessed = await ok(tshelm, ['plan', 'uninstall', 'pair', '-n', namespace, '--wait=ordered']);
      expect(guessed).toContain('warning: revision 1 of pair does not record the order of the subcharts of pair');
      await ok(tshelm, ['upgrade', 'pair', chart, ...ordered, ...set()]);
      expect(await ok(tshelm, ['plan', 'uninstall', 'pair', '-n', namespace])).not.toContain('warning');
      audit.begin();
      await ok(tshelm, ['uninstall', 'pair', ...inNamespace]);
      expectDeleted(await deletions(audit), backwards);
    },
  );

  test.each([helm, helm3])(
    '$name can work on what tshelm deployed, and tshelm still knows the order',
    async (program) => {
      const chart = writeChart(directory, `mixed-${program.name}`, files);
      await ok(tshelm, ['install', 'pair', chart, ...ordered, ...set()]);
      await ok(program, ['upgrade', 'pair', chart, ...inNamespace, '--wait', ...set()]);
      await ok(program, ['rollback', 'pair', '1', ...inNamespace, '--wait']);
      audit.begin();
      await ok(tshelm, ['uninstall', 'pair', ...inNamespace]);
      expectDeleted(await deletions(audit), backwards);
      await ok(tshelm, ['install', 'pair', chart, ...ordered, ...set()]);
      await ok(program, ['uninstall', 'pair', ...inNamespace, '--wait']);
      expect(await admin.records('pair')).toEqual([]);
    },
  );

  test('Helm refuses keys with two slashes, and takes those that mean the same', async () => {
    const chartWith = (name: string, key: string): string =>
      writeChart(directory, name, {
        'templates/a.yaml': configMap('a', 'x', { 'helm.sh/resource-group': 'a' }),
        'templates/b.yaml': configMap('b', 'x', { 'helm.sh/resource-group': 'b', [key]: 'a' }),
      });
    const refused = await helm.run([
      'install',
      'two',
      chartWith('two', 'helm.sh/depends-on/resource-groups'),
      ...inNamespace,
    ]);
    expect(refused.stderr).toContain('a valid label key must consist of');
    await ok(helm, ['uninstall', 'two', ...inNamespace]);
    await ok(helm, ['install', 'one', chartWith('one', 'depends-on.helm.sh/resource-groups'), ...inNamespace]);
    audit.begin();
    await ok(tshelm, ['uninstall', 'one', ...ordered]);
    const deleted = await audit.writes(
      ({ verb, userAgent, resource }) => verb === 'delete' && userAgent === 'tshelm' && resource === 'configmaps',
    );
    expect(deleted.map(({ name }) => name)).toEqual(['one-b', 'one-a']);
  });
});
