import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planFileText, readPlanFile } from '../../src/saved-plan/file.ts';
import type { SavedRelease } from '../../src/saved-plan/types.ts';
import { openTestSandbox, tshelm } from './harness.ts';

/** Hooks as podinfo has them: a random name for each, and one that names the revision. */
const template = `apiVersion: v1
kind: Pod
metadata:
  name: {{ .Release.Name }}-jwt-{{ randAlphaNum 5 | lower }}
  labels: {version: {{ .Values.version | quote }}}
  annotations: {helm.sh/hook: test, at: {{ now | date "2006-01-02" | quote }}}
spec:
  restartPolicy: Never
  containers: [{name: main, image: busybox, args: [-c, "curl {{ .Values.path }}?{{ randAlphaNum 8 }}-x"]}]
---
apiVersion: v1
kind: Pod
metadata: {name: {{ .Release.Name }}-tcp-{{ randAlphaNum 5 | lower }}, annotations: {helm.sh/hook: test}}
spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
---
apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-token, annotations: {helm.sh/hook: test}}
stringData: {token: {{ randAlphaNum 20 }}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: {{ .Release.Name }}-{{ .Values.name }}, annotations: {helm.sh/hook: pre-upgrade}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}
`;
const folder = mkdtempSync(join(tmpdir(), 'tshelm-random-hooks-'));
const chart = join(folder, 'app');
const sandbox = openTestSandbox();
const { run } = sandbox;

beforeAll(async () => {
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: app\nversion: 1.0.0\n');
  writeFileSync(join(chart, 'values.yaml'), 'version: "1"\npath: /a\nname: one\n');
  writeFileSync(join(chart, 'templates', 'hooks.yaml'), template);
  expect((await run('install', 'a', chart)).code).toBe(0);
});
afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true });
});

describe('hooks with random names', () => {
  test('are no change, and one line each', async () => {
    const { code, stdout } = await run('diff', 'a', chart, '--exit-code');
    expect(stdout.replaceAll(/-(jwt|tcp)-[a-z0-9]{5}/g, '-$1-R')).toBe(`\
upgrade a in default: revision 1 (app-1.0.0) -> revision 2 (app-1.0.0)

Hooks (run separately; their delete policies decide what happens to their objects):

default, a-jwt-R, Pod (v1), test hook, is unchanged; differs at each render: metadata.name, spec.containers[name=main].args
default, a-tcp-R, Pod (v1), test hook, is unchanged; differs at each render: metadata.name
default, a-token, Secret (v1), test hook, is unchanged; differs at each render: data.token

no changes
`);
    expect(code).toBe(0);
  });

  test('show what has changed beside the random parts', async () => {
    const { stdout } = await run('diff', 'a', chart, '--set-string', 'version=2', '-C', '0');
    expect(stdout.match(/^[+-][^+-].*$/gm)).toEqual(['-    version: "1"', '+    version: "2"']);
    expect(stdout).toContain('no changes; hooks: 1 to change\n');
  });

  test('show a change inside a text that is partly random', async () => {
    const { stdout } = await run('diff', 'a', chart, '--set', 'path=/b', '-C', '0');
    expect(stdout.match(/^[+-][^+-].*$/gm)).toEqual([
      expect.stringMatching(/^-\s+- curl \/a\?.*-x$/),
      expect.stringMatching(/^\+\s+- curl \/b\?.*-x$/),
    ]);
  });

  test('keep their secrets', async () => {
    const { stdout } = await run('diff', 'a', chart, '-o', 'json');
    const { hooks } = JSON.parse(stdout) as { hooks: { name: string; random: { path: string; value: string }[] }[] };
    expect(hooks.find(({ name }) => name === 'a-token')?.random).toEqual([
      { path: 'data.token', value: '*** (after)' },
    ]);
  });
});

test('a hook with a new name is compared with the one of its template and kind', async () => {
  const { stdout } = await run('diff', 'a', chart, '--set', 'name=two', '-C', '0');
  expect(stdout).toContain('default, a-two, Job (batch/v1), pre-upgrade hook, has changed:\n');
  expect(stdout.match(/^[+-][^+-].*$/gm)).toEqual(['-  name: a-one', '+  name: a-two']);
  expect(stdout).toContain('hooks: 1 to change\n');
});

test('a rollback pairs them too; nothing is rendered, so a random name is a change', async () => {
  expect((await run('upgrade', 'a', chart)).code).toBe(0);
  const { stdout } = await run('diff', 'rollback', 'a', '1', '--live', '-C', '0');
  expect(stdout).not.toMatch(/has been (added|removed)/);
  expect(stdout).toContain('hooks: 3 to change\n');
});

