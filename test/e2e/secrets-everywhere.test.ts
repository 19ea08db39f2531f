import { chmodSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchDirectory, writeChart, writeFiles } from './support/charts.ts';
import { filesIn, secretsIn, Watcher } from './support/leaks.ts';
import { adminOf } from './support/namespaces.ts';
import { type Ran, tshelmPath, tshelmProcess } from './support/programs.ts';

/**
 * A secret of a sops file, of references and of a stack, under keys that say nothing, in every kind of place of a release.
 * Later commands know the values from the Secret of the release. Then everything that the commands leave behind is searched
 * for it: what they print, files that they write and those that come and go, arguments and environments of all processes,
 * records and objects.
 */
const admin = adminOf('everywhere');
const scratch = scratchDirectory();
/** What the run may write to; the store of the secrets is elsewhere. */
const work = join(scratch, 'work');
const temporary = join(work, 'tmp');
const store = join(scratch, 'store');

const ofSops = ['CANARY-of-sops-9f83b1', 'CANARY-of-sops-line'];
const ofVals = ['CANARY-first-of-vals', 'CANARY-second-of-vals'];
const ofProgram = 'CANARY-of-program-sops';
const ofFile = 'CANARY-of-a-file';
const pin = '7331733190';
const secrets = [...ofSops, ...ofVals, ofProgram, ofFile, pin];
const fixture = (name: string): string => new URL(`../sops/fixtures/${name}`, import.meta.url).pathname;

const places = `apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-all}
stringData:
  greeting: {{ .Values.file.greeting | quote }}
  notes: {{ .Values.file.notes | quote }}
  vault: {{ .Values.vault.greeting | quote }}
  program: {{ .Values.program.greeting | quote }}
  pin: {{ .Values.pin | quote }}
  local: {{ .Values.local | quote }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-plain
  annotations: {greeting: {{ .Values.file.greeting | quote }}, vault: {{ .Values.vault.greeting | quote }}}
data:
  greeting: {{ .Values.file.greeting | quote }}
  vault: {{ .Values.vault.greeting | quote }}
  program: "hello {{ .Values.program.greeting }}!"
  pin: {{ .Values.pin | quote }}
  notes: {{ .Values.file.notes | quote }}
  encoded: {{ .Values.vault.greeting | b64enc | quote }}
  local: {{ .Values.local | quote }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-hook
  annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: before-hook-creation}
data: {greeting: {{ .Values.file.greeting | quote }}, vault: {{ .Values.vault.greeting | quote }}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}-web}
spec:
  replicas: 0
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec:
      containers:
      - name: main
        image: busybox
        args: [--greeting, {{ .Values.file.greeting | quote }}, "--vault={{ .Values.vault.greeting }}"]
        env: [{name: GREETING, value: {{ .Values.vault.greeting | quote }}}, {name: PROGRAM, value: {{ .Values.program.greeting | quote }}}]
`;
const failing = (text: string): Readonly<Record<string, string>> => ({ 'templates/a.yaml': text });

let chart = '';
const charts: Record<string, string> = {};
const files: string[] = [];

/** Writes down what it was called with, and answers from the store. */
const standIn = (answer: string): string =>
  `#!/bin/sh\n{ echo "$0 $@"; env; tr '\\0' '\\n' < /proc/$PPID/cmdline; } >> ${join(work, 'calls')}.$$\n${answer}\n`;

