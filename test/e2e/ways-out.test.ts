import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { configMap, documents, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, helm3, ok, tshelm } from './support/programs.ts';

// What a deploy refuses, or fails at, and what it says of the way out; and that this way is one.
const directory = scratchDirectory();
const admin = adminOf('ways-out');
const { namespace } = admin;
const inNamespace = ['-n', namespace, '--timeout', '20s'];
const valueOf = async (name: string): Promise<unknown> => (await admin.object('v1', 'ConfigMap', name))?.['data'];
const service =
  'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}-web\nspec:\n  ports: [{port: {{ .Values.port }} }]\n';

test('an immutable field: the error names it and flags that help', async () => {
  const chart = writeChart(directory, 'fixed', {
    'values.yaml': 'label: a\n',
    'templates/all.yaml': workload('Deployment', 'web').replaceAll('app: ', 'app-{{ .Values.label }}: '),
  });
  await ok(tshelm, ['install', 'fixed', chart, ...inNamespace]);
  const changed = ['upgrade', 'fixed', chart, '--set', 'label=b', ...inNamespace];
  const { code, stderr } = await tshelm.run(changed);
  expect(code).toBe(1);
  const hint = /fix {4}add (--.*) to delete /.exec(stderr);
  await ok(tshelm, [...changed, ...(hint?.[1]?.split(' ') ?? ['no hint'])]);
  const live = await admin.object('apps/v1', 'Deployment', 'fixed-web');
  expect(live?.['spec']).toMatchObject({ selector: { matchLabels: { 'app-b': 'fixed-web' } } });
});

test('conflicts are named path by path, with the other manager, and --force-conflicts takes the fields over', async () => {
  const chart = writeChart(directory, 'shared', {
    'values.yaml': 'value: a\n',
    'templates/all.yaml': configMap('main', '{{ .Values.value }}').replace(
      '\ndata:\n',
      '\ndata:\n  other: {{ .Values.value }}\n',
    ),
  });
  await ok(tshelm, ['install', 'shared', chart, ...inNamespace]);
  const theirs = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'shared-main' },
    data: { value: 'x', other: 'x' },
  };
  await admin.cluster().apply(theirs, { fieldManager: 'somebody', force: true });
  const changed = ['upgrade', 'shared', chart, '--set', 'value=b', ...inNamespace];
  const { code, stderr } = await tshelm.run(changed);
  expect(code).toBe(1);
  expect(stderr).toContain('data.other, data.value are managed by somebody [conflict]');
  expect(stderr).toContain('fix    add --force-conflicts ');
  expect(await valueOf('shared-main')).toEqual({ value: 'x', other: 'x' });
  await ok(tshelm, [...changed, '--force-conflicts']);
  expect(await valueOf('shared-main')).toEqual({ value: 'b', other: 'b' });
});

test('what has not changed costs one request', async () => {
  const names = ['a', 'b', 'c'];
  const chart = writeChart(directory, 'same', {
    'templates/all.yaml': documents(...names.map((name) => configMap(name, 'x'))),
  });
  await ok(tshelm, ['install', 'same', chart, ...inNamespace]);
  for (const serverSide of ['true', 'false', 'false']) {
    const ran = await tshelm.run(['upgrade', 'same', chart, '--debug', `--server-side=${serverSide}`, ...inNamespace]);
    expect(ran.code, ran.stderr).toBe(0);
    for (const name of names) expect(ran.stderr.split(`/configmaps/same-${name} `)).toHaveLength(2);
  }
});

describe('--rollback-on-failure', () => {
  const chart = writeChart(directory, 'safe', {
    'values.yaml': 'value: a\nport: 80\n',
    'templates/all.yaml': documents(
      configMap('kept', '{{ .Values.value }}'),
      '{{- if .Values.added }}\n' +
        configMap('added', 'x') +
        '{{- else }}\n' +
        configMap('dropped', 'x') +
        '{{- end }}\n',
      configMap('main', '{{ .Values.value }}') + '{{ if .Values.locked }}immutable: true\n{{ end }}',
      service,
    ),
  });
  const broken = ['--set', 'value=b,added=true,port=99999', '--rollback-on-failure', ...inNamespace];

  test('restores what was, and says why', async () => {
    await ok(tshelm, ['install', 'safe', chart, ...inNamespace]);
    const { code, stderr } = await tshelm.run(['upgrade', 'safe', chart, ...broken]);
    expect(code).toBe(1);
    expect(stderr).toContain('release safe failed, and has been rolled back due to rollback-on-failure being set');
    expect(stderr).toContain('Service "safe-web" is invalid');
    const names = await admin.names('v1', 'ConfigMap');
    expect(names.filter((name) => name.startsWith('safe-'))).toEqual(['safe-dropped', 'safe-kept', 'safe-main']);
    expect(await valueOf('safe-main')).toEqual({ value: 'a' });
    expect(await ok(helm, ['history', 'safe', '-n', namespace])).toMatch(
      /^2\s.*failed[^]*^3\s.*deployed.*Rollback to 1/m,
    );
  });

  test('a rollback that fails says in which state each object is; the first error comes first', async () => {
    await ok(tshelm, ['install', 'stuck', chart, ...inNamespace]);
    const { code, stderr } = await tshelm.run(['upgrade', 'stuck', chart, '--set', 'locked=true', ...broken]);
    expect(code).toBe(1);
    const error = stderr.slice(stderr.indexOf('Error: '));
    expect(error.indexOf('Service "stuck-web" is invalid')).toBeGreaterThan(0);
    expect(error.indexOf('ConfigMap "stuck-main" is invalid')).toBeGreaterThan(error.indexOf('Service "stuck-web"'));
    const states = error.slice(error.indexOf('State of each object:\n'));
    expect(states).toMatch(/ConfigMap\/stuck-main in \S+: failed: immutable, data\.value cannot be changed in place\n/);
    expect(states).toMatch(/ConfigMap\/stuck-kept in \S+: as in revision 1\n/);
    expect(states).toMatch(/ConfigMap\/stuck-added in \S+: not deleted yet/);
    expect(await valueOf('stuck-kept')).toEqual({ value: 'a' });
    await ok(tshelm, ['upgrade', 'stuck', chart, '--set', 'locked=true,value=b', ...inNamespace]);
    expect(await ok(helm, ['status', 'stuck', '-n', namespace])).toContain('STATUS: deployed');
  });
});

