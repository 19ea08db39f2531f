import { beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { configMap, documents, hook, job, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, type Program, tshelm, tshelmProcess } from './support/programs.ts';

// What users of Helm ran into: each of these once failed, hung, or lost something.
const directory = scratchDirectory();
const admin = adminOf('regressions');
const { namespace } = admin;

const chartOf = (name: string, ...texts: readonly string[]): string =>
  writeChart(directory, name, { 'templates/all.yaml': documents(...texts) });
const inNamespace = ['-n', namespace, '--timeout', '20s'];
const statusOf = async (program: Program, name: string): Promise<string> =>
  (JSON.parse(await ok(program, ['status', name, '-o', 'json', '-n', namespace])) as { info: { status: string } }).info
    .status;

describe('hooks', () => {
  test('one that its policy deletes while it is waited for counts as done', async () => {
    const policy = 'before-hook-creation,hook-succeeded,hook-failed';
    const chart = chartOf('vanishing', job('quick', { annotations: hook('pre-install,post-install', { policy }) }));
    await ok(tshelm, ['install', 'vanishing', chart, ...inNamespace, '--wait']);
    expect(await statusOf(helm, 'vanishing')).toBe('deployed');
    expect(await admin.object('batch/v1', 'Job', 'vanishing-quick')).toBeUndefined();
  });

  test('a Job with ttlSecondsAfterFinished: 0', async () => {
    const chart = chartOf(
      'short-lived',
      job('gone', {
        annotations: hook('pre-install,post-upgrade'),
        spec: '  ttlSecondsAfterFinished: 0\n',
        readyAfter: '1s',
      }),
      configMap('main', 'x'),
    );
    await ok(tshelm, ['install', 'short-lived', chart, ...inNamespace, '--wait']);
    await ok(tshelm, ['upgrade', 'short-lived', chart, ...inNamespace, '--wait']);
    expect(await statusOf(helm, 'short-lived')).toBe('deployed');
  });

  test('a Job with ttlSecondsAfterFinished: 0 among the resources, with --wait-for-jobs', async () => {
    const chart = chartOf('short-job', job('gone', { spec: '  ttlSecondsAfterFinished: 0\n', readyAfter: '1s' }));
    const ran = await tshelm.run(['install', 'short-job', chart, ...inNamespace, '--wait', '--wait-for-jobs']);
    expect(ran.code, ran.stderr).toBe(0);
  });

  test('a failed hook Job ends the upgrade at once; the next one runs it anew', async () => {
    const chartWith = (fate: string): string =>
      chartOf(`migrating-${fate}`, job('migrate', { annotations: hook('pre-upgrade'), fate }), configMap('main', fate));
    await ok(tshelm, ['install', 'migrating', chartWith('complete'), ...inNamespace]);
    const { code, stderr } = await tshelm.run(['upgrade', 'migrating', chartWith('fail'), ...inNamespace]);
    expect(code).toBe(1);
    expect(stderr).toContain('UPGRADE FAILED: pre-upgrade hooks failed');
    expect(stderr).not.toContain('deadline');
    expect(await admin.object('v1', 'ConfigMap', 'migrating-main')).toMatchObject({ data: { value: 'complete' } });
    await ok(tshelm, ['upgrade', 'migrating', chartWith('complete'), ...inNamespace]);
    expect(await statusOf(helm, 'migrating')).toBe('deployed');
  });
});

describe('accounts with few rights', () => {
  const rbac = 'rbac.authorization.k8s.io';
  const allow = async (user: string, rules: readonly unknown[]): Promise<void> => {
    const role = { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: user }, rules };
    await admin.cluster().apply(role as KubernetesObject);
    await admin.cluster().apply({
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: user },
      roleRef: { apiGroup: rbac, kind: 'Role', name: user },
      subjects: [{ kind: 'User', name: user }],
    });
  };
  const chart = chartOf('limited', workload('Deployment', 'web', { readyAfter: '500ms' }), configMap('main', 'x'));
  const apiGroups = ['', 'apps', 'batch'];
  const writing = ['create', 'update', 'patch', 'delete'];

  beforeAll(async () => {
    await allow('robot', [{ apiGroups, resources: ['*'], verbs: ['*'] }]);
    await allow('no-watch', [{ apiGroups, resources: ['*'], verbs: ['get', 'list', ...writing] }]);
  });

  test('a robot of one namespace installs, upgrades, rolls back, uninstalls', async () => {
    const asRobot = [...inNamespace, '--kube-as-user', 'robot'];
    await ok(tshelm, ['install', 'robots', chart, ...asRobot, '--wait']);
    await ok(tshelm, ['upgrade', 'robots', chart, ...asRobot, '--wait', '--set', 'tag=2']);
    await ok(tshelm, ['rollback', 'robots', '1', ...asRobot, '--wait']);
    expect(await ok(tshelm, ['status', 'robots', '-n', namespace, '--kube-as-user', 'robot'])).toContain('deployed');
    await ok(tshelm, ['uninstall', 'robots', ...asRobot, '--wait']);
    expect(await admin.records('robots')).toEqual([]);
  });

  test('without watch it polls, and says so with --debug', async () => {
    const { code, stderr } = await tshelm.run([
      'install',
      'polled',
      chart,
      ...inNamespace,
      '--wait',
      '--debug',
      '--kube-as-user',
      'no-watch',
    ]);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/debug: .* every 2 s: .*cannot watch/);
    await ok(tshelm, ['uninstall', 'polled', ...inNamespace, '--kube-as-user', 'no-watch', '--wait']);
  });
});

