import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type Ran, tshelm } from './harness.ts';

const canary = 'CANARY-s3cr3t/Value';
const forms = [canary, Buffer.from(canary).toString('base64'), encodeURIComponent(canary), 'CANARY'];
const folder = mkdtempSync(join(tmpdir(), 'tshelm-secrets-'));
const sandbox = openTestSandbox();
afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true });
});

let count = 0;
function write(files: Readonly<Record<string, string>>): string {
  const directory = join(folder, String(count++));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}
const chart = (files: Readonly<Record<string, string>>): string =>
  write({ 'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n', ...files });
const template = (text: string, values = ''): string => chart({ 'templates/a.yaml': text, 'values.yaml': values });

function keepsTheSecret({ code, stdout, stderr }: Ran, failureCode = 1): void {
  for (const form of forms) expect(`${stdout}\n${stderr}`).not.toContain(form);
  expect(code).toBe(failureCode);
}

const secret = (data: string): string =>
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Release.Name }}-pw\n${data}`;
const set = ['--set', `auth.password=${canary}`];
const schema = (rule: object): string =>
  chart({
    'values.schema.json': JSON.stringify({ properties: { auth: { properties: { password: rule } } } }),
    'templates/a.yaml': '',
  });

// The error must be the one that is meant, so each case names some of its words.
describe.each([
  ['template', (words: string[]) => tshelm(['template', 'a', ...words, '--debug'])],
  ['install', (words: string[]) => sandbox.run('install', 'a', ...words, '--debug')],
  ['install --dry-run', (words: string[]) => sandbox.run('install', 'a', ...words, '--dry-run=client', '--debug')],
  ['diff', (words: string[]) => sandbox.run('diff', 'a', ...words, '--install', '--debug')],
] as const)('%s', (_command, run) => {
  test.each([
    ['a schema with a pattern', schema({ pattern: '^x$' }), 'does not match pattern'],
    ['a schema with an enum', schema({ enum: ['x', 'y'] }), 'must be one of'],
    ['a schema with a type', schema({ type: 'number' }), 'want number'],
    ['a schema with a format', schema({ format: 'email', type: 'string', maxLength: 3 }), 'maxLength'],
    [
      'a template that fails on purpose',
      template('{{ fail (printf "weak password %s" .Values.auth.password) }}'),
      'weak password',
    ],
    ['a failing conversion', template('{{ mustToDate "2006-01-02" .Values.auth.password }}'), 'mustToDate'],
    ['a field of a string', template('{{ .Values.auth.password.nested }}'), "can't evaluate field nested"],
    [
      'a number that is none',
      template('{{ mulf "x" 1 | add (atoi .Values.auth.password | mustRegexMatch .Values.auth.password) }}'),
      'a.yaml',
    ],
    ['a bad regular expression', template('{{ mustRegexMatch (printf "(%s" .Values.auth.password) "x" }}'), 'regexp'],
    ['an included template that is not there', template('{{ include .Values.auth.password . }}'), 'include'],
    [
      'a rendered Secret that is no YAML',
      template(secret('stringData:\n  password: "{{ .Values.auth.password }}\n  other: x\n')),
      'YAML',
    ],
    [
      'a rendered Secret with a wrong indent',
      template(secret('stringData:\n  a: {{ .Values.auth.password }}\n   b: {{ .Values.auth.password }}\n')),
      'YAML',
    ],
    [
      'a rendered env that is no YAML',
      template('kind: Pod\nenv:\n- name: DB_PASSWORD\n  value: {{ .Values.auth.password }}\n bad: [\n'),
      'YAML',
    ],
    ['a key of the values that is a list', template('{{ range $k, $v := .Values.auth.password }}{{ end }}'), 'range'],
  ])('%s', async (_name, path, words) => {
    const ran = await run([path, ...set]);
    expect(ran.stderr).toContain(words);
    keepsTheSecret(ran);
  });

  test.each([
    ['--set that ends too early', ['--set', `auth.password=${canary},other`]],
    ['--set with a bad index', ['--set', `password[x]=${canary}`]],
    ['--set-json that is no JSON', ['--set-json', `auth={"password":"${canary}"`]],
    ['--set-json that ends in a string', ['--set-json', `password="${canary}`]],
    ['--set-string with a bad list', ['--set-string', `a.password={${canary}`]],
    ['--set-literal without a value', ['--set-literal', `password`]],
    ['--set-file of a file that is not there', ['--set-file', `password=${join(folder, 'nope')}`]],
  ])('%s', async (_name, words) => {
    const ran = await run([template(''), ...words]);
    keepsTheSecret(ran);
    expect(ran.stderr).toContain('Error: ');
  });

  test.each([
    ['broken after the secret', `auth:\n  user: me\n  password: ${canary}\n bad: [\n`],
    ['broken at the secret', `auth:\n  user: me\n  password: "${canary}\n`],
    ['broken below a block', `privateKey: |\n  -----BEGIN\n  ${canary}\n bad: {\nmore: x\n`],
    ['broken inside braces', `auth: {user: me, password: ${canary}, [}\n`],
    ['broken beside a list', `tokens:\n- ${canary}\n bad\n  - x: [\n`],
  ])('a values file that is %s', async (_name, text) => {
    const file = join(write({ 'values.yaml': text }), 'values.yaml');
    const ran = await run([template(''), '-f', file]);
    expect(ran.stderr).toMatch(/yaml|YAML/);
    keepsTheSecret(ran);
  });
});

