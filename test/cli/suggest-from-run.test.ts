import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { readOrderFile } from '../../src/chart/order-file.ts';
import { openTestSandbox } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-from-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

const server = (name: string, variable: string, readyAfter: string): string => `apiVersion: v1
kind: Service
metadata: {name: "{{ .Release.Name }}-${name}"}
spec: {selector: {app: ${name}}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}-${name}"}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}, annotations: {sandbox.tshelm.dev/ready-after: ${readyAfter}}}
    spec: {containers: [{name: main, image: "example.com/${name}", env: [${variable}]}]}
`;
const env = (name: string, host: string): string => `{name: ${name}, value: "{{ .Release.Name }}-${host}"}`;

function chart(name: string, templates: Readonly<Record<string, string>>): string {
  mkdirSync(join(folder, name, 'templates'), { recursive: true });
  writeFileSync(join(folder, name, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);
  for (const [file, text] of Object.entries(templates)) writeFileSync(join(folder, name, 'templates', file), text);
  return join(folder, name);
}

let sandbox: ReturnType<typeof openTestSandbox>;
beforeEach(() => {
  sandbox = openTestSandbox();
});
afterEach(() => sandbox.remove());

/**
 * The web of this release fails once, until its database is ready after 1.5 seconds. What `path` says of itself may be
 * another thing: in a sandbox programs fail by what the chart says.
 */
async function suggested(path: string, installs = honest, fails = 'Deployment/shop-web'): Promise<string> {
  const fail = ['--fail', `${fails}=crash-until-ready`];
  const installed = await sandbox.run('install', 'shop', installs, '--wait', '--wait-for-jobs', ...fail);
  expect(installed.code, installed.stderr).toBe(0);
  const { code, stdout, stderr } = await sandbox.run('order', 'suggest', path, '--from-run', 'shop');
  expect(code, stderr).toBe(0);
  return stdout.replaceAll(/\d\d:\d\d:\d\dZ/g, 'TIME');
}
const db = server('db', '', '1500ms');
const web = server('web', env('DB_HOST', 'db'), '200ms');
const honest = chart('honest', { 'db.yaml': db, 'web.yaml': web, 'mail.yaml': server('mail', '', '200ms') });
const restarted =
  'Deployment/shop-web: 1 restart of container main (exit code 1), the last began at TIME, ready at TIME';

test('values that contain the name of a release are read for it, and what to look at has them', async () => {
  const named = chart('named', {
    'db.yaml': server('db', '', '1s'),
    'web.yaml': server('web', '{name: DB, value: "{{ .Values.db }}:80"}', '1s'),
  });
  writeFileSync(join(named, 'prod.yaml'), 'db: shop-db');
  const values = ['-f', join(named, 'prod.yaml')];
  expect((await sandbox.run('order', 'suggest', named, ...values)).stdout).not.toContain('dependsOn');
  const { stdout, stderr } = await sandbox.run('order', 'suggest', 'shop', named, ...values);
  expect(stdout).toContain('dependsOn: [db]');
  expect(stderr).toMatch(/ plan shop \S+named --values=\S+prod.yaml --order order.yaml/);
});

test('an edge that the chart names is confirmed with the times of the run', async () => {
  const text = await suggested(honest);
  expect(text).toContain(`  # ${restarted}; Deployment/shop-db was ready at TIME\n`);
  expect(text).toContain('# In revision 1 of shop, nothing was restarted for another reason.\n');
});

test('a run says which of two that name each other is first', async () => {
  const mutual = chart('mutual', { 'web.yaml': web, 'db.yaml': server('db', env('PEER_HOST', 'web'), '1500ms') });
  const without = (await sandbox.run('order', 'suggest', mutual)).stdout;
  expect(readOrderFile(without, 'order').resources).toEqual([]);
  const { resources } = readOrderFile(await suggested(mutual), 'order');
  expect(resources).toMatchObject([
    { select: { name: ['*web'] }, dependsOn: { groups: ['db'] } },
    { select: { name: ['*db'] }, group: 'db' },
  ]);
});

test('what the chart does not say is proposed in comments', async () => {
  const silent = chart('silent', { 'db.yaml': db, 'web.yaml': server('web', env('BACKEND', 'db'), '200ms') });
  const text = await suggested(silent);
  expect(text).toBe(`derive: true
# Restarted in revision 1 of shop, and the chart does not say what for:
#   ${restarted}
# These rules wait for what became ready meanwhile:
#resources:
#  # Deployment/shop-web may have waited for this (Deployment/shop-db) (silent/templates/web.yaml:6)
#  # ${restarted}; Deployment/shop-db was ready at TIME
#  - select: {kind: Deployment, name: '*web', chart: '.'}
#    dependsOn: [db]
#  - select: {kind: Deployment, name: '*db', chart: '.'}
#    group: db
`);
});

test('without the workload that became ready, an order would not have spared the restart', async () => {
  const lonely = chart('lonely', { 'web.yaml': server('web', '', '200ms') });
  expect(await suggested(lonely)).toContain(
    '# Nothing became ready meanwhile, so an order would not have spared these.',
  );
});

test('a Job fails by its pods', async () => {
  const job = `apiVersion: batch/v1
kind: Job
metadata: {name: "{{ .Release.Name }}-import"}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: "i:1", env: [${env('DB_HOST', 'db')}]}]}}}
`;
  const importing = chart('importing', { 'db.yaml': db, 'import.yaml': job });
  const text = await suggested(importing, importing, 'Job/shop-import');
  expect(text).toMatch(
    /Job\/shop-import: \d failed pods? of container main \(exit code 1\), the last began at TIME, ready at TIME; Deployment\/shop-db was/,
  );
});

test('a release that is not there is an error', async () => {
  const { code, stderr } = await sandbox.run('order', 'suggest', honest, '--from-run', 'none');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('release: not found') });
});
