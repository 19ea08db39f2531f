import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from '../harness.ts';

const sandbox = openTestSandbox();
const chart = join(sandbox.directory, 'broken');
const at = ['--sandbox-dir', join(sandbox.directory, 'state')];
const example = 'fixtures/charts/shop';

/** A Job that fails, with a log that would like to give commands. */
function writeChart(): void {
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: broken\nversion: 1.0.0\n');
  writeFileSync(
    join(chart, 'templates', 'web.yaml'),
    `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}
  annotations:
    sandbox.tshelm.dev/fate: fail
    sandbox.tshelm.dev/log: "::set-env name=PATH::/tmp"
spec:
  backoffLimit: 0
  template:
    spec: {restartPolicy: Never, containers: [{name: seed, image: busybox}]}
`,
  );
}

beforeAll(writeChart);
afterAll(() => sandbox.remove());

const eventsOf = (stderr: string) =>
  stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a run that goes well', () => {
  test('json: standard error is events alone, standard output the release alone', async () => {
    const { code, stdout, stderr } = await tshelm(
      ['install', 'shop', example, '--wait=ordered', '--progress=json', '-o', 'json', ...at],
      {},
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'shop', info: { status: 'deployed' } });
    const events = eventsOf(stderr);
    expect(events[0]).toMatchObject({ type: 'run-started', action: 'install', chart: example });
    expect(events.at(-1)).toMatchObject({ type: 'run-finished', outcome: 'succeeded' });
    for (const event of events) expect(event).toMatchObject({ version: 1, release: 'shop', namespace: 'default' });
  });

  test('none, and -o json without a word about progress: hints alone', async () => {
    const quiet = await tshelm(['upgrade', 'shop', example, '--progress=none', ...at]);
    const hint = expect.stringMatching(
      /^revision \d+ of shop was deployed with --wait=ordered, so this run uses it too .*\n$/,
    );
    expect(quiet).toMatchObject({ code: 0, stderr: hint });
    const json = await tshelm(['upgrade', 'shop', example, '-o', 'json', ...at]);
    expect(json).toMatchObject({ code: 0, stderr: hint });
  });

  test('tty: asked for where there is no terminal, and on its own where there is one', async () => {
    const asked = await tshelm(['upgrade', 'shop', example, '--progress=tty', ...at]);
    expect(asked.stderr).toContain('upgrade shop in default');
    const found = await tshelm(['rollback', 'shop', ...at], { terminal: 80, env: { LANG: 'C.UTF-8', NO_COLOR: '1' } });
    expect(found.stderr).toMatch(/✓ rollback shop in default {2}\S+s {2}\d+ objects\n.*\x1b\[\?25h$/);
    expect(found.stderr).not.toMatch(/\x1b\[\d+m/);
    const inBuild = await tshelm(['upgrade', 'shop', example, ...at], { terminal: 80, env: { CI: 'true' } });
    expect(inBuild.stderr).not.toContain('\x1b');
  });

  test('uninstall takes the flags too, and each release is a run', async () => {
    const { stderr } = await tshelm(['uninstall', 'shop', '--wait', '--progress=json', ...at]);
    const events = eventsOf(stderr);
    expect(events.filter(({ type }) => type === 'plan')).not.toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'run-finished', outcome: 'succeeded' });
  });

  test('another word is refused', async () => {
    const { code, stderr } = await tshelm(['uninstall', 'shop', '--progress=loud', ...at]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'invalid argument "loud" for "--progress" flag: must be one of: auto, tty, plain, json, none',
    );
  });
});

