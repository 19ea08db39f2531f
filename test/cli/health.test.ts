import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const sandbox = openTestSandbox();
const folder = mkdtempSync(join(tmpdir(), 'tshelm-health-'));
afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
const widget = (name: string, phase: string): string => `apiVersion: example.com/v1
kind: Widget
metadata:
  name: ${name}
  annotations: {sandbox.tshelm.dev/ready-after: 0s, sandbox.tshelm.dev/status: '{"phase": "${phase}"}'}
`;
const checks = `- apiVersion: example.com/v1
  kind: Widget
  failed: status.phase == 'Broken'
  current: status.phase == 'Up'
`;
const health = write('health.yaml', checks);
const chart = (name: string, phase: string): string => {
  write(`${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);
  write(`${name}/crds/widgets.yaml`, definition);
  write(`${name}/templates/widget.yaml`, widget(name, phase));
  return join(folder, name);
};

describe('--health', () => {
  test('an install succeeds when current is true, and so do an upgrade and a rollback', async () => {
    const up = chart('up', 'Up');
    const flags = ['--wait', '--health', health];
    expect(await sandbox.run('install', 'up', up, ...flags)).toMatchObject({ code: 0 });
    expect(await sandbox.run('upgrade', 'up', up, ...flags)).toMatchObject({ code: 0 });
    expect(await sandbox.run('rollback', 'up', '1', ...flags)).toMatchObject({ code: 0 });
  });

  test.each(['--wait', '--wait=ordered'])('with %s, an install fails when failed is true', async (wait) => {
    const { code, stderr } = await sandbox.run('install', 'down', chart('down', 'Broken'), wait, '--health', health);
    expect(code).toBe(1);
    expect(stderr).toContain("status.phase == 'Broken'");
    await sandbox.run('uninstall', 'down');
  });

  test('a rehearsal judges by it', async () => {
    const { code, stderr } = await tshelm(['rehearse', chart('down', 'Broken'), '--health', health]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("status.phase == 'Broken'") });
  });

  test.skipIf(process.platform === 'win32')('a file without end is refused', async () => {
    const { code, stderr } = await tshelm(['rehearse', chart('up', 'Up'), '--health', '/dev/zero']);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('/dev/zero is larger than') });
  });

  test('a rehearsal tells what counts as ready although nobody reported on it', async () => {
    chart('silent', '');
    write('silent/templates/widget.yaml', 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: five}\n');
    const { code, stdout } = await tshelm(['rehearse', join(folder, 'silent')]);
    expect(code).toBe(0);
    expect(stdout).toContain('counts as ready:\n  Widget/five: its controller has not reported a status yet\n');
  });

  test('mistakes are told with their lines, and nothing is sent', async () => {
    const wrong = write('wrong.yaml', checks.replace('failed:', 'faild:').replace("'Up'", ''));
    const { code, stderr } = await sandbox.run('install', 'new', chart('new', 'Up'), '--wait', '--health', wrong);
    expect(code).toBe(1);
    expect(stderr).toContain(`${wrong}:3: a health check has no key faild; did you mean failed?`);
    expect(stderr).toContain(`${wrong}:4: current is not valid CEL`);
    expect((await sandbox.run('list', '-q')).stdout).not.toContain('new');
  });

  test.each([
    ['install', []],
    ['install', ['--wait=legacy']],
    ['upgrade', ['--wait=hookOnly']],
  ])('%s %j without a wait that asks it is refused', async (verb, wait) => {
    const words = [verb, 'new', chart('new', 'Up'), '--health', health, ...wait];
    const { code, stderr } = await sandbox.run(...words);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('--health needs --wait') });
  });

  test('a file that is not there is a wrong flag', async () => {
    const { code, stderr } = await sandbox.run('install', 'new', chart('new', 'Up'), '--wait', '--health', 'no.yaml');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('no such file or directory') });
  });
});

describe('tshelm health', () => {
  beforeAll(async () => {
    for (const [name, phase] of [
      ['one', 'Up'],
      ['two', 'Broken'],
      ['three', 'Odd'],
    ] as const)
      expect(await sandbox.run('install', name, chart(name, phase))).toMatchObject({ code: 0 });
  });

  test.each([
    ['Widget/one', 0, 'ready'],
    ['widgets.example.com/two', 1, 'failed'],
    ['widget/three', 2, 'waiting'],
  ])('%s exits with %i: %s', async (target, exit, state) => {
    const { code, stdout } = await sandbox.run('health', target, '--health', health, '-o', 'json');
    expect({ code, found: JSON.parse(stdout) }).toMatchObject({ code: exit, found: [{ rule: 'user', state }] });
  });

  test('a kind without a status subresource is ready without one, as in an install', async () => {
    const plain = (text: string): string => text.replaceAll('Widget', 'Plain').replaceAll('widget', 'plain');
    write('plain/Chart.yaml', 'apiVersion: v2\nname: plain\nversion: 1.0.0\n');
    write('plain/crds/plains.yaml', plain(definition.replace('subresources: {status: {}}', 'subresources: {}')));
    write('plain/templates/plain.yaml', 'apiVersion: example.com/v1\nkind: Plain\nmetadata: {name: four}\n');
    expect(await sandbox.run('install', 'plain', join(folder, 'plain'))).toMatchObject({ code: 0 });
    const { code, stdout } = await sandbox.run('health', 'Plain/four', '-o', 'json');
    expect({ code, found: JSON.parse(stdout) }).toMatchObject({ code: 0, found: [{ state: 'ready' }] });
  });

  test.each([
    ['Widget.example.com', 'user'],
    ['Gadget.example.com', 'common-words'],
    ['Rollout.argoproj.io', 'kind'],
  ])('of the kind %s it tells the rule, without a cluster', async (kind, rule) => {
    const { code, stdout } = await tshelm(['health', kind, '--health', health, '-o', 'json']);
    expect({ code, found: JSON.parse(stdout) }).toMatchObject({ code: 0, found: [{ rule }] });
  });

  test('objects of a file are judged by what the file says', async () => {
    const annotations =
      'helm.sh/readiness-success: \'["{.phase} == \\"Odd\\""]\', helm.sh/readiness-failure: \'["{.phase} == \\"x\\""]\'';
    const objects = write(
      'objects.yaml',
      `${widget('a', '')}status: {phase: Odd}\n---\n${widget('b', '').replace('{sandbox', `{${annotations}, sandbox`)}status: {phase: Odd}\n---\napiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}]\n`,
    );
    const { code, stdout } = await tshelm(['health', objects, '--health', health]);
    expect(code).toBe(2);
    expect(stdout.split('\n').map((line) => line.replace(/\s*\t/g, '|').trimEnd())).toEqual([
      'OBJECT|RULE|STATE|REASON',
      `Widget/a|${health}|waiting|its health check's current is not true: status.phase == 'Up'`,
      "Widget/b|the chart's annotations|ready|",
      "ConfigMap/c|tshelm's rule for ConfigMap|ready|",
      '',
    ]);
  });

  test('standard input is a file too', async () => {
    const stdin = `${widget('a', '')}status: {phase: Broken}\n`;
    expect(await tshelm(['health', '-', '--health', health], { stdin })).toMatchObject({ code: 1 });
  });

  test.each([
    ['-', '', 'standard input holds no object'],
    ['-', 'status: {phase: Up}', 'standard input holds no object'],
    ['-', 'a: [', 'YAML parse error on standard input: '],
    ['./none', '', 'none: no such file or directory'],
    ['none.yaml', '', 'none.yaml: no such file or directory'],
  ])('%s with %j is refused', async (target, stdin, message) => {
    const { code, stderr } = await tshelm(['health', target], { stdin });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });

  test.each(['Widget/none', 'Nothing/one', 'Nothing'])('%s is not found', async (target) => {
    const { code, stderr } = await sandbox.run('health', target);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/has no|serves no kind/) });
  });
});
