import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { processIo } from '../../src/cli/terminal/io.ts';
import { openTestSandbox, tshelm } from './harness.ts';

const chart = 'fixtures/charts/blog';
const sandbox = openTestSandbox();
afterAll(() => sandbox.remove());
const here = `--sandbox-dir=${sandbox.directory}`;
const errorOf = async (...words: readonly string[]): Promise<string> => (await sandbox.run(...words)).stderr;

describe('a chart that is not there', () => {
  test.each(['./fixtures/charts/blgo', './fixtures/charts/blgo/'])('%s: one with a name like it is', async (path) => {
    expect(await errorOf('install', 'demo', path)).toBe(
      `Error: INSTALLATION FAILED: path ${JSON.stringify(path)} not found\n  fix    did you mean ./fixtures/charts/blog?\n`,
    );
  });

  test.each([
    ['./ap', './app'],
    ['./app2', './app'],
    ['ap', './app'],
    ['app2', './app'],
    ['charts/blgo', './charts/blog'],
    ['./charts/blgo', './charts/blog'],
    ['zzzz', undefined],
    ['./notchart2', undefined],
    ['notchart2', undefined],
    ['other/blgo', undefined],
  ])('%s: a folder with a chart is, even where Helm looks for a repository', async (path, meant) => {
    const cwd = mkdtempSync(join(tmpdir(), 'tshelm-near-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    for (const folder of ['app', 'charts/blog']) {
      mkdirSync(join(cwd, folder), { recursive: true });
      writeFileSync(join(cwd, folder, 'Chart.yaml'), 'apiVersion: v2\nname: app\nversion: 0.1.0\n');
    }
    mkdirSync(join(cwd, 'notchart'));
    for (const words of [['upgrade', 'web'], ['template'], ['plan'], ['diff', 'web']]) {
      const { stderr } = await tshelm([...words, path, here], { cwd });
      const [first, ...more] = stderr.trimEnd().split('\n');
      expect(first).toMatch(/^Error: (?:path|non-absolute URLs|repo) /);
      const suggestions = more.filter((line) => line.includes('did you mean'));
      expect(suggestions).toEqual(meant === undefined ? [] : [`  fix    did you mean ${meant}?`]);
    }
  });

  test.each(['./fixtures/charts/zzzz', './no-such-folder/blog'])('%s: nothing is like it', async (path) => {
    expect(await errorOf('install', 'demo', path)).toBe(
      `Error: INSTALLATION FAILED: path ${JSON.stringify(path)} not found\n`,
    );
  });

  test.each([
    [['upgrade', chart, 'demo'], `upgrade demo ${chart}`],
    [['install', chart, 'demo'], `install demo ${chart}`],
    [['upgrade', chart, 'demo', '--install', '--wait=ordered'], `upgrade demo ${chart} --install --wait=ordered`],
    [['plan', 'upgrade', chart, 'demo'], `plan upgrade demo ${chart}`],
    [['diff', 'upgrade', chart, 'demo'], `diff upgrade demo ${chart}`],
  ])('%j: the chart stands where the release belongs', async (words, meant) => {
    const lines = (await errorOf(...words)).trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(/^ {2}fix {4}/);
    expect(lines.at(-1)).toContain(`tshelm ${meant} ${here}`);
    expect(lines).toHaveLength(2);
  });

  test.each([
    [['upgrade', chart, './zzzz'], 'the second can be no release'],
    [['upgrade', 'demo', 'zzzz'], 'the first is no chart'],
  ])('%j: %s', async (words) => {
    expect(await errorOf(...words)).not.toContain('tshelm upgrade');
  });

  test('upgrade says that the name is missing where a path stands in its place', async () => {
    expect(await errorOf('upgrade', './blog')).toBe(
      'Error: "tshelm upgrade" requires 2 arguments\n\n' +
        'The name of the release is missing: tshelm upgrade RELEASE ./blog\n\n' +
        'Usage:  tshelm upgrade [RELEASE] [CHART] [flags]\n',
    );
  });
});

describe('a release that is not where it was looked for', () => {
  beforeAll(async () => {
    for (const [name, namespace] of [
      ['demo', 'web'],
      ['twice', 'web'],
      ['twice', 'prod'],
    ] as const)
      expect(await sandbox.run('install', name, chart, '-n', namespace, '--create-namespace')).toMatchObject({
        code: 0,
      });
  });

  test.each([
    [['status', 'demo'], 'Error: release: not found\n'],
    [['get', 'values', 'demo'], 'Error: release: not found\n'],
    [['uninstall', 'demo'], 'Error: uninstall: Release not loaded: demo: release: not found\n'],
  ])('%j is in another namespace', async (words, helm) => {
    expect(await errorOf(...words)).toBe(
      `${helm}  where  there is no release demo in namespace default\n  fix    demo is in namespace web: add -n web\n`,
    );
  });

  test('an upgrade says how to install it, too', async () => {
    expect(await errorOf('upgrade', 'demo', chart)).toBe(
      'Error: UPGRADE FAILED: "demo" has no deployed releases\n' +
        '  where  there is no release demo in namespace default\n' +
        '  fix    demo is in namespace web: add -n web\n' +
        `  fix    to install it: tshelm upgrade --install demo ${chart} ${here}\n`,
    );
  });

  test('in several namespaces', async () => {
    expect(await errorOf('history', 'twice')).toContain(
      '  fix    twice is in the namespaces prod, web: choose one with -n\n',
    );
  });

  test('a name that is nearly one of the namespace', async () => {
    expect(await errorOf('status', 'dem', '-n', 'web')).toContain('  fix    did you mean demo?\n');
  });

  test('a program that calls helm gets what Helm writes', async () => {
    let stderr = '';
    const output = {
      isTerminal: false,
      columns: undefined,
      rows: undefined,
      write: (text: string) => void (stderr += text),
    };
    const io = { ...processIo(), env: {}, program: '/bin/helm', stdout: output, stderr: output };
    expect(await main(['status', 'demo', '--sandbox-dir', sandbox.directory], io)).toBe(1);
    expect(stderr).toBe('Error: release: not found\n');
  });

  test('nowhere', async () => {
    expect(await errorOf('status', 'nosuch')).toContain(
      `  fix    to see all releases: tshelm list --all-namespaces ${here}\n`,
    );
  });

  test.each([
    [['status', 'demo', '--revision', '9'], 'Error: release: not found\n  fix    demo has only revision 1\n'],
    [['rollback', 'demo'], 'Error: release has no 0 version\n  fix    demo has only revision 1\n'],
  ])('%j: a revision that is not there', async (words, stderr) => {
    expect(await errorOf(...words, '-n', 'web')).toBe(stderr);
  });

  test('no revision that is deployed', async () => {
    await sandbox.run('install', 'gone', chart, '-n', 'web');
    await sandbox.run('uninstall', 'gone', '-n', 'web', '--keep-history');
    expect(await errorOf('upgrade', 'gone', chart, '-n', 'web')).toContain(
      `  fix    no revision of gone is deployed; to see how they ended: tshelm history gone ${here} -n web\n`,
    );
  });
});

describe('a cluster that cannot be reached', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-where-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('names the server, the context and the kubeconfig', async () => {
    const file = join(folder, 'kubeconfig');
    const config = {
      'current-context': 'prod',
      contexts: [{ name: 'prod', context: { cluster: 'c' } }],
      clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
    };
    writeFileSync(file, JSON.stringify(config));
    const { code, stderr } = await tshelm(['list', '--kubeconfig', file]);
    expect(stderr).toContain(`  where  http://127.0.0.1:1, context prod of ${file}\n`);
    expect(stderr).toContain('  fix    to try charts without a cluster, add --sandbox\n');
    expect(code).toBe(1);
  });

  test('a kubeconfig that names none', async () => {
    const file = join(folder, 'empty');
    writeFileSync(file, '');
    const { stderr } = await tshelm(['list', '--kubeconfig', file]);
    expect(stderr).toContain(
      `; ${file} names no cluster: set a current context, or name another kubeconfig or an API server\n`,
    );
  });
});

