import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tshelm } from './harness.ts';

const shop = 'fixtures/charts/shop';

// The first line of each message is Helm's (v4.3.1), with the program's own name.
describe('wrong use fails with exit code 1 and one screen of text', () => {
  test.each([
    [
      ['install'],
      'Error: "tshelm install" requires at least 1 argument\n\nUsage:  tshelm install [NAME] [CHART] [flags]\n',
    ],
    [
      ['install', 'a', 'b', 'c'],
      'Error: INSTALLATION FAILED: expected at most two arguments, unexpected arguments: c\n',
    ],
    [['status'], 'Error: "tshelm status" requires 1 argument\n\nUsage:  tshelm status RELEASE_NAME [flags]\n'],
    [['list', 'x'], 'Error: "tshelm list" accepts no arguments\n\nUsage:  tshelm list [flags]\n'],
    [['install', '--foo'], 'Error: unknown flag: --foo\n'],
    [['install', 'x', './nosuch'], 'Error: INSTALLATION FAILED: path "./nosuch" not found\n'],
    [['template', 'x', './nosuch', '-f', 'nofile'], 'Error: path "./nosuch" not found\n'],
    [
      ['template', shop, '-f', 'nofile.yaml'],
      `Error: open nofile.yaml: no such file or directory\n  where  looked for nofile.yaml in ${process.cwd()}\n`,
    ],
    [
      ['install', 'x', shop, '--wait', 'ordered'],
      'Error: INSTALLATION FAILED: expected at most two arguments, unexpected arguments: ordered\n  fix    did you mean --wait=ordered?\n',
    ],
    [
      ['rollback', 'x', '--wait', 'legacy'],
      'Error: could not convert revision to a number: strconv.Atoi: parsing "legacy": invalid syntax\n  fix    did you mean --wait=legacy?\n',
    ],
    [
      ['rollback', 'x', '1', '--wait', 'ordered'],
      'Error: ordered is taken for an argument, not for the value of --wait\n  fix    did you mean --wait=ordered?\n',
    ],
    [
      ['uninstall', 'x', '--wait', 'ordered'],
      'Error: ordered is taken for an argument, not for the value of --wait\n  fix    did you mean --wait=ordered?\n',
    ],
    [
      ['install', 'x', shop, '--wait', 'orderd'],
      'Error: INSTALLATION FAILED: expected at most two arguments, unexpected arguments: orderd\n  fix    did you mean --wait=ordered?\n',
    ],
    [
      ['template', 'x', shop, '--debug', 'true'],
      'Error: expected at most two arguments, unexpected arguments: true\n  fix    did you mean --debug=true?\n',
    ],
    [
      ['upgrade', 'x', shop, '--logs', 'app=web'],
      'Error: "tshelm upgrade" requires 2 arguments\n\nDid you mean --logs=app=web?\n\nUsage:  tshelm upgrade [RELEASE] [CHART] [flags]\n',
    ],
    [
      ['plan', 'upgrade', 'x', shop, '--wait', 'ordered'],
      'Error: "tshelm plan upgrade" requires 2 arguments\n\nDid you mean --wait=ordered?\n\nUsage:  tshelm plan upgrade [RELEASE] [CHART] [flags]\n',
    ],
    [
      ['plan', 'x', shop, '--wait', 'ordered'],
      'Error: "tshelm plan" accepts at most 2 arguments\n\nDid you mean --wait=ordered?\n\nUsage:  tshelm plan [NAME] [CHART] [flags]\n',
    ],
    [
      ['upgrade', 'x', shop, '--otel', 'http://collector:4318'],
      'Error: "tshelm upgrade" requires 2 arguments\n\nThe variable OTEL_EXPORTER_OTLP_ENDPOINT names the collector\n\nUsage:  tshelm upgrade [RELEASE] [CHART] [flags]\n',
    ],
    [
      ['upgrade', 'x', shop, '--otel=http://collector:4318'],
      'Error: invalid argument "http://collector:4318" for "--otel" flag: strconv.ParseBool: parsing "http://collector:4318": invalid syntax\nWrite --otel, --otel=true, --otel=false\nThe variable OTEL_EXPORTER_OTLP_ENDPOINT names the collector\n',
    ],
    [
      ['list', '--max', 'all'],
      'Error: invalid argument "all" for "-m, --max" flag: strconv.ParseInt: parsing "all": invalid syntax\nWrite --max=10\n',
    ],
    [
      ['install', 'x', shop, '--timeout', 'soon'],
      'Error: invalid argument "soon" for "--timeout" flag: time: invalid duration "soon"\nWrite --timeout=30s, --timeout=5m, --timeout=1h30m\n',
    ],
    [
      ['sandbox', 'rest'],
      'Error: unknown command "rest" for "tshelm sandbox"\n\nDid you mean this?\n\treset\n\nRun \'tshelm sandbox --help\' for usage.\n',
    ],
    [
      ['install', 'x', shop, 'more'],
      'Error: INSTALLATION FAILED: expected at most two arguments, unexpected arguments: more\n',
    ],
    [['template', shop, '--set', 'a'], 'Error: failed parsing --set data: key "a" has no value\n'],
    [
      ['install', shop, '--wait', '-n', 'my-shop'],
      'Error: INSTALLATION FAILED: must either provide a name or specify --generate-name\n' +
        `  fix    tshelm install shop ${shop} --wait -n my-shop\n`,
    ],
    [
      ['install', 'x', shop, '--dry-run=foo'],
      'Error: invalid dry-run value ("foo"). Must be "none", "server", or "client"\n',
    ],
    [['template', shop, '--dry-run=none'], 'Error: invalid dry-run value ("none"). Must be "server" or "client"\n'],
    [
      ['rollback', 'a', 'b'],
      'Error: could not convert revision to a number: strconv.Atoi: parsing "b": invalid syntax\n',
    ],
    [['rollback', 'a', '--wait-lock', '-5m'], 'Error: --wait-lock must not be negative: -300s\n'],
    [
      ['install', 'x', shop, '--force-replace', '--force-conflicts'],
      'Error: if any flags in the group [force-replace force-conflicts] are set none of the others can be; [force-conflicts force-replace] were all set\n',
    ],
    [
      ['rollback', 'x', '--force', '--force-conflicts'],
      'Flag --force has been deprecated, use --force-replace instead\nError: if any flags in the group [force force-conflicts] are set none of the others can be; [force force-conflicts] were all set\n',
    ],
    [
      ['uninstal', 'x'],
      'Error: unknown command "uninstal" for "tshelm"\n\nDid you mean this?\n\tuninstall\n\nRun \'tshelm --help\' for usage.\n',
    ],
    [
      ['stack', 'frobnicate'],
      'Error: unknown command "frobnicate" for "tshelm stack"\nRun \'tshelm stack --help\' for usage.\n',
    ],
    [
      ['stack', 'doctor', '-f', 'none.yaml'],
      'Error: unknown command "doctor" for "tshelm stack"\nuse `tshelm stack diff` or `tshelm stack plan`\n',
    ],
    [['frobnicate'], 'Error: unknown command "frobnicate" for "tshelm"\nRun \'tshelm --help\' for usage.\n'],
    [
      ['uninstall', 'x', '--cascade', 'foo'],
      'Error: invalid cascade value (foo). Must be "background", "foreground", or "orphan"\n',
    ],
  ])('%j', async (words, stderr) => expect(await tshelm(words)).toEqual({ code: 1, stdout: '', stderr }));

  test('no cluster', async () => {
    const { code, stderr } = await tshelm(['list', '--kube-apiserver', 'http://127.0.0.1:1']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: kubernetes cluster unreachable: /);
  });

  test('a broken values file is shown with the lines around the mistake', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tshelm-values-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'values.yaml');
    writeFileSync(path, 'a: 1\nb: [1,\nc: 2\n');
    const { code, stderr } = await tshelm(['template', shop, '-f', path]);
    expect(code).toBe(1);
    expect(stderr).toContain(`failed to parse ${path}`);
    expect(stderr).toMatch(/> \d \| /);
  });
});

test('help comes from the command or from help COMMAND, and is no failure', async () => {
  const root = await tshelm(['--help']);
  expect(root).toMatchObject({ code: 0, stderr: '' });
  expect(root.stdout).toContain('uninstall');
  const asked = await tshelm(['help', 'install']);
  expect(asked.stdout).toContain('--create-namespace');
  expect((await tshelm(['install', '-h'])).stdout).toBe(asked.stdout);
  expect((await tshelm(['get'])).stdout).toContain('metadata');
});

test('values come from standard input', async () => {
  const { stdout } = await tshelm(['template', 'x', shop, '-f', '-', '-s', 'templates/deployment.yaml'], {
    stdin: 'replicas: 7',
  });
  expect(stdout).toContain('replicas: 7');
});

test('the environment gives the namespace, a flag wins', async () => {
  const show = ['template', 'x', shop, '--set', 'migration.enabled=false', '--output-dir'];
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-out-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect((await tshelm([...show, folder])).stdout).toContain(`wrote ${folder}/shop/templates/deployment.yaml\n`);
});
