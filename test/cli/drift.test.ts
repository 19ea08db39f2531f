import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/cluster/connect.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import { openSandbox } from '../../src/sandbox/index.ts';
import { openTestSandbox } from './harness.ts';

const chart = mkdtempSync(join(tmpdir(), 'tshelm-drift-chart-'));
mkdirSync(join(chart, 'templates'));
writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: app\nversion: 1.0.0\n');
writeFileSync(
  join(chart, 'templates/all.yaml'),
  `apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {a: one, b: two}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: gone}
---
apiVersion: v1
kind: Secret
metadata: {name: pw}
stringData: {password: CANARY-recorded}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: "nginx:1", resources: {limits: {cpu: 1000m}}}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {minReplicas: 2, maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: {ttlSecondsAfterFinished: 600, template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}
`,
);
const sandbox = openTestSandbox();
const { run } = sandbox;
const id = (apiVersion: string, kind: string, name: string) => ({ apiVersion, kind, namespace: 'default', name });

/** Changes something behind the release's back. */
async function changing(task: (cluster: Cluster) => Promise<unknown>): Promise<void> {
  const server = await openSandbox({ directory: sandbox.directory });
  const cluster = await connect({
    apiServer: server.url,
    token: server.token,
    namespace: 'default',
    env: { KUBECONFIG: '/dev/null' },
  });
  try {
    await task(cluster);
  } finally {
    cluster.close();
    await server.close();
  }
}

beforeAll(async () => {
  expect((await run('install', 'a', chart)).code).toBe(0);
});
afterAll(() => {
  sandbox.remove();
  rmSync(chart, { recursive: true });
});

test('right after an install nothing has drifted, what the server defaults least of all', async () => {
  const { code, stdout } = await run('drift', 'a', '--exit-code');
  expect(stdout).toBe('a in default, revision 1: no drift in 6 objects\n');
  expect(code).toBe(0);
});

