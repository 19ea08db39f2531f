import { afterEach, beforeEach, expect, test } from 'vitest';
import { tshelm } from '../cli/harness.ts';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
beforeEach(() => {
  folder = openStackFolder();
});
afterEach(() => folder.remove());

const hooks = (indent: string, command: string): string =>
  ['hooks:', '- name: mine', '  events: [prepare, cleanup, presync]', '  showlogs: true', command]
    .map((line) => `${indent}${line}\n`)
    .join('');
const says = (who: string): string => `  command: echo\n  args: ["${who} {{ .Event.Name }} {{ .HelmfileCommand }}"]`;
const run = (verb: string) =>
  tshelm(['stack', verb, '-f', `${folder.path}/helmfile.yaml`], { env: { PATH: process.env['PATH'] ?? '' } });

// As helmfile 1.8 does: prepare of the file and of all its releases, cleanup behind each release and of the file last.
test.each(['template', 'lint'])('%s runs the hooks for prepare and cleanup', async (verb) => {
  const own = hooks('    ', says('a').replaceAll('\n', '\n    '));
  folder.write('helmfile.yaml', `${hooks('', says('file'))}releases:\n${releaseText('a', own)}${releaseText('b')}`);
  const { code, stderr } = await run(verb);
  const told = stderr.split('\n').flatMap((line) => / logs \| (\S.*)/.exec(line)?.[1] ?? []);
  expect(code, stderr).toBe(0);
  expect(told).toEqual(['file prepare', 'a prepare', 'a cleanup', 'file cleanup'].map((text) => `${text} ${verb}`));
});

test.each(['template', 'lint'])('%s fails with the name of a hook that fails, and renders nothing', async (verb) => {
  folder.write('helmfile.yaml', `releases:\n${releaseText('a', hooks('    ', '  command: "false"'))}`);
  const { code, stdout, stderr } = await run(verb);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('hook[mine]: command `false` failed')]);
});

test.each(['template', 'lint'])('%s renders a chart that a hook for prepare makes', async (verb) => {
  const made = `    hooks:\n      - events: [prepare]\n        command: cp\n        args: [-r, ./chart, ./made]\n`;
  folder.write('helmfile.yaml', `releases:\n${releaseText('a', made).replace('chart: ./chart', 'chart: ./made')}`);
  expect((await run(verb)).code).toBe(0);
});
