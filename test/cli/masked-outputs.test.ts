import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox } from './harness.ts';

/** Secrets by what the user gives, by a Secret of the chart, by a name and by a form, in each place where texts stand. */
const files: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
  'values.yaml': 'rev: one\nmode: visible-value\ngreeting: ""\ndb: {password: CANARY-default}\n',
  'templates/_helpers.tpl': `{{ define "app.sum" }}{{ sha1sum (print .Values.db.password "-salt") }}{{ end }}
{{- define "app.env" }}
visible-helper: {{ .Values.rev }}
hash: {{ .Values.db.password | sha256sum | trunc 20 }}
{{- end }}
`,
  'templates/all.yaml': `apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-pw}
stringData: {dsn: "CANARY-of-secret-{{ .Values.rev }}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-settings}
data:
  plain: visible-text
  given: "connect with {{ .Values.db.password }}"
  DB_PASSWORD: CANARY-name-{{ .Values.rev }}
  greeting: {{ .Values.greeting | quote }}
  letter: |
    visible-greeting
    {{ .Values.greeting }}
  loud: {{ .Values.db.password | upper | quote }}
  sum: {{ sha256sum .Values.db.password }}
  part: x-{{ substr 3 12 .Values.db.password }}
  both: {{ printf "%s %s" .Values.mode .Values.db.password | b64enc | lower }}
  helped: {{ include "app.sum" . }}
{{- include "app.env" . | nindent 2 }}
  app.ini: |
    [db]
    user = visible-user
    password = CANARY-ini-{{ .Values.rev }}
  app.yaml: |
    auth: {user: visible-flow, password: CANARY-flow-{{ .Values.rev }}}
    webhook: https://hooks.slack.com/services/CANARY-hook-{{ .Values.rev }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}-web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: main
        image: busybox
        args: [--db-pass, "CANARY-arg-{{ .Values.rev }}", --mode, visible-mode]
        command: [sh, -c, "app --token=CANARY-command-{{ .Values.rev }}"]
        env:
        - {name: API_TOKEN, value: "CANARY-env-{{ .Values.rev }}"}
        - {name: COPIED, value: "CANARY-of-secret-{{ .Values.rev }}"}
        - {name: MODE, value: visible-env}
---
apiVersion: batch/v1
kind: Job
metadata: {name: {{ .Release.Name }}-job, annotations: {helm.sh/hook: pre-upgrade}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox, env: [{name: PASSWORD, value: "CANARY-hook-env-{{ .Values.rev }}"}]}]}}}
`,
};
const folder = mkdtempSync(join(tmpdir(), 'tshelm-masked-'));
const chart = join(folder, 'chart');
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(join(chart, name)), { recursive: true });
  writeFileSync(join(chart, name), text);
}
const stackFile = join(folder, 'helmfile.yaml');
writeFileSync(
  stackFile,
  `releases:\n- name: app\n  namespace: default\n  chart: ./chart\n  values: [{rev: two, db: {password: CANARY-given}}]\n`,
);
const sandbox = openTestSandbox();
const run = sandbox.run;
const given = ['--set', 'rev=two,db.password=CANARY-given'];

beforeAll(async () => {
  const { code, stderr } = await run('install', 'app', chart, '--set', 'db.password=CANARY-given-before');
  expect([code, stderr.includes('Error')]).toEqual([0, false]);
});
afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true });
});

/** What the chart makes of its password, before and after. */
const derived = ['CANARY-given', 'CANARY-given-before'].flatMap((password) => {
  const hashOf = (algorithm: string, text = password): string => createHash(algorithm).update(text).digest('hex');
  return [
    hashOf('sha256').slice(0, 20),
    hashOf('sha1', `${password}-salt`),
    password.slice(3, 12),
    Buffer.from(`visible-value ${password}`).toString('base64').toLowerCase().slice(20),
  ];
});

function keepsSecrets(text: string): void {
  expect(text).not.toMatch(/CANARY/i);
  for (const one of derived) expect(text).not.toContain(one);
  expect(text).not.toContain(Buffer.from('CANARY-').toString('base64').slice(0, 8));
}