beforeAll(() => {
  for (const folder of [temporary, store]) mkdirSync(folder, { recursive: true });
  writeFiles(store, {
    vals: ofVals[0] ?? '',
    sops: `program:\n  greeting: ${ofProgram}\n`,
    'local.txt': ofFile,
    'pin.yaml': `pin: ${pin}\n`,
  });
  chart = writeChart(work, 'app', { 'templates/all.yaml': places });
  charts['schema'] = writeChart(work, 'schema', {
    ...failing(''),
    'values.schema.json': JSON.stringify({
      properties: {
        file: { properties: { greeting: { maxLength: 3 } } },
        vault: { properties: { greeting: { enum: ['a'] } } },
      },
    }),
  });
  charts['fail'] = writeChart(
    work,
    'fail',
    failing('{{ fail (printf "no %s and %s" .Values.file.greeting .Values.vault.greeting) }}'),
  );
  charts['type'] = writeChart(
    work,
    'type',
    failing('{{ add1 .Values.file.greeting }}{{ .Values.vault.greeting.nothing }}'),
  );
  charts['yaml'] = writeChart(
    work,
    'yaml',
    failing('a: {{ .Values.file.greeting }}: {{ .Values.vault.greeting }}\n b: [\n'),
  );
  charts['refused'] = writeChart(
    work,
    'refused',
    failing(
      'apiVersion: v1\nkind: Service\nmetadata: {name: {{ .Release.Name }}}\nspec: {type: {{ .Values.file.greeting }}, ports: [{port: 80, protocol: {{ .Values.vault.greeting | quote }}}]}\n',
    ),
  );
  writeFiles(work, {
    'refs.yaml': `vault:\n  greeting: ref+vault://shop#/greeting\npin: ref+file://${join(store, 'pin.yaml')}#/pin\nlocal: ref+file://${join(store, 'local.txt')}\n`,
    'helmfile.yaml': `releases:
- name: shop
  namespace: ${admin.namespace}
  chart: ./app
  secrets: [${fixture('canary.encrypted.yaml')}, ./program.yaml]
  values: [refs.yaml]
  hooks: [{events: [prepare, postsync], command: recorder, args: [hook]}]
`,
    'bin/vals': standIn(`cat ${join(store, 'vals')}; echo`),
    'bin/sops': standIn(`cat > /dev/null; cat ${join(store, 'sops')}`),
    'bin/recorder': standIn('cat'),
    // Its key is another's: the program sops opens it.
    'program.yaml': readFileSync(fixture('for-other.encrypted.yaml'), 'utf8'),
  });
  for (const name of ['vals', 'sops', 'recorder']) chmodSync(join(work, 'bin', name), 0o755);
  files.push('-f', fixture('canary.encrypted.yaml'), '-f', join(work, 'refs.yaml'), '-f', join(work, 'program.yaml'));
});

const env = (): Record<string, string> => ({
  PATH: `${join(work, 'bin')}:${process.env['PATH'] ?? ''}`,
  TMPDIR: temporary,
  HOME: join(work, 'home'),
  HELM_CACHE_HOME: join(work, 'cache'),
  HELM_CONFIG_HOME: join(work, 'config'),
  HELM_DATA_HOME: join(work, 'data'),
  SOPS_AGE_KEY_FILE: fixture('keys.txt'),
  GITHUB_STEP_SUMMARY: join(work, 'summary.md'),
});

/** What was printed where, but for what a command is asked to print in full. */
const printed = new Map<string, string>();
async function run(words: readonly string[], { show = true, github = false, more = {} } = {}): Promise<Ran> {
  const own = { ...(github ? { GITHUB_ACTIONS: 'true' } : {}), ...more };
  const ran = await tshelmProcess.run([...words, '-n', admin.namespace, '--debug'], {
    env: { ...env(), ...own },
  });
  const name = `${printed.size} ${words.filter((word) => !word.startsWith('/')).join(' ')}`;
  printed.set(`${name}: standard error`, ran.stderr);
  if (show) printed.set(`${name}: standard output`, ran.stdout);
  return ran;
}

/** A command that has to work. */
async function good(words: readonly string[], options: Parameters<typeof run>[1] = {}): Promise<Ran> {
  const ran = await run(words, options);
  expect(ran.code, ran.stderr).toBe(0);
  return ran;
}

let watcher: Watcher;
beforeAll(() => void (watcher = new Watcher(temporary)));
afterAll(() => void watcher.stop());

const given = (): string[] => [...files, '--secret-refs'];
const at = (name: string): string => join(work, name);