test('a saved plan shows the random values that are sent, and is applied', async () => {
  const identity = await generateX25519Identity();
  const [file, keys] = [join(folder, 'a.plan'), join(folder, 'keys')];
  writeFileSync(keys, `${identity}\n`);
  const to = ['--encrypt-to', await identityToRecipient(identity)];
  expect((await run('plan', 'a', chart, '--set-string', 'version=3', '--out', file, ...to)).code).toBe(0);
  const { stdout } = await run('show-plan', file, '-o', 'markdown');
  const name = /metadata.name \((a-jwt-[a-z0-9]{5})\)/.exec(stdout)?.[1];
  const applied = await run('apply', file, '--identity', keys);
  expect([applied.code, applied.stderr]).toEqual([0, expect.any(String)]);
  expect((await run('get', 'hooks', 'a')).stdout).toContain(`name: ${name}\n`);
});

describe('an object whose name contains the revision', () => {
  const jobs = join(folder, 'jobs');
  const job = `apiVersion: batch/v1
kind: Job
metadata: {name: "{{ .Release.Name }}-{{ .Release.Revision }}"}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: {{ .Values.image }}}]}}}
`;
  beforeAll(async () => {
    mkdirSync(join(jobs, 'templates'), { recursive: true });
    writeFileSync(join(jobs, 'Chart.yaml'), 'apiVersion: v2\nname: jobs\nversion: 1.0.0\n');
    writeFileSync(join(jobs, 'values.yaml'), 'image: busybox\n');
    writeFileSync(join(jobs, 'templates', 'job.yaml'), job);
    expect((await run('install', 'j', jobs)).code).toBe(0);
  });

  test('is compared with the one whose place it takes', async () => {
    const { stdout } = await run('diff', 'j', jobs, '--set', 'image=other', '-C', '0');
    expect(stdout).toContain(`
default, j-1, Job (batch/v1) has been removed; j-2 takes its place

default, j-2, Job (batch/v1) has been added in place of j-1:
--- revision 1
+++ revision 2
@@ -9 +9 @@
-  name: j-1
+  name: j-2
@@ -15 +15 @@
-      - image: busybox
+      - image: other

1 to add, 1 to remove
`);
  });

  test('is compared with it by a rollback too, which renders nothing; one with another word in it is not', async () => {
    expect((await run('install', 'k', jobs)).code).toBe(0);
    expect((await run('upgrade', 'k', jobs, '--set', 'image=other')).code).toBe(0);
    const { stdout } = await run('diff', 'rollback', 'k', '1', '--live', '-C', '0');
    expect(stdout).toContain('default, k-1, Job (batch/v1) has been added in place of k-2:\n');
    expect(stdout).toContain('default, k-2, Job (batch/v1) has been removed; k-1 takes its place\n');
    const plan = join(folder, 'k.plan');
    expect((await run('plan', 'rollback', 'k', '1', '--out', plan)).code).toBe(0);
    expect(await run('apply', plan)).toMatchObject({ code: 0 });
    const own = join(folder, 'worded');
    cpSync(jobs, own, { recursive: true });
    for (const word of ['old', 'new']) {
      writeFileSync(join(own, 'templates', 'job.yaml'), job.replace('{{ .Release.Revision }}', word));
      expect((await run('upgrade', '--install', 'l', own)).code).toBe(0);
    }
    const worded = await run('diff', 'rollback', 'l', '1', '--live', '-C', '0');
    expect(worded.stdout).toContain('default, l-new, Job (batch/v1) has been removed:\n');
  });

  test('diff rollback names the form that compares with the cluster at a terminal', async () => {
    const words = ['diff', 'rollback', 'a', '1'];
    expect((await run(...words)).stderr).toBe('');
    const { stderr } = await tshelm([...words, '--sandbox-dir', sandbox.directory], { terminal: 200 });
    expect(stderr).toMatch(/what changes in the cluster:\n {2}tshelm diff rollback a 1 --sandbox-dir=\S+ --live\n$/);
  });

  test('is not compared where the template makes fewer or more', async () => {
    const { stdout } = await run('diff', 'j', chart, '-C', '0', '--no-hooks');
    expect(stdout).toContain('default, j-1, Job (batch/v1) has been removed:\n--- live\n');
  });

  test('cannot hide in a saved plan what is sent', async () => {
    const file = join(folder, 'j.plan');
    expect((await run('plan', 'j', jobs, '--set', 'image=evil', '--out', file)).code).toBe(0);
    const plan = readPlanFile(readFileSync(file, 'utf8'), file);
    const [release] = plan.releases as [SavedRelease];
    const objects = release.review.objects.map((object) => ({ ...object, diff: object.diff.replace('evil', 'good') }));
    const forged = { ...plan, releases: [{ ...release, review: { ...release.review, objects } }] };
    writeFileSync(file, planFileText(forged));
    expect((await run('show-plan', file, '-o', 'markdown')).stdout).toContain('image');
    const { code, stderr } = await run('apply', file);
    expect([code, stderr]).toEqual([1, expect.stringContaining('it sends changes of Job/j-2 in default')]);
  });
});