describe('a kubeconfig that cannot be used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-kubeconfig-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config');
  const errorWith = async (text: string, ...words: readonly string[]): Promise<string> => {
    writeFileSync(file, text);
    return (await tshelm(['list', '--kubeconfig', file, ...words])).stderr.replaceAll(file, 'FILE');
  };
  const contexts = (...names: string[]): string =>
    `current-context: prod\ncontexts: [${names.map((name) => `{name: "${name}", context: {}}`).join(', ')}]\n`;
  const sandboxed = '  fix    to try charts without a cluster, add --sandbox\n';

  // Helm v4.3.1's line, then the way out.
  test.each([
    [
      'its YAML is broken',
      'a: [\n',
      [],
      'error loading config file "FILE": yaml: line 1: did not find expected node content\n  fix    correct FILE, or name another kubeconfig with --kubeconfig\n',
    ],
    [
      'its current context is unknown',
      contexts('dev', 'test'),
      [],
      'invalid configuration: context was not found for specified context: prod\n  where  FILE has the contexts dev, test\n  fix    choose a context, for example with --kube-context=dev\n',
    ],
    [
      'a context is misspelt',
      contexts('dev', 'te st', 'stage'),
      ['--kube-context', 'te-st'],
      'context "te-st" does not exist\n  where  FILE has the contexts dev, stage, te st\n  fix    choose a context, for example with --kube-context=\'te st\'\n',
    ],
    [
      'it has no contexts',
      contexts(),
      [],
      'invalid configuration: context was not found for specified context: prod\n  fix    FILE has no contexts: name another kubeconfig with --kubeconfig\n',
    ],
  ])('%s', async (_what, text, words, error) => {
    expect(await errorWith(text, ...words)).toBe(`Error: kubernetes cluster unreachable: ${error}${sandboxed}`);
  });

  test('it is not there', async () => {
    const { stderr } = await tshelm(['list', '--kubeconfig', join(folder, 'absent')]);
    expect(stderr).toContain('absent: no such file or directory\n  fix    check the path, or name another kubeconfig');
  });

  test('of many contexts ten are named, and what stands in them stays text', async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `c${index}`);
    expect(await errorWith(contexts(...names))).toMatch(/has the contexts (?:c\d+, ){10}… \(2000\)\n/);
    expect(await errorWith(contexts('a\\e[31m'))).not.toContain('\u001b');
  });
});

