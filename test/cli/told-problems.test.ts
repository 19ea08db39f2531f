import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const directory = mkdtempSync(join(tmpdir(), 'tshelm-told-'));
const sandbox = openTestSandbox();
afterAll(() => {
  sandbox.remove();
  rmSync(directory, { recursive: true, force: true });
});

const configMap = (data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  count: {{ .Values.replicaCount | quote }}\n${data}`;

function chartWith(name: string, data: string): string {
  const chart = join(directory, name);
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: 0.1.0\nicon: https://x/y.png\n`);
  writeFileSync(join(chart, 'values.yaml'), 'replicaCount: 1\n');
  writeFileSync(join(chart, 'templates/web.yaml'), configMap(data));
  return chart;
}

const web = chartWith('web', '');
const valueFile = join(directory, 'my.yaml');
writeFileSync(valueFile, 'replicaCount: 2\nreplicaCont: 3\n');
const github = { env: { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: directory } };

describe('a value that nothing reads', () => {
  const commands = [
    ['lint', web],
    ['template', 'rel', web],
    ['install', 'rel', web, '--dry-run=client'],
    ['upgrade', 'rel', web, '--install', '--sandbox-dir', sandbox.directory],
    ['diff', 'upgrade', 'rel', web, '--install', '--sandbox-dir', sandbox.directory],
  ];
  const reviews = [
    ['plan', 'rel', web, '--sandbox-dir', sandbox.directory],
    ['plan', 'install', 'other', web, '--sandbox-dir', sandbox.directory],
    ['plan', 'rel', web, '--sandbox-dir', sandbox.directory, '--out', join(directory, 'a.plan')],
    ['plan', web],
    ['diff', 'rel', web, '--install', '--sandbox-dir', sandbox.directory],
  ];

  test.each(reviews)('%s tells it in pipes too', async (...words) => {
    const { code, stdout, stderr } = await tshelm([...words, '-f', valueFile]);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: you set replicaCont; the chart reads replicaCount [value-unread]\n');
    expect(stderr).toContain(`${valueFile}:2`);
    expect(stdout).not.toContain('value-unread');
    expect((await tshelm([...words, '--set', 'replicaCount=2'])).stderr).not.toContain('value-unread');
  });

  test.each(commands)('%s tells it at a terminal, with its place', async (...words) => {
    const { code, stderr } = await tshelm([...words, '-f', valueFile], { terminal: 200 });
    expect(code).toBe(0);
    expect(stderr).toContain('[value-unread]');
    expect(stderr).toContain(`${valueFile}:2`);
    expect(stderr).toContain('replicaCount instead of replicaCont');
  });

  test.each(commands)('%s marks its line on GitHub', async (...words) => {
    const { stderr } = await tshelm([...words, '-f', valueFile], github);
    expect(stderr).toMatch(/^::warning file=my\.yaml,line=2,title=/m);
  });

  test.each(commands.slice(0, 3))('%s is silent in a pipe, and its standard output is the same', async (...words) => {
    const piped = await tshelm([...words, '-f', valueFile]);
    const told = await tshelm([...words, '-f', valueFile], { terminal: 200 });
    expect(piped.stderr).not.toContain('value-unread');
    expect(withoutTime(told.stdout)).toBe(withoutTime(piped.stdout));
  });

  test('a value without a name is one too', async () => {
    const words = ['template', web, '--set', '=1', '--set-string', 'replicaCount=2'];
    const { code, stderr } = await tshelm(words, { terminal: 200 });
    expect([code, stderr]).toEqual([0, 'warning: --set =1 sets nothing: write NAME=VALUE\n']);
    expect(await tshelm(words)).toMatchObject({ code: 0, stderr: '' });
  });

  test('the flag is named that sets it', async () => {
    const { stderr } = await tshelm(['template', web, '--set', 'replicaCont=3'], { terminal: 200 });
    expect(stderr).toContain('replicaCont is set to 3 by --set');
  });

  test('a program hears of it as an event', async () => {
    const words = ['upgrade', 'events', web, '--install', '--progress=json', '-f', valueFile];
    const { stderr } = await sandbox.run(...words);
    const events = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.filter(({ type }) => type === 'warning')).toMatchObject([
      { text: expect.stringContaining('value-unread') },
    ]);
  });
});

const withoutTime = (text: string): string => text.replace(/LAST DEPLOYED: .*/, '');

test('lint tells what an API server would refuse; Helm alone decides about its lines and its exit code', async () => {
  const chart = chartWith('refused', '  a: {{ .Values.replicaCount }}\ndatta: {}\n');
  const piped = await tshelm(['lint', chart]);
  const told = await tshelm(['lint', chart], { terminal: 200 });
  expect(told).toMatchObject({ code: 0, stdout: piped.stdout });
  expect(told.stderr).toMatch(/^warning: .*\[field-unknown\]$/m);
  expect(told.stderr).toContain(`${chart}/templates/web.yaml:8`);
});

describe('lint tells what install tells of a chart that does not render', () => {
  const broken = [
    ['function-unknown', 7, '  a: {{ .Values.replicaCount | quoted }}\n'],
    ['value-missing', 7, '  a: {{ .Values.image.tag }}\n'],
    ['action-not-closed', 7, '  {{ if .Values.replicaCount }}\n  a: b\n'],
    ['yaml-indent', 8, '  a: {{ .Values.replicaCount }}\n    b: c\n'],
    ['template-unknown', 7, '  a: {{ include "nobody" . }}\n'],
  ] as const;

  test.each(broken)('%s', async (code, line, data) => {
    const chart = chartWith(code, data);
    const piped = await tshelm(['lint', chart]);
    const told = await tshelm(['lint', chart], { terminal: 200 });
    expect(told).toMatchObject({ code: 1, stdout: piped.stdout });
    expect(told.stderr).toContain(`[${code}]`);
    expect(told.stderr).toContain(`${chart}/templates/web.yaml:${line}`);
    expect(piped.stderr).toBe('Error: 1 chart(s) linted, 1 chart(s) failed\n');
    const marked = await tshelm(['lint', chart], github);
    expect(marked.stderr).toMatch(new RegExp(`^::error file=${code}/templates/web\\.yaml,line=${line},`, 'm'));
    const template = await tshelm(['template', chart], github);
    expect(template.stderr).toMatch(new RegExp(`^::error file=${code}/templates/web\\.yaml,line=${line},`, 'm'));
  });
});