describe('a run that fails', () => {
  const install = (name: string, ...flags: string[]) => [
    'install',
    name,
    chart,
    '--wait',
    '--wait-for-jobs',
    '--timeout',
    '20s',
    ...flags,
    ...at,
  ];

  test('json: the last event tells the error, which is not said again', async () => {
    const { code, stderr } = await tshelm(install('a', '--progress=json'));
    expect(code).toBe(1);
    expect(eventsOf(stderr).at(-1)).toMatchObject({
      type: 'run-finished',
      outcome: 'failed',
      error: { text: expect.stringMatching(/^Error: INSTALLATION FAILED: /m) },
    });
  });

  test('tty: the error stands below the tree, which is left as it was', async () => {
    const { stderr } = await tshelm(install('b'), { terminal: 100, env: { NO_COLOR: '1' } });
    expect(stderr).toMatch(/Job\/b +failed[^]*\n\n\S*\x1b\[\?25hError: INSTALLATION FAILED/);
  });

  test('--junit is written, for its owner alone', async () => {
    const file = join(sandbox.directory, 'junit.xml');
    expect((await tshelm(install('c', '--junit', file))).code).toBe(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/<testcase name="Job\/c"[^>]*><failure[^]*<testcase name="install c"/);
  });

  test('--junit into a folder that is not there is told before anything is done', async () => {
    const { code, stderr } = await tshelm(install('d', '--junit', '/nonexistent/junit.xml'));
    expect(code).toBe(1);
    expect(stderr).toContain('--junit /nonexistent/junit.xml: there is no folder /nonexistent');
    expect((await tshelm(['list', '-aq', ...at])).stdout).not.toContain('d\n');
  });

  test('GitHub Actions: an annotation at the template, a summary, and no command from a log', async () => {
    const summary = join(sandbox.directory, 'summary.md');
    const env = {
      GITHUB_ACTIONS: 'true',
      CI: 'true',
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_WORKSPACE: sandbox.directory,
    };
    const { stderr } = await tshelm(install('e'), { env });
    expect(stderr).toMatch(
      /^::error file=broken\/templates\/web\.yaml,line=1,title=install e%3A Job\/e::Job\/e: container \S+: .*BackoffLimitExceeded/m,
    );
    const [, token = ''] = /^::stop-commands::(\w{32})$/m.exec(stderr) ?? [];
    const [before = '', rest = ''] = stderr.split(`::stop-commands::${token}\n`);
    const [stopped = '', after] = rest.split(`::${token}::\n`);
    expect(stopped).toContain('Error: INSTALLATION FAILED');
    expect(stopped).toContain('::set-env');
    // The annotation quotes the log's last line, within its own data.
    expect(`${before}${after}`).not.toMatch(/^\s*(::set-env|.*##\[)/m);
    expect(after).toBe('');
    expect(readFileSync(summary, 'utf8')).toContain('### ❌ install `e` in `default`: failed');
  });
});

describe('what fails before the run', () => {
  const broken = join(sandbox.directory, 'config');
  const files = ['--junit', join(sandbox.directory, 'early.xml'), '--report', join(sandbox.directory, 'early.json')];

  test.each([
    ['install', 'shop', join(sandbox.directory, 'nowhere')],
    ['upgrade', 'shop', join(sandbox.directory, 'nowhere')],
    ['install', 'shop', example, '--kubeconfig', broken],
    ['upgrade', 'shop', example, '--kubeconfig', broken],
    ['rollback', 'shop', '--kubeconfig', broken],
    ['uninstall', 'shop', '--kubeconfig', broken],
    ['test', 'shop', '--kubeconfig', broken],
  ])('is in the files and the events: %s %s %s %s', async (action, ...words) => {
    writeFileSync(broken, 'clusters: [');
    const isLocal = !words.includes('--kubeconfig');
    const ran = await tshelm([action, ...words, ...files, '--progress=json', ...(isLocal ? at : [])]);
    const [began, ended, ...others] = eventsOf(ran.stderr);
    expect(ran.code).toBe(1);
    expect(began).toMatchObject({ type: 'run-started', action, release: 'shop' });
    expect(ended).toMatchObject({ type: 'run-finished', outcome: 'failed' });
    expect(others).toEqual([]);
    const reason = isLocal ? 'nowhere' : 'config';
    const report = JSON.parse(readFileSync(join(sandbox.directory, 'early.json'), 'utf8')) as object;
    expect(report).toMatchObject({
      command: action,
      outcome: 'failed',
      error: { message: expect.stringContaining(reason) },
    });
    const junit = readFileSync(join(sandbox.directory, 'early.xml'), 'utf8');
    expect(junit).toMatch(
      new RegExp(`name="${action} shop" tests="1" failures="1"[^]*<failure message="[^"]*${reason}`),
    );
    for (const name of ['early.json', 'early.xml']) rmSync(join(sandbox.directory, name));
  });

  test('is an annotation and in the job summary', async () => {
    const summary = join(sandbox.directory, 'early.md');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { stderr } = await tshelm(['install', 'shop', join(sandbox.directory, 'nowhere'), ...at], { env });
    expect(stderr).toMatch(/^::error title=install shop failed::path "[^"]*nowhere" not found\n/);
    expect(readFileSync(summary, 'utf8')).toMatch(/^### .* install `shop` in `default`: failed\n[^]*nowhere/);
  });

  test('an annotation of what a template made stands at the template', async () => {
    const bad = join(sandbox.directory, 'folder');
    mkdirSync(join(bad, 'templates'), { recursive: true });
    writeFileSync(join(bad, 'Chart.yaml'), 'apiVersion: v2\nname: bad\nversion: 1.0.0\n');
    writeFileSync(join(bad, 'templates', 'a.yaml'), 'kind: ConfigMap\napiVersion: v1\ndata: [\n');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: sandbox.directory };
    const rendered = await tshelm(['install', 'shop', bad, ...at], { env });
    expect(rendered.stderr).toMatch(/^::error file=folder\/templates\/a\.yaml,line=3,title=install shop failed::/);
    writeFileSync(join(bad, 'templates', 'a.yaml'), 'kind: ConfigMap\na: {{ nope }}\n');
    const template = await tshelm(['install', 'shop', bad, ...at], { env });
    expect(template.stderr).toMatch(/^::error file=folder\/templates\/a\.yaml,line=2,title=install shop failed::/);
  });

  test('a chart whose name another folder has is named by its own folder, in annotations and JUnit files', async () => {
    const [own, other] = ['own', 'web'].map((name) => join(sandbox.directory, name)) as [string, string];
    for (const chart of [own, other]) {
      mkdirSync(join(chart, 'templates'), { recursive: true });
      writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
      writeFileSync(join(chart, 'templates', 'a.yaml'), 'kind: ConfigMap\na: {{ nope }}\n');
    }
    const [cwd, file] = [sandbox.directory, join(sandbox.directory, 'own.xml')];
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cwd };
    const failed = await tshelm(['install', 'own', own, ...at], { env, cwd });
    expect(failed.stderr).toMatch(/^::error file=own\/templates\/a\.yaml,line=2,/);
    writeFileSync(join(own, 'templates', 'a.yaml'), 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: own}\n');
    expect(await tshelm(['install', 'own', own, ...at, '--junit', file], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain(`file="${own}/templates/a.yaml"`);
  });
});

test.each([['--progress=none'], ['--progress=plain']])(
  'what pods write cannot draw on the terminal, and long lines are cut (%s)',
  async (progress) => {
    const nasty = join(sandbox.directory, 'nasty');
    const log = String.raw`"\e]0;title\a\e[2J\x9b31mred \r over\u202e ${'x'.repeat(3000)}"`;
    mkdirSync(join(nasty, 'templates'), { recursive: true });
    writeFileSync(join(nasty, 'Chart.yaml'), 'apiVersion: v2\nname: nasty\nversion: 1.0.0\n');
    writeFileSync(
      join(nasty, 'templates', 'a.yaml'),
      `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: "{{ .Release.Name }}"\n  annotations: {helm.sh/hook: pre-install, sandbox.tshelm.dev/fate: fail, sandbox.tshelm.dev/log: ${log}}\nspec:\n  backoffLimit: 0\n  template:\n    spec: {restartPolicy: Never, containers: [{name: seed, image: busybox}]}\n`,
    );
    const name = `n${progress.slice(-5)}`.replace('=', '');
    const ran = await tshelm(['install', name, nasty, '--timeout', '20s', progress, ...at]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(' red');
    expect(ran.stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
    const shown = ran.stderr.split('\n').filter((line) => line.startsWith('  log  '));
    expect(Math.max(0, ...shown.map((line) => line.length))).toBeLessThan(420);
    const history = await tshelm(['history', name, ...at]);
    expect(history.stdout).toContain('container seed: Error, exit code 1');
    expect(history.stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  },
);