describe('the cluster', () => {
  test.each([
    ['a number in stringData', secret('stringData: {pin: 73317331}\n'), '73317331'],
    ['a field that is not known', secret(`datas: {password: ${canary}}\n`), canary],
    ['data that is no base64', secret(`data: {password: ${canary}=x}\n`), canary],
    ['a map instead of a text', secret(`stringData: {password: {a: ${canary}}}\n`), canary],
  ])('refuses a Secret with %s', async (_name, text, value) => {
    const ran = await sandbox.run('install', 'refused', template(text), '--debug');
    expect(ran.stderr).toContain('Error: INSTALLATION FAILED: ');
    expect(ran.stderr).not.toContain(value);
    keepsTheSecret(ran);
    const history = await sandbox.run('history', 'refused');
    expect(history.stdout).not.toContain(value);
    await sandbox.run('uninstall', 'refused');
  });

  test('the log of a failed hook, and the diagnosis', async () => {
    const hook = `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ .Release.Name }}-hook\n  annotations: {helm.sh/hook: pre-install}\nspec:\n  backoffLimit: 0\n  template:\n    metadata:\n      annotations:\n        sandbox.tshelm.dev/fate: fail\n        sandbox.tshelm.dev/log: "cannot log in with {{ .Values.auth.password }}"\n    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n`;
    const ran = await sandbox.run('install', 'hook', template(hook), ...set, '--timeout', '20s');
    expect(ran.stderr + ran.stdout).toContain('cannot log in with ***');
    keepsTheSecret(ran);
  });

  test('hooks of a stored release, and a Secret whose values no user gave', async () => {
    const job = (event: string): string =>
      `---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ .Release.Name }}-${event}\n  annotations: {helm.sh/hook: ${event}, helm.sh/hook-output-log-policy: hook-succeeded}\nspec:\n  template:\n    metadata:\n      annotations: {sandbox.tshelm.dev/log: "${event} with {{ .Values.auth.password }} and CANARY-of-chart"}\n    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n`;
    const path = template(
      `${secret('stringData: {password: CANARY-of-chart}\n')}${['pre-install', 'pre-rollback', 'pre-delete'].map(job).join('')}`,
    );
    for (const [event, ...words] of [
      ['pre-install', 'install', 'told', path, ...set],
      ['pre-rollback', 'rollback', 'told', '1'],
      ['pre-delete', 'uninstall', 'told'],
    ]) {
      const ran = await sandbox.run(...words, '--timeout', '20s');
      expect(ran.stderr).toContain(`${event} with *** and ***`);
      keepsTheSecret(ran, 0);
    }
  });

  test('install, upgrade, diff, drift, status and history with --debug', async () => {
    const path = template(secret('stringData: {password: {{ .Values.auth.password | quote }}}\n'));
    for (const words of [
      ['install', 'good', path, ...set],
      ['upgrade', 'good', path, ...set, '--set', 'x=y'],
      ['diff', 'good', path, '--set', `auth.password=${canary}-2`],
      ['drift', 'good'],
      ['status', 'good'],
      ['history', 'good'],
      ['list'],
      ['rollback', 'good', '1'],
      ['uninstall', 'good'],
    ]) {
      keepsTheSecret(await sandbox.run(...words, '--debug'), 0);
    }
  });

  test('what a command is asked for is printed as it is', async () => {
    const path = template(secret('stringData: {password: {{ .Values.auth.password | quote }}}\n'));
    expect((await tshelm(['template', 'a', path, ...set])).stdout).toContain(canary);
    const dryRun = await sandbox.run('install', 'a', path, ...set, '--dry-run=client');
    expect(dryRun.stdout).toContain(canary);
    const hiding = await sandbox.run('install', 'a', path, ...set, '--dry-run=client', '--hide-secret');
    expect(hiding.stdout).toContain('# HIDDEN: The Secret output has been suppressed');
    keepsTheSecret(hiding, 0);
  });
});