test('commands that work on a release', async () => {
  for (const words of [
    ['lint', chart],
    ['check', chart, '-o', 'json'],
    ['check', chart, '-o', 'sarif'],
    ['images', chart],
    ['dag', chart, '-o', 'html'],
    ['rehearse', 'app', chart, '-o', 'html'],
    ['rehearse', 'app', chart, '-o', 'json'],
    ['plan', 'app', chart, '--diff'],
    ['plan', 'app', chart, '-o', 'json'],
    ['plan', 'app', chart, '-o', 'html'],
    ['plan', 'install', 'app', chart, '--out', at('install.plan')],
  ])
    await good([...words, ...given()]);
  expect((await good(['template', 'app', chart, ...given()], { show: false })).stdout).toContain(ofVals[0]);
  await good(['show-plan', at('install.plan')]);
  await good(['show-plan', at('install.plan'), '-o', 'markdown']);
  await good(['apply', at('install.plan'), '--report', at('apply.json'), '--junit', at('apply.xml')]);
  writeFiles(store, { vals: ofVals[1] ?? '' });
  for (const output of ['diff', 'json', 'yaml', 'markdown'])
    expect((await good(['diff', 'app', chart, ...given(), '-o', output])).stdout).toContain('***');
  await good(['plan', 'upgrade', 'app', chart, ...given(), '--out', at('upgrade.plan'), '-o', 'markdown']);
  const upgrade = ['upgrade', 'app', chart, ...given(), '--timeout', '60s'];
  const reports = ['--report', at('upgrade.json'), '--junit', at('upgrade.xml')];
  await good([...upgrade, '--progress=json', ...reports]);
  await good([...upgrade, '--progress=plain', '--post-renderer', at('bin/recorder')]);
  for (const words of [
    ['history', 'app', '-o', 'json'],
    ['get', 'metadata', 'app', '-o', 'json'],
    ['diff', 'rollback', 'app', '1'],
    ['diff', 'revision', 'app', '1', '2'],
    ['rollback', 'app', '1', '--timeout', '60s'],
    ['list', '-o', 'json'],
  ])
    await good(words);
  for (const words of [['status', 'app'], ['drift', 'app', '-o', 'json'], ['doctor']]) await run(words);
});

test('failures', async () => {
  for (const [name, path] of Object.entries(charts))
    for (const verb of ['lint', 'check', 'plan', 'install'] as const) {
      const words = verb === 'lint' ? [verb, path] : [verb, `bad-${name}`, path];
      const report = verb === 'install' ? ['--report', at(`${name}.json`), '--timeout', '20s'] : [];
      const { code } = await run([...words, ...given(), ...report], { github: true });
      if (verb === 'install') expect(code).toBe(1);
    }
  const sops = `ref+sops://${fixture('canary.encrypted.yaml')}#/file/greeting/x`;
  await run(['template', 'x', chart, '--secret-refs', '--set', `a=${sops},b=ref+file:///nope`]);
});

const stack = (verb: string, ...words: string[]) => ['stack', verb, '--file', at('helmfile.yaml'), ...words];

test('a stack', async () => {
  for (const words of [['lint'], ['plan', '-o', 'markdown'], ['plan', '--out', at('stack.plan')]] as [string][])
    await good(stack(...words));
  await good(['apply', at('stack.plan'), '--report', at('stack.json')]);
  writeFiles(store, { vals: ofVals[0] ?? '' });
  expect((await run(stack('diff', '-o', 'markdown'))).stdout).toContain('***');
  await good(stack('sync', '--progress=json'));
});

test('orders, traces, logs and releases that change', async () => {
  const collector = createServer((request, response) => {
    void text(request).then((body) => {
      printed.set(`trace ${printed.size}`, `${JSON.stringify(request.headers)}${body}`);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_EXPORTER_OTLP_COMPRESSION: 'none' };
  const before = printed.size;
  for (const way of [['--wait=auto'], ['--eager', '--logs'], ['--take-ownership', '--server-side=false']])
    await good(['upgrade', 'app', chart, ...given(), '--otel', '--timeout', '60s', ...way], { more: traced });
  const [failed = ''] = Object.values(charts).slice(-1);
  await run(['install', 'bad-traced', failed, ...given(), '--otel', '--timeout', '20s'], { more: traced });
  expect([...printed.keys()].slice(before).filter((name) => name.startsWith('trace')).length).toBeGreaterThan(3);
  collector.close();
  for (const words of [
    ['order', 'suggest', chart],
    ...['text', 'junit', 'markdown', 'github', 'gitlab'].map((as) => ['check', chart, '-o', as]),
  ])
    await run([...words, ...given()]);
  for (const words of [
    ['logs', 'app'],
    ['health', 'deployment/app-web'],
    ['plan', 'rollback', 'app', '1', '-o', 'json'],
    ['diff', 'values', chart, chart],
    ['rename', 'app', 'other', '--report', at('rename.json')],
    ['uninstall', 'other', '--keep-history', '--report', at('uninstall.json')],
  ])
    await run(words);
  for (const words of [
    ...['text', 'sarif', 'json'].map((as) => ['check', '-o', as]),
    ['rehearse', '-o', 'html'],
    ['dag', '-o', 'html'],
    ['drift', '-o', 'json'],
    ['list'],
    ['status'],
    ['export'],
    ['test'],
    ['destroy', '--report', at('destroy.json')],
  ] as [string, ...string[]][])
    await run(stack(...words));
});

test('unit tests that fail', async () => {
  writeFiles(chart, {
    'tests/all_test.yaml': `suite: all
values: [${fixture('canary.encrypted.yaml')}]
tests:
- it: shows what it found
  documentIndex: 1
  asserts:
  - equal: {path: data.greeting, value: other}
  - matchRegex: {path: data.notes, pattern: '^no'}
  - matchSnapshot: {}
- it: fails in a template
  set: {vault: 1}
  asserts: [{failedTemplate: {errorMessage: other}}]
`,
  });
  const { code } = await run([
    'unittest',
    chart,
    '-v',
    fixture('canary.encrypted.yaml'),
    '-t',
    'JUnit',
    '-o',
    at('unit.xml'),
  ]);
  expect(code).toBe(1);
});

test('agents', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: tshelmPath,
    args: ['mcp', '-n', admin.namespace],
    cwd: work,
    env: { ...(process.env as Record<string, string>), ...env(), TSHELM_SECRET_REFS: 'true' },
    stderr: 'pipe',
  });
  await client.connect(transport);
  cpSync(fixture('canary.encrypted.yaml'), at('canary.yaml'));
  await good(['install', 'agent', chart, ...given(), '--timeout', '60s']);
  const { tools } = await client.listTools();
  const all = {
    release: 'agent',
    namespace: admin.namespace,
    chart: 'app',
    valueFiles: ['canary.yaml', 'refs.yaml', 'program.yaml'],
    plan: 'agent.plan',
    code: 'x',
  };
  for (const { name, inputSchema } of tools) {
    const taken = Object.fromEntries(Object.entries(all).filter(([key]) => key in (inputSchema.properties ?? {})));
    printed.set(`mcp ${name}`, JSON.stringify(await client.callTool({ name, arguments: taken })));
  }
  expect(printed.get('mcp plan')).toContain('"action"');
  await client.close();
});

