import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const chart = mkdtempSync(join(tmpdir(), 'tshelm-diff-chart-'));
const files: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
  'values.yaml': 'password: CANARY-s3cr3t\nsetting: one\nextra: false\nkeep: true\nimage: busybox\n',
  'templates/all.yaml': `apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-pw, annotations: {note: "was {{ .Values.password }}"}}
stringData: {password: {{ .Values.password | quote }}, fixed: "unchanged"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-settings}
data: {setting: {{ .Values.setting | quote }}, other: fixed}
{{- if .Values.keep }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-kept, annotations: {helm.sh/resource-policy: keep}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-gone}
{{- end }}
{{- if .Values.extra }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-extra}
data: {a: b}
{{- end }}
{{- if .Values.thing }}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: {{ .Release.Name }}-thing}
{{- end }}
---
apiVersion: batch/v1
kind: Job
metadata: {name: {{ .Release.Name }}-migrate, annotations: {helm.sh/hook: "pre-upgrade"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: {{ .Values.image }}}]}}}
---
apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-hook, annotations: {helm.sh/hook: "pre-upgrade"}}
stringData: {password: {{ .Values.password | quote }}}
`,
};
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(join(chart, name)), { recursive: true });
  writeFileSync(join(chart, name), text);
}
/** Takes the objects of release a for those of release owner. */
const renamer = join(chart, 'renamer.sh');
writeFileSync(renamer, "#!/bin/sh\nsed 's/a-settings/owner-settings/'\n", { mode: 0o755 });

const sandbox = openTestSandbox();
const run = sandbox.run;

beforeAll(async () => {
  const { code, stderr } = await run('install', 'a', chart);
  expect([code, stderr.includes('Error')]).toEqual([0, false]);
});
afterAll(() => {
  sandbox.remove();
  rmSync(chart, { recursive: true });
});

test('nothing has changed', async () => {
  const { code, stdout } = await run('diff', 'a', chart, '--exit-code');
  expect(stdout).toBe('upgrade a in default: revision 1 (app-1.0.0) -> revision 2 (app-1.0.0)\n\nno changes\n');
  expect(code).toBe(0);
});

test('what is added, changed, removed and kept, with hooks apart', async () => {
  const words = ['diff', 'a', chart, '--set', 'setting=two,extra=true,keep=false,image=other', '--context', '0'];
  const { code, stdout } = await run(...words);
  expect(stdout).toBe(`upgrade a in default: revision 1 (app-1.0.0) -> revision 2 (app-1.0.0)

default, a-extra, ConfigMap (v1) has been added:
--- live
+++ revision 2
@@ -0,0 +1,12 @@
+apiVersion: v1
+data:
+  a: b
+kind: ConfigMap
+metadata:
+  annotations:
+    meta.helm.sh/release-name: a
+    meta.helm.sh/release-namespace: default
+  labels:
+    app.kubernetes.io/managed-by: Helm
+  name: a-extra
+  namespace: default

default, a-gone, ConfigMap (v1) has been removed:
--- live
+++ revision 2
@@ -1,10 +0,0 @@
-apiVersion: v1
-kind: ConfigMap
-metadata:
-  annotations:
-    meta.helm.sh/release-name: a
-    meta.helm.sh/release-namespace: default
-  labels:
-    app.kubernetes.io/managed-by: Helm
-  name: a-gone
-  namespace: default

default, a-kept, ConfigMap (v1) would be left in the cluster:
  note: helm.sh/resource-policy: keep

default, a-settings, ConfigMap (v1) has changed:
--- live
+++ revision 2
@@ -4 +4 @@
-  setting: one
+  setting: two

Hooks (run separately; their delete policies decide what happens to their objects):

default, a-migrate, Job (batch/v1), pre-upgrade hook, has changed:
--- revision 1
+++ revision 2
@@ -11 +11 @@
-      - image: busybox
+      - image: other

1 to add, 1 to change, 1 to remove, 1 to leave behind; hooks: 1 to change
`);
  expect(code).toBe(0);
});

