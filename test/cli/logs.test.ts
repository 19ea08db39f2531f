import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Ran, tshelm } from './harness.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tshelm-logs-'));
  for (const [name, content] of Object.entries(chart)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 0.1.0\n',
  'templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
      annotations: {sandbox.tshelm.dev/log: "web {{ .Values.mark }}\\n  with s3cretPa55w0rd \\u001b[2Jhere"}
    spec: {containers: [{name: main, image: "web:1"}]}
`,
  'templates/secret.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: s3cretPa55w0rd}\n',
  'templates/hook.yaml': `apiVersion: batch/v1
kind: Job
metadata: {name: seed, annotations: {helm.sh/hook: "pre-install,pre-upgrade,pre-delete", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}}
spec:
  template:
    metadata: {annotations: {sandbox.tshelm.dev/log: "seeding {{ .Values.mark }}"}}
    spec: {restartPolicy: Never, containers: [{name: seed, image: "seed:1"}]}
`,
  'templates/test.yaml': `apiVersion: v1
kind: Pod
metadata: {name: smoke, annotations: {helm.sh/hook: test, sandbox.tshelm.dev/log: "it smokes"}}
spec: {restartPolicy: Never, containers: [{name: smoke, image: "smoke:1"}]}
`,
};

const run = (...words: string[]): Promise<Ran> => tshelm([...words, '--sandbox-dir', join(directory, 'sandbox')]);
const deploy = (mark: string, ...words: string[]): Promise<Ran> =>
  run('upgrade', '--install', 'shop', directory, '--set', `mark=${mark}`, '--wait', ...words);

/** The lines of pods without times and the random ends of names. */
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.includes(' | '))
    .map((line) => line.replace(/^ +[\d.]+s {2}/, '').replace(/^(web|seed)[\w-]+\//, '$1/'));

test('--logs shows the lines of hooks and of this revision, masked and without control characters', async () => {
  const first = await deploy('1', '--logs');
  expect(linesOf(first.stderr)).toEqual(['seed/seed | seeding 1', 'web/main | web 1', 'web/main |   with *** here']);
  const second = await deploy('2', '--logs');
  expect(linesOf(second.stderr)).toEqual(['seed/seed | seeding 2', 'web/main | web 2', 'web/main |   with *** here']);
  expect(second.code).toBe(0);
  expect(linesOf(second.stdout)).toEqual([]);
});

test('a selection shows the lines of these alone', async () => {
  expect(linesOf((await deploy('1', '--logs=Job/seed')).stderr)).toEqual(['seed/seed | seeding 1']);
  expect(linesOf((await deploy('2', '--logs=app=web')).stderr)).toEqual([
    'web/main | web 2',
    'web/main |   with *** here',
  ]);
  const typo = await deploy('3', '--logs=deployment/wbe');
  expect(linesOf(typo.stderr)).toEqual([]);
  expect(typo.stderr).toContain('logs: this plan has no deployment/wbe');
  const nobody = await deploy('4', '--logs=app=wbe');
  expect(linesOf(nobody.stderr)).toEqual([]);
  expect(nobody.stderr).toContain('logs: no pod of this revision has the labels of the selector');
});

test('a selector that cannot be read is refused before anything is done', async () => {
  const { code, stderr } = await deploy('1', '--logs=a=b=c');
  expect(code).toBe(1);
  expect(stderr).toContain('"a=b=c" selects no logs: found \'=\'');
  expect((await run('list', '-q')).stdout).toBe('');
});

test('as JSON, each line is an event', async () => {
  const { stderr } = await deploy('1', '--logs', '--progress=json');
  const events = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.filter(({ type }) => type === 'log-line')).toMatchObject([
    { object: { kind: 'Pod' }, of: { kind: 'Job', name: 'seed' }, container: 'seed', line: 'seeding 1' },
    { object: { kind: 'Pod' }, of: { kind: 'Deployment', name: 'web' }, container: 'main', line: 'web 1' },
    { container: 'main' },
  ]);
});

test('on a terminal, above the tree, with a colour for each pod', async () => {
  const words = [
    'install',
    'shop',
    directory,
    '--set',
    'mark=1',
    '--wait',
    '--logs',
    '--sandbox-dir',
    join(directory, 'sandbox'),
  ];
  const { stderr } = await tshelm(words, { terminal: 100, env: { TERM: 'xterm' } });
  expect(stderr).toMatch(/\x1b\[\d+mweb-[\w-]+\/main \| \x1b\[39mweb 1\n/);
});

test('uninstall, rollback and test show theirs', async () => {
  await deploy('1');
  await deploy('2');
  expect(linesOf((await run('rollback', 'shop', '1', '--wait', '--logs')).stderr)).toEqual([
    'web/main | web 1',
    'web/main |   with *** here',
  ]);
  const live = await run('test', 'shop', '--logs=all');
  expect(linesOf(live.stderr)).toEqual(['smoke/smoke | it smokes']);
  expect(live.stdout).not.toContain('POD LOGS');
  const asHelm = await run('test', 'shop', '--logs');
  expect(linesOf(asHelm.stderr)).toEqual([]);
  expect(asHelm.stdout).toContain('POD LOGS: smoke (smoke)\nit smokes\n');
  expect(linesOf((await run('uninstall', 'shop', '--logs')).stderr)).toEqual(['seed/seed | seeding 1']);
});

test('the releases of a stack', async () => {
  const file = join(directory, 'helmfile.yaml');
  writeFileSync(file, `releases: [{name: shop, chart: ${directory}, wait: true, values: [{mark: stack}]}]\n`);
  const { stderr } = await run('stack', 'sync', '-f', file, '--logs', '--progress=plain');
  expect(stderr).toMatch(/s {2}shop: seed-\w+\/seed \| seeding stack\n/);
  expect(stderr).toMatch(/s {2}shop: web-[\w-]+\/main \| web stack\n/);
});

test('tshelm logs: the pods of the release, a container, so many lines', async () => {
  await deploy('1');
  expect(linesOf((await run('logs', 'shop')).stdout)).toEqual(['web/main | web 1', 'web/main |   with *** here']);
  expect(linesOf((await run('logs', 'shop', '--tail', '1', '-c', 'main')).stdout)).toEqual([
    'web/main |   with *** here',
  ]);
  expect(linesOf((await run('logs', 'shop', '-l', 'app=other')).stdout)).toEqual([]);
});

test.each([
  [['-c', 'mian'], 'no pod of release "shop" has a container "mian", only main'],
  [
    ['-l', 'Deployment/wbe'],
    'release "shop" has no workload Deployment/wbe in the cluster, only Deployment/web in default',
  ],
  [['-l', 'a=b=c'], '"a=b=c" selects no logs'],
])('tshelm logs %j: %s', async (words, message) => {
  await deploy('1');
  const { code, stderr } = await run('logs', 'shop', ...words);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
});