describe('one rule for every output', () => {
  test.each([
    ['diff', ['diff', 'app', chart, ...given, '-C-1']],
    ['diff -o json', ['diff', 'app', chart, ...given, '-o', 'json']],
    ['diff -o yaml', ['diff', 'app', chart, ...given, '-o', 'yaml']],
    ['diff -o markdown', ['diff', 'app', chart, ...given, '-o', 'markdown']],
    ['diff upgrade', ['diff', 'upgrade', 'app', chart, ...given]],
    ['diff upgrade -o json', ['diff', 'upgrade', 'app', chart, ...given, '-o', 'structured']],
    ['diff of an install', ['diff', 'other', chart, ...given, '--install', '-C-1']],
    ['plan', ['plan', 'upgrade', 'app', chart, ...given]],
    ['plan -o json', ['plan', 'upgrade', 'app', chart, ...given, '-o', 'json']],
    ['plan -o html', ['plan', 'upgrade', 'app', chart, ...given, '-o', 'html']],
    ['plan -o markdown', ['plan', 'upgrade', 'app', chart, ...given, '-o', 'markdown']],
    ['stack diff', ['stack', 'diff', '-f', stackFile]],
    ['stack diff -o markdown', ['stack', 'diff', '-f', stackFile, '-o', 'markdown']],
    ['stack plan', ['stack', 'plan', '-f', stackFile]],
    ['stack plan -o markdown', ['stack', 'plan', '-f', stackFile, '-o', 'markdown']],
  ])('%s', async (_name, words) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stderr.includes('Error')]).toEqual([0, false]);
    keepsSecrets(stdout + stderr);
  });

  test.each([['--out'], ['--out', '-o', 'markdown']])('a saved plan, and show-plan: %j', async (_out, ...more) => {
    const out = join(folder, `${more.length}.plan`);
    const planned = await run('plan', 'upgrade', 'app', chart, ...given, '--out', out, ...more);
    expect(planned.code).toBe(0);
    keepsSecrets(planned.stdout + planned.stderr + readFileSync(out, 'utf8'));
    for (const format of ['tree', 'json', 'markdown']) {
      const shown = await run('show-plan', out, '-o', format);
      expect(shown.code).toBe(0);
      keepsSecrets(shown.stdout);
    }
  });

  test('--debug', async () => {
    const { code, stdout, stderr } = await run('install', 'debugged', chart, ...given, '--debug');
    expect(code).toBe(0);
    keepsSecrets(stdout + stderr);
  });

  test('drift', async () => {
    const { stdout, stderr } = await run('drift', 'app', '-o', 'json');
    keepsSecrets(stdout + stderr);
  });
});

test('a line that differs only in what is masked says on which side it stands; what is no secret stays', async () => {
  const { stdout } = await run('diff', 'app', chart, ...given, '-C-1');
  for (const line of [
    "-  DB_PASSWORD: '*** (before)'",
    "+  DB_PASSWORD: '*** (after)'",
    '-    password = *** (before)',
    '+    password = *** (after)',
    '-    auth: {user: visible-flow, password: *** (before)}',
    '+    auth: {user: visible-flow, password: *** (after)}',
    '-    webhook: https://hooks.slack.com/services/*** (before)',
    "-          value: '*** (before)'",
    "-        - '*** (before)'",
    '-        - app --token=*** (before)',
    "-  dsn: '*** (before)'",
    '-  given: connect with *** (before)',
    '     user = visible-user',
    '-  visible-helper: one',
    '+  visible-helper: two',
    "-  sum: '*** (before)'",
    "+  sum: '*** (after)'",
    '   plain: visible-text',
    '         - visible-mode',
    '           value: visible-env',
  ])
    expect(stdout.split('\n')).toContain(line);
});

test('a saved plan of masked texts is applied', async () => {
  const out = join(folder, 'applied.plan');
  expect((await run('plan', 'upgrade', 'app', chart, ...given, '--out', out)).code).toBe(0);
  const applied = await run('apply', out, ...given);
  expect([applied.code, applied.stderr.includes('Error')]).toEqual([0, false]);
});

test('--show-secrets shows everything', async () => {
  const { stdout } = await run('diff', 'app', chart, '--set', 'rev=three', '-C-1', '--show-secrets');
  expect(stdout).toContain('+  DB_PASSWORD: CANARY-name-three');
  expect(stdout).toContain('+    password = CANARY-ini-three');
});