test('nothing that was printed holds a secret', () => {
  const leaks = [...printed].flatMap(([name, text]) => secretsIn(text, secrets).map((secret) => `${name}: ${secret}`));
  expect(leaks).toEqual([]);
});

test('no file holds one, of those that stay and those that come and go', () => {
  const leaks = filesIn(work).flatMap(([name, text]) => secretsIn(text, secrets).map((secret) => `${name}: ${secret}`));
  expect(leaks).toEqual([]);
  expect([...watcher.names]).toEqual([]);
  for (const name of ['install.plan', 'upgrade.plan', 'stack.plan', 'agent.plan', 'upgrade.json', 'unit.xml'])
    expect(filesIn(work).map(([path]) => path)).toContain(name);
});

test('no process has one in its arguments or its environment', () => {
  const seen = watcher.stop();
  const calls = filesIn(work).filter(([name]) => name.startsWith('calls.'));
  expect(seen.size).toBeGreaterThan(2);
  for (const program of ['vals get', 'sops --decrypt', 'recorder hook'])
    expect(calls.map(([, text]) => text).join()).toContain(program);
  const leaks = [...seen, ...calls].flatMap(([name, text]) =>
    secretsIn(text, secrets).map((secret) => `${name}: ${secret}`),
  );
  expect(leaks).toEqual([]);
});

test('in the cluster only the release and its own objects hold one', async () => {
  const kinds = [
    ['v1', 'Event'],
    ['v1', 'ConfigMap'],
    ['v1', 'Secret'],
    ['coordination.k8s.io/v1', 'Lease'],
    ['v1', 'Pod'],
    ['apps/v1', 'Deployment'],
  ] as const;
  const holders: string[] = [];
  for (const [apiVersion, kind] of kinds)
    for (const object of await admin.cluster().list(apiVersion, kind, { namespace: admin.namespace }))
      if (secretsIn(JSON.stringify(object), secrets).length > 0) holders.push(`${kind}/${object.metadata.name}`);
  expect(
    holders.filter((name) => !/^(?:ConfigMap\/\w+-(?:plain|hook)|Secret\/\w+-all|Deployment\/\w+-web)$/.test(name)),
  ).toEqual([]);
  expect(holders).toContain('ConfigMap/app-plain');
});

test('the search finds them where they are printed in full', async () => {
  const { stdout } = await run(['get', 'values', 'app'], { show: false });
  expect(secretsIn(stdout, secrets).length).toBeGreaterThan(4);
  expect(secretsIn(Buffer.from(`a: ${ofFile}\n`).toString('base64'), secrets)).toEqual([ofFile]);
});