test('replicas that an autoscaler sets, and a finished Job that is gone, are explained and no drift', async () => {
  await changing(async (cluster) => {
    await cluster.patch(
      id('apps/v1', 'Deployment', 'web'),
      'merge',
      { spec: { replicas: 3 } },
      { fieldManager: 'scaler' },
    );
    await cluster.delete(id('batch/v1', 'Job', 'once'));
  });
  const { code, stdout } = await run('drift', 'a', '--exit-code');
  expect(stdout).toContain(
    'a in default, revision 1: 2 of 6 objects not as recorded, and no drift: all of it is explained below\n',
  );
  expect(stdout).toMatch(/Deployment\/web\s+spec.replicas \*\s+1\s+3\s+scaler \(Update, 20/);
  expect(stdout).toContain('* Deployment/web, spec.replicas: HorizontalPodAutoscaler/web scales it between 2 and 5;');
  expect(stdout).toContain('* Job/once: finished Jobs are deleted after 600 s (ttlSecondsAfterFinished)\n');
  expect(code).toBe(0);
});

test('what others changed, by whom; what is missing; what belongs to somebody else', async () => {
  await changing(async (cluster) => {
    const options = { fieldManager: 'kubectl-edit' };
    await cluster.patch(
      id('v1', 'ConfigMap', 'settings'),
      'merge',
      { data: { a: 'changed', b: null, mine: 'x' } },
      options,
    );
    await cluster.patch(
      id('v1', 'ConfigMap', 'settings'),
      'merge',
      { metadata: { annotations: { 'meta.helm.sh/release-name': 'other' } } },
      options,
    );
    await cluster.patch(id('v1', 'Secret', 'pw'), 'merge', { stringData: { password: 'CANARY-live' } }, options);
    await cluster.delete(id('v1', 'ConfigMap', 'gone'));
  });
  const { code, stdout } = await run('drift', 'a', '--exit-code', '-o', 'json');
  const found = JSON.parse(stdout) as {
    drifted: boolean;
    objects: {
      name: string;
      state: string;
      reason?: string;
      fields: { path: string; recorded?: unknown; live?: unknown; changedBy: object[] }[];
    }[];
  };
  expect(found.drifted).toBe(true);
  const byName = Object.fromEntries(found.objects.map((object) => [object.name, object]));
  expect(byName['gone']?.state).toBe('missing');
  expect(byName['settings']?.state).toBe('foreign');
  expect(byName['settings']?.reason).toContain('"meta.helm.sh/release-name" must equal "a": current value is "other"');
  expect(byName['settings']?.fields).toMatchObject([
    { path: 'data.a', recorded: 'one', live: 'changed', changedBy: [{ manager: 'kubectl-edit', operation: 'Update' }] },
    { path: 'data.b', recorded: 'two', changedBy: [] },
  ]);
  expect(byName['pw']?.fields).toMatchObject([{ path: 'data.password', recorded: '***', live: '***' }]);
  expect(code).toBe(2);
});

test('Secrets are shown only when asked for', async () => {
  for (const format of ['table', 'json', 'yaml']) {
    const hidden = (await run('drift', 'a', '-o', format, '--debug')).stdout;
    expect(hidden).not.toContain('CANARY');
    expect(hidden).not.toContain(Buffer.from('CANARY-live').toString('base64'));
  }
  expect((await run('drift', 'a', '--show-secrets')).stdout).toContain(Buffer.from('CANARY-live').toString('base64'));
});

test('a release that is not there', async () => {
  const { code, stderr } = await run('drift', 'nope');
  expect(stderr).toMatch(/^Error: release: not found\n {2}where {2}there is no release nope in namespace default\n/);
  expect(code).toBe(1);
});

test('what has drifted is planned, saved and brought back; what belongs to others, and what is explained, stays', async () => {
  await changing(async (cluster) => {
    await cluster.patch(id('apps/v1', 'Deployment', 'web'), 'merge', { spec: { replicas: 4, paused: true } });
    await cluster.delete(id('batch/v1', 'Job', 'once'));
  });
  const asked = await run('drift', 'a', '--fix');
  expect(asked).toMatchObject({
    code: 1,
    stderr: 'Error: --fix asks at a terminal before it changes anything: add --yes, or save the plan with --out FILE\n',
  });
  expect(asked.stdout).toContain('warning: ConfigMap/settings is not brought back: invalid ownership metadata');
  expect(asked.stdout).not.toContain('Job/once');
  expect(asked.stdout).toContain('1 to create, 1 to change\n');
  const file = join(chart, 'fix.plan');
  expect((await run('drift', 'a', '--fix', '--out', file, '--exit-code')).code).toBe(2);
  expect(readFileSync(file, 'utf8')).not.toContain('CANARY');
  const { code, stdout, stderr } = await run('apply', file);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('release "a" is not as its revision 1 says:\n  ConfigMap/settings is not brought back: ');
  const again = await run('apply', file);
  expect(again.stderr).toContain(
    'ConfigMap/gone in default no longer differs from the release; the plan may have been applied already',
  );
  await changing(async (cluster) => {
    expect(await cluster.get(id('v1', 'ConfigMap', 'gone'))).toBeDefined();
    expect((await cluster.get(id('v1', 'Secret', 'pw')))?.['data']).toEqual({
      password: Buffer.from('CANARY-recorded').toString('base64'),
    });
    // The autoscaler's, and a field that the chart does not set.
    expect((await cluster.get(id('apps/v1', 'Deployment', 'web')))?.['spec']).toMatchObject({
      replicas: 4,
      paused: true,
    });
    expect((await cluster.get(id('v1', 'ConfigMap', 'settings')))?.['data']).toMatchObject({ a: 'changed' });
  });
  const rest = await run('drift', 'a', '--fix', '--yes');
  expect(rest.stdout).toContain('nothing to bring back\n');
  expect(rest).toMatchObject({ code: 1, stderr: expect.stringContaining('ConfigMap/settings is not brought back') });
  expect((await run('history', 'a', '-o', 'json')).stdout).not.toContain('"revision":2');
});

test.each([
  ['--yes', '--yes needs --fix'],
  ['--out=x', '--out needs --fix'],
  [
    '--ignore=x',
    '--ignore: "x" is not a valid field rule: it names no path; write KIND/NAME:PATH, for example Deployment/web:spec.replicas',
  ],
])('%s alone', async (flag, message) => {
  expect(await run('drift', 'a', flag)).toMatchObject({ code: 1, stderr: `Error: ${message}\n` });
});

test('rules for expected changes, from a file too', async () => {
  await changing((cluster) =>
    cluster.patch(
      id('v1', 'Secret', 'pw'),
      'merge',
      { stringData: { password: 'CANARY-new' } },
      { fieldManager: 'rotator' },
    ),
  );
  const file = join(chart, 'fields.yaml');
  writeFileSync(
    file,
    'fields:\n  - objects: Secret/*\n    path: data.password\n    manager: rotator\n    action: ignore\n',
  );
  const drifted = async (...flags: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await run('drift', 'a', '-o', 'json', ...flags);
    const { objects } = JSON.parse(stdout) as { objects: { name: string; fields: { explanation?: string }[] }[] };
    return objects
      .filter(({ name }) => name === 'pw')
      .flatMap(({ fields }) => fields.map((one) => one.explanation ?? ''));
  };
  expect(await drifted()).toEqual(['']);
  expect(await drifted('--ignore', `@${file}`)).toEqual(['ignored (Secret/*:data.password@rotator=ignore)']);
  expect(await drifted('--ignore', 'Secret:data', '--ignore', 'Secret:data=fail')).toEqual(['']);
  writeFileSync(file, 'fields:\n  - Secret:data\n  - objects: a\n    pth: b\n');
  expect((await run('drift', 'a', '--ignore', `@${file}`)).stderr).toBe(
    `Error: ${file}:3: a rule has no key pth; did you mean path?\n`,
  );
});
