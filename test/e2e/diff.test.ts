import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configMap, documents, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf, namespaceObject } from './support/namespaces.ts';
import { helm, ok, tshelm } from './support/programs.ts';

const admin = adminOf('diff');
const { namespace } = admin;
const secret = `apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-pw}
stringData: {password: {{ .Values.password | default "CANARY-first" | quote }}}
`;
const service = `apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}-web}
spec: {selector: {app: web}, ports: [{port: 80, name: http}]}
`;
const chart = writeChart(scratchDirectory(), 'app', {
  'templates/all.yaml': documents(
    secret,
    service,
    configMap('settings', '{{ .Values.setting | default "one" }}'),
    workload('Deployment', 'web', { extra: '          resources: {limits: {cpu: 1000m, memory: 1024Mi}}\n' }),
    '{{- if .Values.extra }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-extra}\n{{- end }}\n',
    '{{- if .Values.other }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Values.other }}}\n{{- end }}\n',
  ),
});
const here = ['-n', namespace];
const diff = (release: string, ...words: string[]) => tshelm.run(['diff', release, chart, ...here, '-C0', ...words]);
const drift = (release: string, ...words: string[]) => tshelm.run(['drift', release, ...here, ...words]);
const patch = (kind: string, name: string, change: object, fieldManager = 'kubectl-edit') =>
  admin
    .cluster()
    .patch({ apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1', kind, namespace, name }, 'merge', change, {
      fieldManager,
    });