test.each([
  ['value.yaml', `  fix    did you mean ${chart}/values.yaml?\n`],
  ['nope.yaml', `  where  looked for ${chart}/nope.yaml in ${process.cwd()}\n`],
])('a file of values that is not there: %s', async (name, lines) => {
  const file = `${chart}/${name}`;
  const { code, stderr } = await tshelm(['template', chart, '-f', file]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: `Error: open ${file}: no such file or directory\n${lines}` });
});

test.each([
  ['5', '  fix    use 5s instead of 5\n'],
  ['1.5', '  fix    use 1.5s instead of 1.5\n'],
])('a duration without a unit: %s', async (text, fix) => {
  const { stderr } = await tshelm(['install', 'a', chart, '--timeout', text]);
  expect(stderr).toBe(
    `Error: invalid argument "${text}" for "--timeout" flag: time: missing unit in duration "${text}"\n${fix}`,
  );
});

test('values that are a list', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tshelm-list-')), 'values.yaml');
  onTestFinished(() => rmSync(file));
  writeFileSync(file, '- a\n');
  const { stderr } = await tshelm(['template', chart, '-f', file]);
  expect(stderr).toContain('cannot unmarshal array into Go value of type map[string]interface {}\n');
  expect(stderr).toContain('the file must be a map of keys, such as `replicas: 2`; this is a list or a single value\n');
});

test.each([
  ['18.20.4', 'Error: tshelm needs Node 20.19 or later; this is Node 18.20.4\n'],
  ['20.18.3', 'Error: tshelm needs Node 20.19 or later; this is Node 20.18.3\n'],
])('Node %s is refused before anything is read', async (version, stderr) => {
  const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('./scripts/launch.cjs')`;
  const run = promisify(execFile)(process.execPath, ['-e', script]);
  await expect(run).rejects.toMatchObject({ code: 1, stderr });
});
