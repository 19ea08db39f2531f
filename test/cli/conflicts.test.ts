import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../src/cluster/connect.ts';
import { openSandbox } from '../../src/sandbox/index.ts';
import { tshelm } from './harness.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tshelm-conflicts-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const object = (apiVersion: string, kind: string, name: string, rest: string): string =>
  `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\n${rest}\n`;
const templates = [
  object('v1', 'ConfigMap', 'settings', 'data: {k: {{ .Values.v | quote }}}'),
  object('v1', 'Service', 'web', 'spec: {selector: {v: {{ .Values.v | quote }}}, ports: [{port: 1}]}'),
  object(
    'apps/v1',
    'Deployment',
    'web',
    'spec: {replicas: {{ .Values.v }}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}',
  ),
];

test('all objects in conflict are named, with the field and its manager', async () => {
  mkdirSync(join(folder, 'chart/templates'), { recursive: true });
  writeFileSync(join(folder, 'chart/Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
  writeFileSync(join(folder, 'chart/templates/all.yaml'), templates.join(''));
  const directory = join(folder, 'sandbox');
  const run = (verb: string, value: number) =>
    tshelm([verb, 'web', join(folder, 'chart'), '--set', `v=${value}`, '--sandbox-dir', directory]);
  expect((await run('install', 1)).code).toBe(0);
  await byOthers(directory);
  const { code, stderr } = await run('upgrade', 3);
  expect(code).toBe(1);
  expect(stderr).toContain('3 errors');
  expect(stderr).toMatch(/ConfigMap\/settings: .*conflict with "kubectl-edit": \.data\.k/);
  expect(stderr).toMatch(/Deployment\/web: .*conflict with "scaler": \.spec\.replicas/);
  expect(stderr).toContain('chart/templates/all.yaml:5: data: {k: {{ .Values.v | quote }}}');
  expect(stderr).toMatch(/Service\/web: .*conflict with "kubectl-edit": \.spec\.selector/);
});

/** What others make of the objects, and own from then on. */
async function byOthers(directory: string): Promise<void> {
  const sandbox = await openSandbox({ directory });
  const cluster = await connect({ apiServer: sandbox.url, token: sandbox.token, env: { KUBECONFIG: '/dev/null' } });
  const named = (apiVersion: string, kind: string, name: string, rest: object) => ({
    apiVersion,
    kind,
    metadata: { name, namespace: 'default' },
    ...rest,
  });
  const by = (fieldManager: string) => ({ fieldManager, force: true });
  await cluster.apply(named('v1', 'ConfigMap', 'settings', { data: { k: '2' } }), by('kubectl-edit'));
  await cluster.apply(named('v1', 'Service', 'web', { spec: { selector: { v: '2' } } }), by('kubectl-edit'));
  await cluster.apply(named('apps/v1', 'Deployment', 'web', { spec: { replicas: 2 } }), by('scaler'));
  cluster.close();
  await sandbox.close();
}
