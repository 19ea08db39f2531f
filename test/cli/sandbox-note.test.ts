import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

let sandbox: ReturnType<typeof openTestSandbox>;
beforeEach(() => {
  sandbox = openTestSandbox();
});
afterEach(() => sandbox.remove());

const note = 'sandbox: images, commands and probes were not run\n';
const timesIn = (text: string): number => text.split(note).length - 1;
const shop = ['shop', 'fixtures/charts/shop', '--no-hooks'];

test('a run with a wait says what the sandbox has not run, once and on standard error', async () => {
  for (const words of [
    ['install', ...shop, '--wait'],
    ['upgrade', ...shop, '--wait=ordered'],
    ['rollback', 'shop', '1', '--no-hooks', '--wait'],
  ]) {
    const { code, stdout, stderr } = await sandbox.run(...words);
    expect({ code, said: timesIn(stderr), inResult: timesIn(stdout) }, words[0]).toEqual({
      code: 0,
      said: 1,
      inResult: 0,
    });
  }
});

test('so does apply; --quiet prints nothing', async () => {
  const file = `${sandbox.directory}.plan`;
  onTestFinished(() => rmSync(file));
  for (const [tag, said, words] of [
    ['1', 1, []],
    ['2', 0, ['-q']],
    ['3', 0, ['-o', 'json']],
  ] as const) {
    const change = ['plan', 'upgrade', '--install', ...shop, '--wait', '--set', `image.tag=${tag}`, '--out', file];
    expect((await sandbox.run(...change)).code).toBe(0);
    const { code, stdout, stderr } = await sandbox.run('apply', file, ...words);
    expect({ code, said: timesIn(stderr), inResult: timesIn(stdout) }, tag).toEqual({ code: 0, said, inResult: 0 });
    if (words[0] === '-q') expect(stdout + stderr).toBe('');
  }
});

test('a kubeconfig of the sandbox is written with the line that makes a shell use it', async () => {
  const file = join(sandbox.directory, 'kube config');
  mkdirSync(sandbox.directory, { recursive: true });
  const written = tshelm(['sandbox', '--sandbox-dir', sandbox.directory, '--write-kubeconfig', file], {
    onStdout: (piece) => {
      if (piece.includes('export')) process.emit('SIGINT', 'SIGINT');
    },
  });
  expect((await written).stdout).toContain(`\n  export KUBECONFIG='${file}'\n`);
});

test.each([
  ['without a wait', []],
  ['of a dry run', ['--wait', '--dry-run=client']],
  ['with -o json', ['--wait', '-o', 'json']],
])('nothing is said %s', async (_which, words) => {
  const { code, stdout, stderr } = await sandbox.run('install', ...shop, ...words);
  expect({ code, said: timesIn(stdout + stderr) }).toEqual({ code: 0, said: 0 });
});

describe('notes of a chart speak of another cluster', () => {
  const deploy = ['demo', 'fixtures/charts/shop', '--no-hooks'];
  const way = /^ {2}tshelm logs demo --sandbox-dir=\S+$/m;
  const shown = (...words: readonly string[]) => sandbox.runWith({ terminal: 200, env: { NO_COLOR: '1' } }, ...words);

  test.each(['install', 'upgrade', 'status'])('%s says below them what leads to the sandbox', async (verb) => {
    if (verb !== 'install') await sandbox.run('install', ...deploy);
    const { code, stdout, stderr } = await shown(verb, ...(verb === 'status' ? ['demo'] : deploy));
    expect(code).toBe(0);
    expect(stdout).toContain('NOTES:\n');
    expect(stderr).toMatch(way);
  });

  test('so does apply', async () => {
    const file = `${sandbox.directory}.plan`;
    await sandbox.run('plan', 'upgrade', '--install', ...deploy, '--out', file);
    const { code, stderr } = await shown('apply', file);
    rmSync(file);
    expect(code).toBe(0);
    expect(stderr).toMatch(way);
  });

  test.each([
    ['--hide-notes', ['--hide-notes']],
    ['a dry run', ['--dry-run=client']],
    ['-o json', ['-o', 'json']],
    ['--quiet', ['--quiet']],
  ])('not of %s', async (_which, words) => {
    expect((await shown('install', ...deploy, ...words)).stderr).not.toMatch(way);
  });

  test('nor to programs', async () => {
    expect((await sandbox.run('install', ...deploy)).stderr).not.toMatch(way);
  });
});

test('a rehearsal says it too, but not with -o json', async () => {
  const rehearse = ['rehearse', 'fixtures/charts/shop', '--timeout', '1h'];
  expect(timesIn((await tshelm(rehearse)).stderr)).toBe(1);
  expect((await tshelm([...rehearse, '-o', 'json'])).stderr).toBe('');
});

test('a pull secret that does not exist is a warning', async () => {
  const chart = mkdtempSync(join(tmpdir(), 'tshelm-pull-'));
  mkdirSync(join(chart, 'templates'));
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: pull\nversion: 1.0.0\n');
  writeFileSync(
    join(chart, 'templates/web.yaml'),
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {imagePullSecrets: [{name: registry}], containers: [{name: a, image: "nginx:1"}]}
---
{{ if .Values.secret }}{apiVersion: v1, kind: Secret, metadata: {name: registry}}{{ end }}
`,
  );
  const warning = 'warning: Deployment/web names the pull secret registry, which does not exist\n';
  expect((await sandbox.run('install', 'pull', chart, '--wait')).stderr).toContain(warning);
  const brought = await sandbox.run('upgrade', 'pull', chart, '--wait', '--set', 'secret=true');
  expect(brought).toMatchObject({ code: 0, stderr: expect.not.stringContaining('pull secret') });
  rmSync(chart, { recursive: true });
});