describe('objects', () => {
  test('null in values under server-side apply leaves the default out', async () => {
    const chart = writeChart(directory, 'nulls', {
      'values.yaml': 'labels: {keep: "1", drop: "2"}\nresources: {limits: {cpu: "1"}}\n',
      'templates/all.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-main\n  labels: {{ toYaml .Values.labels | nindent 4 }}\n' +
        'data:\n  text: {{ .Values.resources | toJson | quote }}\n  nothing: null\n',
    });
    const lives = [];
    for (const program of [helm, tshelm]) {
      await ok(program, ['install', 'nulls', chart, ...inNamespace]);
      const without = ['--set', 'labels.drop=null,resources.limits=null'];
      await ok(program, ['upgrade', 'nulls', chart, ...inNamespace, ...without]);
      const live = await admin.object('v1', 'ConfigMap', 'nulls-main');
      lives.push({ labels: live?.metadata.labels, data: live?.['data'] });
      if (program === helm) await ok(helm, ['uninstall', 'nulls', ...inNamespace, '--wait']);
    }
    expect(lives[1]).toEqual(lives[0]);
    expect(lives[1]).toMatchObject({
      labels: { keep: '1', 'app.kubernetes.io/managed-by': 'Helm' },
      data: { text: '{}' },
    });
    expect(lives[1]?.labels).not.toHaveProperty('drop');
    for (const all of [[], ['--all']]) {
      const words = ['get', 'values', 'nulls', '-n', namespace, ...all];
      expect(await ok(tshelm, words)).toBe(await ok(helm, words));
    }
  });

  /** The cause comes first, and Helm's words last. */
  const helmsWords = (stderr: string): string =>
    (/^Helm's error: (.*)$/m.exec(stderr) ?? /^Error: INSTALLATION FAILED: (.*)$/m.exec(stderr))?.[1] ?? '';

  test('duplicate port names and numbers end as with Helm', async () => {
    const ports =
      '          ports:\n            - {name: same, containerPort: 80}\n            - {name: same, containerPort: 81}\n';
    const chart = chartOf('ports', workload('Deployment', 'web', { extra: ports }));
    const results = [];
    for (const program of [tshelm, helm]) {
      const name = 'ports';
      const { code, stderr } = await program.run(['install', name, chart, ...inNamespace]);
      const live = await admin.object('apps/v1', 'Deployment', 'ports-web');
      const { template } = (live?.['spec'] ?? {}) as { template?: { spec: { containers: { ports: unknown }[] } } };
      const said = helmsWords(stderr);
      results.push({ code, said, ports: template?.spec.containers[0]?.ports });
      await program.run(['uninstall', name, ...inNamespace, '--wait']);
    }
    expect(results[0]).toEqual(results[1]);
  });

  test.each(['true', 'false'])('two environment variables of one name, --server-side=%s', async (serverSide) => {
    const env = '          env:\n            - {name: A, value: "1"}\n            - {name: A, value: "2"}\n';
    const chart = chartOf('twice', workload('Deployment', 'web', { extra: env }));
    const results = [];
    for (const program of [tshelm, helm]) {
      const { code, stderr } = await program.run([
        'install',
        'twice',
        chart,
        ...inNamespace,
        `--server-side=${serverSide}`,
      ]);
      const said = helmsWords(stderr);
      results.push({ code, said, isThere: (await admin.object('apps/v1', 'Deployment', 'twice-web')) !== undefined });
      await program.run(['uninstall', 'twice', ...inNamespace, '--wait']);
    }
    expect(results[0]).toEqual(results[1]);
  });

  test('what was deleted behind our back comes back', async () => {
    const chart = chartOf(
      'resurrected',
      configMap('main', '{{ .Values.value | default "a" }}'),
      configMap('other', 'x'),
    );
    await ok(tshelm, ['install', 'resurrected', chart, ...inNamespace]);
    const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'resurrected-main' };
    for (const serverSide of ['true', 'false']) {
      await admin.cluster().delete(id);
      await ok(tshelm, ['upgrade', 'resurrected', chart, ...inNamespace, `--server-side=${serverSide}`]);
      expect(await admin.cluster().get(id)).toBeDefined();
    }
  });

  test('a finalizer that blocks the uninstall is named, and the record is kept until the object is gone', async () => {
    const chart = chartOf(
      'blocked',
      configMap('main', 'x').replace('\ndata:', '\n  finalizers: ["example.com/hold"]\ndata:'),
    );
    await ok(tshelm, ['install', 'blocked', chart, ...inNamespace]);
    const { code, stderr } = await tshelm.run(['uninstall', 'blocked', '-n', namespace, '--wait', '--timeout', '2s']);
    expect(code).toBe(1);
    expect(stderr).toContain('blocked-main');
    expect(stderr).toContain('example.com/hold');
    expect(await admin.records('blocked')).not.toEqual([]);
    const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'blocked-main' };
    await admin.cluster().patch(id, 'merge', { metadata: { finalizers: null } });
    await ok(tshelm, ['uninstall', 'blocked', ...inNamespace, '--wait']);
    expect(await admin.records('blocked')).toEqual([]);
  });
});

test.each([
  ['templates', { n: 60_000 }, '{{- define "f" }}{{ if gt . 0 }}{{ template "f" (sub . 1) }}{{ end }}{{ end }}', '{}'],
  ['values', { a: nested(3_000) }, '', '{"additionalProperties": {"$ref": "#"}}'],
])('%s as deep as Helm takes them', async (name, values, define, schema) => {
  const chart = writeChart(directory, `deep-${name}`, {
    'templates/all.yaml': `${define}${configMap('main', '{{ template "g" .Values }}')}{{ define "g" }}{{ with .n }}{{ template "f" (int .) }}{{ end }}{{ end }}`,
    'values.yaml': JSON.stringify(values),
    'values.schema.json': schema,
  });
  expect(await ok(tshelmProcess, ['template', 'deep', chart])).toBe(await ok(helm, ['template', 'deep', chart]));
});

function nested(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), 1);
}