// Client-side apply's records and server-side apply's, by each program.
describe.each([
  ['tshelm', tshelm, 'true'],
  ['tshelm client-side', tshelm, 'false'],
  ['helm', helm, 'true'],
  ['helm client-side', helm, 'false'],
] as const)('a release of %s', (name, program, serverSide) => {
  const release = name.replace(' ', '-');

  beforeAll(async () => {
    await ok(program, ['install', release, chart, ...here, `--server-side=${serverSide}`, '--timeout', '60s']);
  });

  test('has no diff and no drift', async () => {
    const unchanged = await diff(release, '--exit-code');
    expect(unchanged.stdout).toMatch(/\n\nno changes\n$/);
    expect(unchanged.code).toBe(0);
    const still = await drift(release, '--exit-code');
    expect(still.stdout).toBe(`${release} in ${namespace}, revision 1: no drift in 4 objects\n`);
    expect(still.code).toBe(0);
  });

  test('diff tells what an upgrade then does', async () => {
    const words = ['--set', 'setting=two,replicas=2,extra=true,password=CANARY-second'];
    const { code, stdout, stderr } = await diff(release, '--exit-code', ...words);
    expect(stderr).toBe('');
    expect(stdout).toContain(`${release}-settings, ConfigMap (v1) has changed:\n--- live\n+++ revision 2\n`);
    expect(stdout).toContain('-  value: one\n+  value: two\n');
    expect(stdout).toContain('-  replicas: 1\n+  replicas: 2\n');
    expect(stdout).toContain("-  password: '*** (before)'\n+  password: '*** (after)'\n");
    expect(stdout).toContain(`${release}-extra, ConfigMap (v1) has been added:`);
    expect(stdout).toMatch(/\n1 to add, 3 to change\n$/);
    expect(stdout).not.toContain('CANARY');
    expect(code).toBe(2);
    await ok(tshelm, ['upgrade', release, chart, ...here, ...words, '--timeout', '60s']);
    expect((await diff(release, ...words)).stdout).toMatch(/\n\nno changes\n$/);
    const back = await tshelm.run(['diff', 'rollback', release, '1', ...here, '-C0', '--live']);
    expect(back.stdout).toContain('-  value: two\n+  value: one\n');
    expect(back.stdout).toContain(`${release}-extra, ConfigMap (v1) has been removed:`);
    expect(back.stdout).toMatch(/\n3 to change, 1 to remove\n$/);
  });

  test('drift tells what others changed, and who', async () => {
    await patch('ConfigMap', `${release}-settings`, { data: { value: 'mine', added: 'x' } });
    await patch('Deployment', `${release}-web`, { spec: { replicas: 3 } }, 'scaler');
    await patch('Secret', `${release}-pw`, { stringData: { password: 'CANARY-third' } });
    await admin.cluster().delete({ apiVersion: 'v1', kind: 'Service', namespace, name: `${release}-web` });
    const { code, stdout } = await drift(release, '--exit-code');
    expect(stdout).toContain(`${release} in ${namespace}, revision 2: 4 of 5 objects not as recorded\n`);
    expect(stdout).toMatch(/-settings\s+data\.value\s+two\s+mine\s+kubectl-edit \(Update, 20/);
    expect(stdout).toMatch(/-web\s+spec\.replicas\s+2\s+3\s+scaler \(Update, 20/);
    expect(stdout).toMatch(/-pw\s+data\.password\s+\*\*\*\s+\*\*\*\s+kubectl-edit \(Update, 20/);
    expect(stdout).toMatch(/Service\/.*-web\s+missing/);
    expect(stdout).not.toContain('added');
    expect(stdout).not.toContain('CANARY');
    expect(code).toBe(2);
  });
});

test('a conflict with another manager is told with its object, and --force-conflicts shows what it would do', async () => {
  await ok(tshelm, ['install', 'conflict', chart, ...here, '--timeout', '60s']);
  await patch('ConfigMap', 'conflict-settings', { data: { value: 'mine' } });
  const refused = await diff('conflict', '--exit-code');
  expect(refused.stdout).toContain('  refused: conflict occurred while applying object');
  expect(refused.stdout).toContain('-  value: mine\n+  value: one\n');
  expect(refused.stderr).toContain('ConfigMap/conflict-settings: data.value is managed by');
  expect(refused.code).toBe(1);
  const forced = await diff('conflict', '--exit-code', '--force-conflicts');
  expect([forced.code, forced.stderr]).toEqual([2, '']);
});

test('an object of another release is told, and --take-ownership takes it over', async () => {
  await ok(tshelm, ['install', 'owner', chart, ...here, '--timeout', '60s']);
  await ok(tshelm, ['install', 'taker', chart, ...here, '--timeout', '60s']);
  const words = ['--set', 'other=owner-settings'];
  const refused = await diff('taker', ...words);
  expect(refused.stdout).toContain(
    '  refused: it exists and cannot be imported into the release: invalid ownership metadata;',
  );
  expect(refused.code).toBe(1);
  const real = await tshelm.run(['upgrade', 'taker', chart, ...here, ...words, '--dry-run=server']);
  expect(real.stderr).toContain('invalid ownership metadata');
  const taken = await diff('taker', ...words, '--take-ownership');
  expect(taken.stdout).toContain('-    meta.helm.sh/release-name: owner\n+    meta.helm.sh/release-name: taker\n');
});

test('a namespace that does not exist yet: as a note where the install creates it, else as a refusal', async () => {
  const fresh = `${namespace}-fresh`;
  const words = ['diff', 'new', chart, '--install', '-n', fresh, '-o', 'json'];
  const created = await tshelm.run([...words, '--create-namespace']);
  const { changes } = JSON.parse(created.stdout) as {
    changes: { kind: string; change: string; notes?: string[]; refused?: string }[];
  };
  expect(changes.map(({ kind, change }) => `${kind} ${change}`)).toEqual([
    'Namespace added',
    'ConfigMap added',
    'Deployment added',
    'Secret added',
    'Service added',
  ]);
  expect(changes.flatMap(({ notes = [] }) => notes)).toEqual(
    Array.from({ length: 4 }, () => `the namespace ${fresh} does not exist yet; not checked by the server`),
  );
  expect(created.stdout).not.toContain('CANARY');
  expect(created.code).toBe(0);
  const refused = await tshelm.run(words);
  expect(refused.stdout).toContain(`namespaces \\"${fresh}\\" not found`);
  expect(refused.code).toBe(1);
});

describe('a user who may only read', () => {
  const reader = ['--kube-as-user', 'diff-reader'];

  beforeAll(async () => {
    const cluster = admin.cluster();
    await cluster.apply(namespaceObject(namespace));
    await cluster.apply({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'diff-reader', namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'diff-reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'diff-reader' }],
    });
    await cluster.apply({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'diff-reader' },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
    });
    await ok(tshelm, ['install', 'readable', chart, ...here, '--timeout', '60s']);
  });
  afterAll(async () => {
    await admin
      .cluster()
      .delete({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', namespace: '', name: 'diff-reader' });
  });

  test('gets the diff by the manifests alone, and is told so', async () => {
    const { code, stdout } = await diff('readable', ...reader, '--set', 'setting=two', '--exit-code');
    expect(stdout).toContain('note: a dry run is not allowed here, so only the manifests are compared: ');
    expect(stdout).toContain('-  value: one\n+  value: two\n');
    expect(code).toBe(2);
  });

  test('sees no drift where there is none, in other words or not', async () => {
    const { code, stdout } = await drift('readable', ...reader, '--exit-code');
    expect(stdout).toBe(`readable in ${namespace}, revision 1: no drift in 4 objects\n`);
    expect(code).toBe(0);
  });

  test('sees drift', async () => {
    await patch('ConfigMap', 'readable-settings', { data: { value: 'mine' } });
    const { code, stdout } = await drift('readable', ...reader, '--exit-code');
    expect(stdout).toMatch(/ConfigMap\/readable-settings\s+data\.value\s+one\s+mine\s+kubectl-edit/);
    expect(code).toBe(2);
  });
});