test('--exit-code is 2 for changes, and nothing has been stored by any diff', async () => {
  expect((await run('diff', 'a', chart, '--set', 'setting=two', '--exit-code')).code).toBe(2);
  expect((await run('diff', 'upgrade', 'a', chart, '--set', 'image=two', '--detailed-exitcode')).code).toBe(2);
  expect((await run('history', 'a', '-o', 'json')).stdout).toContain('"revision":1');
  expect((await run('history', 'a', '-o', 'json')).stdout).not.toContain('"revision":2');
  expect((await run('diff', 'a', chart, '--exit-code')).code).toBe(0);
});

describe('Secrets', () => {
  const words = ['diff', 'a', chart, '--set', 'password=CANARY-other-and-longer'];

  test.each([['diff'], ['json'], ['yaml']])('are masked in -o %s', async (format) => {
    const { stdout, stderr } = await run(...words, '-o', format, '--debug');
    expect(stdout).toContain('*** (after)');
    for (const text of ['CANARY-s3cr3t', 'CANARY-other-and-longer']) {
      expect(stdout + stderr).not.toContain(text);
      expect(stdout + stderr).not.toContain(Buffer.from(text).toString('base64'));
    }
  });

  test('are shown with --show-secrets', async () => {
    const { stdout } = await run(...words, '--show-secrets');
    expect(stdout).toContain(`-  password: ${Buffer.from('CANARY-s3cr3t').toString('base64')}`);
    expect(stdout).toContain(`+  password: ${Buffer.from('CANARY-other-and-longer').toString('base64')}`);
  });
});

test('a release that is not there is an error; --install shows what an install would create', async () => {
  const missing = await run('diff', 'b', chart);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    'Error: "b" has no deployed releases\n  fix    add --install\n  where  there is no release b in namespace default\n',
  ]);
  const { code, stdout } = await run('diff', 'b', chart, '--install', '--exit-code');
  expect(stdout).toContain('install b in default: not installed -> revision 1 (app-1.0.0)\n');
  expect(stdout).toContain('4 to add; hooks: 2 to add\n');
  expect(code).toBe(2);
});

test('a kind that is not served is told with its object; all others are compared', async () => {
  const words = ['diff', 'other', chart, '--install', '-n', 'fresh', '--set', 'thing=true'];
  const { code, stdout, stderr } = await run(...words, '--create-namespace', '-o', 'json');
  const { changes } = JSON.parse(stdout) as {
    changes: { kind: string; change: string; refused?: string; notes?: string[] }[];
  };
  expect(changes.find(({ kind }) => kind === 'Thing')?.refused).toBe(
    'the cluster does not serve Thing (example.com/v1); ensure CRDs are installed first',
  );
  expect(changes.find(({ kind }) => kind === 'Namespace')?.change).toBe('added');
  expect(changes.filter(({ kind }) => kind === 'ConfigMap').map(({ notes }) => notes)).toEqual(
    ['kept', 'gone', 'settings'].map(() => ['the namespace fresh does not exist yet; not checked by the server']),
  );
  expect(stderr).toContain('Error: the install would fail: the API server would refuse 1 object (see "refused" above)');
  expect(code).toBe(1);
});

test('an object that belongs to another release', async () => {
  await run('install', 'owner', chart, '--set', 'keep=false');
  const { code, stdout } = await run('diff', 'a', chart, '--set', 'thing=false,extra=true', '--post-renderer', renamer);
  expect(stdout).toContain(
    'default, owner-settings, ConfigMap (v1) has changed:\n  refused: it exists and cannot be imported',
  );
  expect(stdout).toContain('current value is "owner"\n  fix: add --take-ownership ');
  expect(code).toBe(1);
});