describe('credentials', () => {
  const kubeconfig = (user: object): string => {
    const file = join(write({ config: '' }), 'config');
    const cluster = { server: 'https://127.0.0.1:1' };
    const text = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user }],
    };
    writeFileSync(file, JSON.stringify(text));
    return file;
  };
  const plugin = (script: string): object => {
    const command = join(write({ 'plugin.sh': `#!/bin/sh\n${script}\n` }), 'plugin.sh');
    chmodSync(command, 0o755);
    return {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command,
        interactiveMode: 'Never',
        env: [{ name: 'PW', value: canary }],
      },
    };
  };

  test.each([
    ['a token', { token: canary }],
    ['a password', { username: 'me', password: canary }],
    [
      'a key',
      {
        'client-certificate-data': Buffer.from(canary).toString('base64'),
        'client-key-data': Buffer.from(canary).toString('base64'),
      },
    ],
    ['a plugin that prints no JSON', plugin(`echo ${canary}`)],
    ['a plugin that prints another version', plugin(`echo '{"apiVersion":"x","status":{"token":"${canary}"}}'`)],
    [
      'a plugin whose token is of no use',
      plugin(`echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"${canary}"}}'`),
    ],
  ])('of a kubeconfig: %s', async (_name, user) => {
    const ran = await tshelm(['list', '--kubeconfig', kubeconfig(user), '--debug']);
    expect(ran.stderr).toContain('Error: ');
    keepsTheSecret(ran);
  });

  test('a kubeconfig that is no YAML', async () => {
    const file = join(write({ config: `users:\n- name: u\n  user:\n    token: ${canary}\n   bad: [\n` }), 'config');
    keepsTheSecret(await tshelm(['list', '--kubeconfig', file, '--debug']));
  });

  test('--kube-token, and a server with a password in its address', async () => {
    const url = `https://me:${encodeURIComponent(canary)}@127.0.0.1:1`;
    keepsTheSecret(await tshelm(['list', '--kube-apiserver', url, '--debug']));
    keepsTheSecret(
      await tshelm(['list', '--kube-apiserver', 'https://127.0.0.1:1', '--kube-token', canary, '--debug']),
    );
    keepsTheSecret(
      await tshelm(['template', 'a', template(''), '-f', `http://me:${encodeURIComponent(canary)}@127.0.0.1:1/x`]),
    );
  });

  test("a plugin's command and arguments are no shell's", async () => {
    const mark = join(folder, 'mark');
    const user = {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: `touch ${mark}`,
        args: [`; touch ${mark}`, `$(touch ${mark})`],
        interactiveMode: 'Never',
      },
    };
    const ran = await tshelm(['list', '--kubeconfig', kubeconfig(user)]);
    expect(ran.stderr).toMatch(/executable .*touch .*mark not found/);
    expect(() => statSync(mark)).toThrow('ENOENT');
  });
});

test('a post-renderer that fails', async () => {
  const path = template(secret('stringData: {password: {{ .Values.auth.password | quote }}}\n'));
  for (const script of ['cat >&2; exit 1', 'cat; echo "bad: ["']) {
    const program = join(write({ 'p.sh': `#!/bin/sh\n${script}\n` }), 'p.sh');
    chmodSync(program, 0o755);
    keepsTheSecret(await tshelm(['template', 'a', path, ...set, '--post-renderer', program, '--debug']));
  }
});

test('the files that a failure leaves, and events for programs', async () => {
  const hook = `apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}-hook\n  annotations: {helm.sh/hook: pre-install, sandbox.tshelm.dev/fate: fail, sandbox.tshelm.dev/log: "no {{ .Values.auth.password }}"}\nspec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n`;
  const refused = secret('stringData: {pin: {a: {{ .Values.auth.password }}}}\n');
  const fails = '{{ fail .Values.auth.password }}';
  for (const [index, text] of [hook, refused, fails].entries()) {
    const [report, junit] = [join(folder, `report-${index}.json`), join(folder, `junit-${index}.xml`)];
    const words = ['--report', report, '--junit', junit, '--progress=json', '--timeout', '20s', '--debug'];
    keepsTheSecret(await sandbox.run('install', `files-${index}`, template(text), ...set, ...words));
    for (const file of [report, junit].filter(existsSync)) {
      const written = readFileSync(file, 'utf8');
      for (const form of forms) expect(written).not.toContain(form);
    }
    if (text !== fails) expect([existsSync(report), existsSync(junit)]).toEqual([true, true]);
  }
});

test('lint', async () => {
  const path = template('{{ fail .Values.auth.password }}');
  // As in Helm, a chart that fails on purpose does not fail here.
  keepsTheSecret(await tshelm(['lint', path, ...set, '--debug']), 0);
});

test('what the sandbox keeps is for its owner alone', async () => {
  await sandbox.run('install', 'kept', template(secret('stringData: {password: x}\n')));
  const { readdirSync } = await import('node:fs');
  for (const name of readdirSync(sandbox.directory, { recursive: true, encoding: 'utf8' })) {
    const stats = statSync(join(sandbox.directory, name));
    expect([name, (stats.mode & 0o077).toString(8)]).toEqual([name, '0']);
  }
});
