import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tshelm } from '../cli/harness.ts';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
let outside: StackFolder;
beforeEach(() => {
  folder = openStackFolder();
  outside = openStackFolder();
  outside.write('secret.txt', 'a: CANARY\n');
});
afterEach(() => {
  folder.remove();
  outside.remove();
});

const ran = (): string => join(folder.path, 'ran.txt');
const script = (): string => `command: sh\n        args: [-c, "echo CANARY > ${ran()}"]\n`;
const exec = (): string => `{{ exec "sh" (list "-c" "printf CAN%s ARY | tee ${ran()}") }}`;
const hook = (event: string): string =>
  `    hooks:\n      - name: mine\n        events: [${event}]\n        ${script()}`;

const dependingOn = (repository: string): string =>
  `apiVersion: v2\nname: chart\nversion: 0.1.0\ndependencies: [{name: sub, version: 0.1.0, repository: "${repository}"}]\n`;

/** What a pull request could write, by a word for it: the state file, where it is refused, and why. */
const cases: readonly (readonly [string, () => string, string, RegExp])[] = [
  [
    'exec in the state file',
    () => `releases:\n${releaseText('a').replace('{v: 1}', `{v: '${exec()}'}`)}`,
    'helmfile.yaml.gotmpl',
    /run the program sh/,
  ],
  [
    'a prepare hook of a release',
    () => `releases:\n${releaseText('a', hook('prepare'))}`,
    'helmfile.yaml:6',
    /the hook "mine" for prepare runs the program sh/,
  ],
  [
    'a prepare hook of the file',
    () =>
      `hooks:\n  - name: all\n    events: [prepare]\n    ${script().replaceAll('        ', '    ')}releases:\n${releaseText('a')}`,
    'helmfile.yaml:1',
    /the hook "all" for prepare runs the program sh/,
  ],
  [
    'a post-renderer',
    () => `releases:\n${releaseText('a', '    postRenderer: ./x.sh\n')}`,
    'helmfile.yaml:6',
    /the postRenderer runs the program .*x.sh/,
  ],
  [
    'a post-renderer of all',
    () => `helmDefaults:\n  postRenderer: ./x.sh\nreleases:\n${releaseText('a')}`,
    'helmfile.yaml:2',
    /the postRenderer runs the program .*x.sh/,
  ],
  [
    'ref+file',
    () => `releases:\n${releaseText('a').replace('{v: 1}', `{v: "ref+file://${outside.path}/secret.txt"}`)}`,
    'helmfile.yaml:5',
    /secret.txt is outside of/,
  ],
  [
    'ref+vault',
    () => `releases:\n${releaseText('a').replace('{v: 1}', '{v: "ref+vault://a/b"}')}`,
    'helmfile.yaml:5',
    /run the program vals get/,
  ],
  [
    'a secrets file',
    () => `releases:\n${releaseText('a', '    secrets: [chart/values.yaml]\n')}`,
    'helmfile.yaml:6',
    /run the program sops/,
  ],
  [
    'readFile',
    () => `releases:\n${releaseText('a').replace('{v: 1}', `{v: '{{ readFile "${outside.path}/secret.txt" }}'}`)}`,
    'helmfile.yaml.gotmpl',
    /secret.txt is outside of/,
  ],
  [
    'a values file',
    () => `releases:\n${releaseText('a').replace('{v: 1}', `${outside.path}/secret.txt`)}`,
    'helmfile.yaml:5',
    /is outside of/,
  ],
  [
    'a file of set',
    () => `releases:\n${releaseText('a', `    set: [{name: b, file: ${outside.path}/secret.txt}]\n`)}`,
    'helmfile.yaml:6',
    /is outside of/,
  ],
  [
    'a file of args',
    () => `helmDefaults:\n  args: ["--set-file=b=${outside.path}/secret.txt"]\nreleases:\n${releaseText('a')}`,
    'helmfile.yaml:2',
    /is outside of/,
  ],
  [
    'a chart',
    () => `releases:\n${releaseText('a').replace('./chart', `${outside.path}/chart`)}`,
    'helmfile.yaml:4',
    /is outside of/,
  ],
  [
    'a subchart',
    () => {
      folder.write('chart/Chart.yaml', dependingOn(`file://${outside.path}/chart`));
      return `releases:\n${releaseText('a')}`;
    },
    'helmfile.yaml:4',
    /is outside of/,
  ],
  [
    'a link in a subchart',
    () => {
      folder.write('chart/Chart.yaml', dependingOn('file://../sub'));
      folder.write('sub/Chart.yaml', 'apiVersion: v2\nname: sub\nversion: 0.1.0\n');
      folder.write('sub/templates/a.yaml', 'a: {{ .Files.Get "b.txt" | quote }}\n');
      symlinkSync(join(outside.path, 'secret.txt'), join(folder.path, 'sub', 'b.txt'));
      return `releases:\n${releaseText('a')}`;
    },
    'helmfile.yaml:4',
    /b.txt is outside of/,
  ],
  [
    'a dependency',
    () => `releases:\n${releaseText('a', `    dependencies: [{chart: ${outside.path}/chart, version: 0.1.0}]\n`)}`,
    'helmfile.yaml:6',
    /is outside of/,
  ],
  [
    'a transformer',
    () => `releases:\n${releaseText('a', '    transformers: [{a: b}]\n')}`,
    'helmfile.yaml',
    /run the program kustomize/,
  ],
];