test('two revisions, two releases, and a rollback', async () => {
  await run('install', 'c', chart, '--set', 'image=busybox');
  await run('upgrade', 'c', chart, '--set', 'setting=two,password=CANARY-second', '--no-hooks');
  const revisions = await run('diff', 'revision', 'c', '1', '2', '-C1', '--exit-code');
  expect(revisions.stdout).toContain(
    '- data: {setting: "one", other: fixed}\n+ data: {setting: "two", other: fixed}\n',
  );
  expect(revisions.stdout).not.toContain('CANARY');
  expect(revisions.code).toBe(2);
  expect((await run('diff', 'revision', 'c', '1', '-C1')).stdout).toBe(revisions.stdout);
  const rollback = await run('diff', 'rollback', 'c', '1', '-C0', '--live');
  expect(rollback.stdout).toContain('rollback c in default: revision 2 (app-1.0.0) -> revision 3 (app-1.0.0)');
  expect(rollback.stdout).toContain('@@ -4 +4 @@\n-  setting: two\n+  setting: one\n');
  expect(rollback.stdout).not.toContain('CANARY');
  const live = ['a', chart, '--set', 'setting=two', '-C0'];
  expect((await run('diff', 'upgrade', '--live', ...live)).stdout).toBe((await run('diff', ...live)).stdout);
});

describe('diff values', () => {
  const next = mkdtempSync(join(tmpdir(), 'tshelm-diff-values-'));
  beforeAll(() => {
    cpSync(chart, next, { recursive: true });
    writeFileSync(join(next, 'Chart.yaml'), 'apiVersion: v2\nname: app\nversion: 2.0.0\n');
    writeFileSync(join(next, 'values.yaml'), `${files['values.yaml']}fresh: 1\n`.replace('one', 'two'));
  });
  afterAll(() => rmSync(next, { recursive: true }));

  test('compares what a release has recorded with a new chart', async () => {
    expect((await run('diff', 'values', 'a', chart, '--exit-code')).code).toBe(0);
    const { code, stdout } = await run('diff', 'values', 'a', next, '--exit-code', '-o', 'json');
    const { changes } = JSON.parse(stdout) as { changes: unknown[] };
    expect(changes).toMatchObject([
      {
        path: 'setting',
        change: 'changed',
        before: 'one',
        after: 'two',
        isSet: false,
        file: 'app/values.yaml',
        line: 2,
      },
      { path: 'fresh', change: 'added', after: 1 },
    ]);
    expect(code).toBe(2);
  });

  test('compares two charts, with the values that are given', async () => {
    const { stdout } = await run('diff', 'values', chart, next, '--set', 'setting=three');
    expect(stdout).toContain('\nChanged defaults that you set (1):\n  setting: "one" -> "two"');
  });

  test('stands beside the diff of the objects', async () => {
    const { stdout } = await run('diff', 'a', next, '--chart-values');
    expect(stdout).toMatch(/^values of a in default: app-1\.0\.0 -> app-2\.0\.0\n[^]*\n\nupgrade a in default: /);
    const json = JSON.parse((await run('diff', 'a', next, '--chart-values', '-o', 'json')).stdout);
    expect([json.values.changes.length, json.changes.length]).toEqual([2, 1]);
  });

  test('a release that is not there is an error', async () => {
    expect((await run('diff', 'values', 'nobody', next)).stderr).toContain('Error: release: not found');
  });
});

test('colours where they are asked for', async () => {
  const { stdout } = await run('diff', 'a', chart, '--set', 'setting=two', '--color=always', '-C0');
  expect(stdout).toContain('\x1b[31m-  setting: one\x1b[39m\n\x1b[32m+  setting: two\x1b[39m\n');
});

test.each([
  [['diff', 'a'], '"tshelm diff" requires 2 arguments'],
  [['diff', 'revision', 'a'], 'Too few arguments to Command "revision".\nMinimum 2 arguments required'],
  [['diff', 'revision', 'a', 'x'], 'could not convert revision to a number'],
  [['diff', 'a', chart, '-o', 'table'], 'must be one of: diff, json, yaml'],
])('%j is refused', async (words, message) => {
  const { code, stderr } = await tshelm(words);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});
