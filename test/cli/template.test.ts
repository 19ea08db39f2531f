import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-template-'));
mkdirSync(join(folder, 'templates'));
writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: broken\nversion: 1.0.0\n');
writeFileSync(join(folder, 'templates/a.yaml'), 'a: 1\nb: {{ .Values.a.b }}\n');
writeFileSync(join(folder, 'values.yaml'), 'c: 1\n');
afterAll(() => rmSync(folder, { recursive: true }));

const withSubchart = join(folder, 'parent');
mkdirSync(join(withSubchart, 'charts/sub'), { recursive: true });
writeFileSync(
  join(withSubchart, 'Chart.yaml'),
  'apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n- {name: sub, version: 1.0.0}\n',
);
writeFileSync(join(withSubchart, 'charts/sub/Chart.yaml'), 'apiVersion: v2\nname: sub\nversion: 1.0.0\n');

// Helm v4.3.1's standard error for this chart.
const helmSays = [
  'Error: broken/templates/a.yaml:2:13',
  '  executing "broken/templates/a.yaml" at <.Values.a.b>:',
  '    nil pointer evaluating interface {}.b',
  '',
  'Use --debug flag to render out invalid YAML',
  '',
].join('\n');

test('a failing template is told in the bytes that Helm tells it in', async () => {
  expect(await tshelm(['template', 'rel', folder])).toEqual({ code: 1, stdout: '', stderr: helmSays });
});

test("on a terminal the cause and its lines come first, and Helm's words last", async () => {
  const { stderr } = await tshelm(['template', 'rel', folder], { terminal: 200, env: { NO_COLOR: '1' } });
  expect(stderr.startsWith('Error: the value a is not set, so a.b cannot be read [value-missing]\n')).toBe(true);
  const words = helmSays
    .replace('Error: ', '')
    .trim()
    .replace(/^(?=.)/gm, '  ');
  expect(stderr).toContain(`\n\nHelm's error:\n${words}\n`);
  expect(stderr).toContain('> 2 | b: {{ .Values.a.b }}');
});

test('a file of values that cannot be fetched is named', async () => {
  const { code, stderr } = await tshelm(['template', 'rel', folder, '-f', 'http://127.0.0.1:1/values.yaml']);
  expect([code, stderr]).toEqual([
    1,
    'Error: Get "http://127.0.0.1:1/values.yaml": dial tcp 127.0.0.1:1: connect: connection refused\n',
  ]);
});

test('what was warned of stands before the failure', async () => {
  const { stderr } = await tshelm(['template', 'rel', folder, '--set', 'c.d=1']);
  expect(stderr).toBe(`level=INFO msg="warning: skipped value for broken.c: Not a table."\n${helmSays}`);
});

test('what Helm logs of values that do not fit stands before the failure', async () => {
  const { stderr } = await tshelm(['template', 'rel', withSubchart, '--set', 'sub=3']);
  const text = 'type mismatch on sub: %!t(int64=3)';
  expect(stderr).toContain(
    `level=ERROR msg="chart dependencies processing failed" error="${text}"\nError: chart dependencies processing failed: ${text}\n`,
  );
});