describe('a record over 1 MiB', () => {
  const chart = writeChart(directory, 'large', {
    'README.md': randomBytes(1_000_000).toString('base64'),
    'notes.txt': 'read by nobody\n',
    'templates/all.yaml': configMap('main', 'x'),
  });

  test('is refused before anything is created, with its largest parts; --trim-record helps, and Helm reads what it wrote', async () => {
    const { code, stderr } = await tshelm.run(['install', 'large', chart, ...inNamespace]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/the record of release "large" is 1[\d.]+ KiB .*\n\s+1302\.1 KiB {2}README\.md\n/);
    expect(stderr).toContain('--trim-record');
    expect(await admin.records('large')).toEqual([]);
    expect(await admin.object('v1', 'ConfigMap', 'large-main')).toBeUndefined();

    await ok(tshelm, ['install', 'large', chart, '--trim-record', ...inNamespace]);
    for (const other of [helm, helm3]) {
      expect(await ok(other, ['get', 'manifest', 'large', '-n', namespace])).toContain('name: large-main');
    }
    expect((await tshelm.run(['upgrade', 'large', chart, ...inNamespace])).stderr).toContain('1302.1 KiB  README.md');
    expect(await ok(helm, ['status', 'large', '-n', namespace])).toContain('REVISION: 1\n');
  });
});

describe('the CRDs of a chart', () => {
  const group = `${namespace}.example.com`;
  const crdName = `gears.${group}`;
  const chartOf = (name: string, fields: string, spec: string, scope = 'Namespaced'): string =>
    writeChart(directory, name, {
      'crds/gear.yaml': `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${crdName}}
spec:
  group: ${group}
  scope: ${scope}
  names: {kind: Gear, plural: gears}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${fields}}}}}}
`,
      'templates/gear.yaml': `apiVersion: ${group}/v1\nkind: Gear\nmetadata: {name: "{{ .Release.Name }}"}\nspec: ${spec}\n`,
    });
  const gear = async () => (await admin.object(`${group}/v1`, 'Gear', 'gears'))?.['spec'];

  // First: the API server takes its time to forget a kind that was served.
  test('--crds=skip leaves them out', async () => {
    const chart = chartOf('skipped', 'teeth: {type: integer}', '{teeth: 3}');
    const { code, stderr } = await tshelm.run(['install', 'skipped', chart, '--crds=skip', ...inNamespace]);
    expect(code).toBe(1);
    expect(stderr).toContain('no matches for kind "Gear"');
  });

  test('stale ones are told and left, upgraded where asked, and refused where something would be lost', async () => {
    const first = chartOf('first', 'teeth: {type: integer}', '{teeth: 3}');
    const second = chartOf('second', 'teeth: {type: integer}, size: {type: string}', '{teeth: 3, size: big}');
    const third = chartOf('third', 'size: {type: integer}', '{size: 1}', 'Cluster');
    await ok(tshelm, ['install', 'gears', first, ...inNamespace]);
    expect(await gear()).toEqual({ teeth: 3 });

    const stale = await tshelm.run(['upgrade', 'gears', second, ...inNamespace]);
    expect(stale.code).toBe(1);
    expect(stale.stderr).toContain(`CRDs in the cluster differ from the chart's: ${crdName} (`);
    expect(stale.stderr).toContain('properties.size); --crds=upgrade updates them');
    expect(stale.stderr).toContain('field not declared in schema');

    await ok(tshelm, ['upgrade', 'gears', second, '--crds=upgrade', ...inNamespace]);
    expect(await gear()).toEqual({ teeth: 3, size: 'big' });

    const lossy = await tshelm.run(['upgrade', 'gears', third, '--crds=upgrade', ...inNamespace]);
    expect(lossy.code).toBe(1);
    for (const loss of [
      'its scope would change from Namespaced to Cluster',
      'version v1: field .spec.teeth would be lost',
      'version v1: the type of .spec.size would change from string to integer',
    ])
      expect(lossy.stderr).toContain(`  ${crdName}: ${loss}\n`);
    expect(await gear()).toEqual({ teeth: 3, size: 'big' });
    expect(await ok(helm, ['status', 'gears', '-n', namespace])).toContain('REVISION: 3\n');
    await ok(tshelm, ['uninstall', 'gears', ...inNamespace]);
    await admin.cluster().delete({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      namespace: '',
      name: crdName,
    });
  });
});