describe.each(['template', 'diff', 'plan', 'lint'])('stack %s', (verb) => {
  test.each(cases)('%s is refused with its place', async (what, state, place, why) => {
    const isLooked = verb !== 'lint' || !/post-renderer|args/.test(what);
    // The hooks of a file are run by what changes the cluster, and by what renders.
    const isRun = what !== 'a prepare hook of the file' || verb === 'template' || verb === 'lint';
    const text = state();
    folder.write(text.includes('{{') ? 'helmfile.yaml.gotmpl' : 'helmfile.yaml', text);
    folder.write('x.sh', `#!/bin/sh\necho CANARY > ${ran()}\ncat\n`);
    const file = join(folder.path, text.includes('{{') ? 'helmfile.yaml.gotmpl' : 'helmfile.yaml');
    const { code, stdout, stderr } = await folder.tshelm('stack', verb, '-f', file, '--untrusted');
    expect(existsSync(ran()), 'a program ran').toBe(false);
    expect(stdout + stderr).not.toContain('CANARY');
    if (!isLooked || !isRun) return;
    expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
    expect(stderr).toContain(place);
    expect(stderr).toContain('which is refused for untrusted files');
  });
});

test('the environment says it too, and a flag takes it back', async () => {
  const file = join(folder.path, 'helmfile.yaml');
  folder.write('helmfile.yaml', `releases:\n${releaseText('a', hook('prepare'))}`);
  const words = ['stack', 'diff', '-f', file, '--sandbox-dir', join(folder.path, 'sandbox')];
  for (const name of ['TSHELM_UNTRUSTED', 'HELMFILE_DISABLE_INSECURE_FEATURES']) {
    const { code, stderr } = await tshelm(words, { env: { [name]: 'true' } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('which is refused for untrusted files')]);
  }
  expect(existsSync(ran())).toBe(false);
  const { stderr } = await tshelm([...words, '--untrusted=false'], {
    env: { PATH: process.env['PATH'] ?? '', TSHELM_UNTRUSTED: 'true' },
  });
  expect([stderr, existsSync(ran())]).toEqual([expect.any(String), true]);
});

test('a link that leads outside, among the files and in a chart', async () => {
  folder.write('helmfile.yaml', `releases:\n${releaseText('a').replace('{v: 1}', 'linked.yaml')}`);
  symlinkSync(join(outside.path, 'secret.txt'), join(folder.path, 'linked.yaml'));
  expect((await folder.stack('template', '--untrusted')).stderr).toMatch(
    /linked.yaml is outside of .*helmfile.yaml:5/s,
  );
  folder.write('helmfile.yaml', `releases:\n${releaseText('a')}`);
  mkdirSync(join(folder.path, 'chart/files'));
  symlinkSync(join(outside.path, 'secret.txt'), join(folder.path, 'chart/files/link'));
  expect((await folder.stack('template', '--untrusted')).stderr).toMatch(
    /files\/link is outside of .*helmfile.yaml:4/s,
  );
});

test('what stays inside, and files of the command line, are read', async () => {
  folder.write(
    'helmfile.yaml.gotmpl',
    `releases:\n${releaseText('a').replace('{v: 1}', '{v: \'{{ readFile "chart/v.txt" }}-{{ .Values.a }}\', w: "ref+file://chart/v.txt"}')}`,
  );
  writeFileSync(join(folder.path, 'chart/v.txt'), 'inside');
  const words = ['--state-values-file', join(outside.path, 'secret.txt'), '--untrusted'];
  const { code, stdout, stderr } = await folder.tshelm(
    'stack',
    'template',
    '-f',
    join(folder.path, 'helmfile.yaml.gotmpl'),
    ...words,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('v: "inside-CANARY"');
});
