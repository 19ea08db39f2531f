import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-places-'));
const sandbox = openTestSandbox();
afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true });
});

const encrypted = 'ENC[AES256_GCM,data:4Q==,iv:jXkA2FBe,tag:Rkn5HnGv,type:str]';
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
mkdirSync(join(folder, 'web/templates'), { recursive: true });
write('web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
write(
  'web/templates/a.yaml',
  'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {p: {{ .Values.password | quote }}}\n',
);
write('own.yaml', `plain: a\npassword: ${encrypted}\n`);
write(
  'map.stack.yaml',
  `releases:\n- name: web\n  chart: ./web\n  values:\n  - plain: a\n    password: ${encrypted}\n`,
);
write('file.stack.yaml', 'releases:\n- name: web\n  chart: ./web\n  values:\n  - own.yaml\n');
write(
  'set.stack.yaml',
  `releases:\n- name: web\n  chart: ./web\n  set:\n  - name: password\n    value: ${encrypted}\n`,
);

describe.each([
  ['map', 'map.stack.yaml:6'],
  ['file', 'own.yaml:2'],
  ['set', 'set.stack.yaml:5'],
])('a value that a release has from a %s is named by its line', (name, place) => {
  test.each(['template', 'apply', 'sync', 'plan', 'diff', 'rehearse', 'check'])('stack %s', async (verb) => {
    const line = ['stack', verb, '-f', join(folder, `${name}.stack.yaml`)];
    const isCluster = ['apply', 'sync', 'plan', 'diff'].includes(verb);
    const { code, stdout, stderr } = await (isCluster ? sandbox.run(...line) : tshelm(line));
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(`password is set in ${join(folder, place)}`);
  });
});

test('lint says what template refuses, and does not fail where Helm does not', async () => {
  const said = '[WARNING] templates/a.yaml: Secret/a: stringData.p ';
  const chart = join(folder, 'web');
  const given = ['--set-string', `password=${encrypted.replaceAll(',', '\\,')}`];
  expect(await tshelm(['lint', chart, '--strict', ...given])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(said),
  });
  const linted = await tshelm(['stack', 'lint', '-f', join(folder, 'map.stack.yaml')]);
  expect(linted).toMatchObject({ code: 0, stdout: expect.stringContaining(said) });
  expect((await tshelm(['lint', chart, '--set', 'password=a'])).stdout).not.toContain('WARNING');
});
