import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStackFolder, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
beforeEach(() => {
  folder = openStackFolder();
});
afterEach(() => folder.remove());

const check = (current: string): string => `[{apiVersion: v1, kind: ConfigMap, current: "${current}"}]`;
const state = (options: { readonly ofFile?: string; readonly ofRelease?: string }): string =>
  [
    ...(options.ofFile === undefined ? [] : [`health: ${check(options.ofFile)}`]),
    'releases:',
    '  - name: web',
    '    namespace: shop',
    '    chart: ./chart',
    '    wait: true',
    '    timeout: 2',
    ...(options.ofRelease === undefined ? [] : [`    health: ${check(options.ofRelease)}`]),
    '',
  ].join('\n');

test.each([
  ["the file's", { ofFile: "data.v == '1'" }, 1],
  ["the release's", { ofRelease: "data.v == '1'" }, 1],
  ["the release's before the file's", { ofFile: "data.v == '1'", ofRelease: "data.v == '0'" }, 0],
])('health checks judge the objects of a release: %s', async (_whose, options, code) => {
  folder.write('helmfile.yaml', state(options));
  expect(await folder.stack('sync')).toMatchObject({ code });
  expect(await folder.stack('rehearse', '--wait')).toMatchObject({ code });
});

test('those of the command line come first', async () => {
  folder.write('helmfile.yaml', state({ ofRelease: "data.v == '1'" }));
  folder.write('health.yaml', check("data.v == '0'"));
  expect(await folder.stack('apply', '--health', join(folder.path, 'health.yaml'))).toMatchObject({ code: 0 });
});

test.each([
  ['CEL', check('data.('), /helmfile\.yaml:1: health\[0\]\.current: current is not valid CEL/],
  ['keys', '[{apiVersion: v1, kind: ConfigMap, curent: x}]', /helmfile\.yaml:1\)|field curent not found/],
])('mistakes are refused with their line: %s', async (_what, health, message) => {
  folder.write('helmfile.yaml', `health: ${health}\n${state({})}`);
  const { code, stderr } = await folder.stack('sync');
  expect({ code, stderr }).toMatchObject({ code: expect.any(Number), stderr: expect.stringMatching(message) });
  expect(code).not.toBe(0);
});

test('build writes them', async () => {
  folder.write('helmfile.yaml', state({ ofRelease: 'true' }));
  expect((await folder.stack('build')).stdout).toContain('health:');
});
