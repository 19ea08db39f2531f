import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

/** Mistakes in state files are told with file, line, release or key, and the way out. */
let folder: StackFolder;
beforeEach(() => {
  folder = openStackFolder();
  folder.write('bad.yaml', 'a: 1\nb: [\n');
  folder.write('list.yaml', '- 1\n');
  folder.write('bad.yaml.gotmpl', 'a: {{ .Values.absent.deep }}\n');
});
afterEach(() => folder.remove());

/** `web` stands in lines 4 to 7; another release before it has the same fields, and none of the mistakes. */
const withFields = (...fields: string[]): string =>
  `releases:\n- {name: web-first, namespace: shop, chart: ./chart, values: [], needs: []}\n# name: web\n- name: web\n  namespace: shop\n  chart: ./chart\n${fields.map((line) => `  ${line}\n`).join('')}`;

test.each([
  [
    'a values file that is not YAML',
    ['values:', '- {a: 1}', '- bad.yaml'],
    'template',
    9,
    'failed to load values file "bad.yaml"',
  ],
  ['a values file that is a list', ['values: [list.yaml]'], 'template', 7, 'failed to load values file "list.yaml"'],
  ['a template of values', ['values:', '- bad.yaml.gotmpl'], 'template', 8, 'map has no entry for key "absent"'],
  [
    'a missing values file',
    ['values: [', 'other.yaml]'],
    'template',
    8,
    'values file matching "other.yaml" does not exist',
  ],
  ['a missing file of secrets', ['secrets: [none.yaml]'], 'template', 7, 'secrets file matching "none.yaml"'],
  [
    'a map among secrets',
    ['secrets: [{a: 1}]'],
    'apply',
    7,
    'release web: a map among secrets is not supported; put it in a file',
  ],
  ['a variable that is not there', ['env: [{name: x, value: NO_SUCH}]'], 'template', 7, 'NO_SUCH'],
  ['set names a missing file', ['set: [{name: a, file: none}]'], 'template', 7, 'none: no such file'],
  ['a condition of a missing value', ['condition: a.enabled'], 'list', 7, "field '.a' not found"],
  ['a condition of another form', ['condition: a'], 'list', 7, "must be in the form 'foo.enabled'"],
  ['an unknown template', ['inherit: [{template: none}]'], 'list', 7, 'inexistent release template "none"'],
  ['a wrong updateStrategy', ['updateStrategy: never'], 'list', 7, 'updateStrategy "never" is invalid'],
  [
    'a need that nobody is',
    ['needs:', '- shop/web-first', '- shop/none'],
    'template',
    9,
    'undefined release "shop/none"',
  ],
  ['a need of itself', ['needs: [web]'], 'dag', 7, 'cycle detected: shop/web -> shop/web'],
  ['a need that nobody is, in the graph', ['needs: [none]'], 'apply', 7, 'undefined release "shop/none"'],
])('%s', async (_mistake, fields, verb, line, words) => {
  folder.write('helmfile.yaml', withFields(...fields));
  const { code, stderr } = await folder.stack(verb);
  expect(code).toBe(1);
  expect(stderr).toContain(words);
  expect(stderr).toContain(`${folder.path}/helmfile.yaml:${line}`);
});

test('an empty chart', async () => {
  folder.write('helmfile.yaml', 'releases:\n- name: web\n  chart: ""\n');
  const { stderr } = await folder.stack('list');
  expect(stderr).toContain(
    `encountered empty chart while reading release "web" (${folder.path}/helmfile.yaml:3): name`,
  );
});

test('a circle names the line of each need', async () => {
  const one = (name: string, need: string): string => `- name: ${name}\n  chart: ./chart\n  needs: [${need}]\n`;
  folder.write('helmfile.yaml', `releases:\n${one('a', 'b')}${one('b', 'a')}`);
  const file = `${folder.path}/helmfile.yaml`;
  expect((await folder.stack('apply')).stderr).toBe(
    `Error: cycle detected: a -> b -> a (${file}:7, ${file}:4): remove one of these needs\n`,
  );
});

test('values of an environment', async () => {
  folder.write('helmfile.yaml', 'environments:\n  default:\n    values:\n    - none.yaml\n---\nreleases: []\n');
  const { stderr } = await folder.stack('list');
  expect(stderr).toContain(`"none.yaml" does not exist in "." (${folder.path}/helmfile.yaml:4)`);
});

test('a field that comes from a template of the file, or from a base, is found there', async () => {
  folder.write('base.yaml', 'templates:\n  common:\n    condition: absent.enabled\n');
  const release = 'releases:\n- name: web\n  chart: ./chart\n  inherit: [{template: common}]\n';
  folder.write('helmfile.yaml', `bases: [base.yaml]\n${release}`);
  expect((await folder.stack('list')).stderr).toContain(`(${folder.path}/base.yaml:3)`);
  folder.write('helmfile.yaml', `templates:\n  common:\n    condition: absent.enabled\n${release}`);
  expect((await folder.stack('list')).stderr).toContain(`(${folder.path}/helmfile.yaml:3)`);
});

test('of a name that only a template knows, the file is told', async () => {
  const text = '{{ $n := "web" }}\nreleases:\n- name: {{ $n }}-1\n  chart: ./chart\n  condition: absent.enabled\n';
  folder.write('helmfile.yaml', '');
  folder.write('other.yaml.gotmpl', text);
  const { stderr } = await folder.tshelm('stack', 'list', '-f', `${folder.path}/other.yaml.gotmpl`);
  expect(stderr).toContain(`(${folder.path}/other.yaml.gotmpl:5)`);
});

test('references are relative to the folder of the state file, as in helmfile', async () => {
  folder.write('sub/value.yaml', 'v: found\n');
  const release = releaseText('web').replace('./chart', '../chart').replace('{v: 1}', '{v: ref+file://value.yaml#/v}');
  folder.write('sub/state.yaml', `releases:\n${release}`);
  const { stdout, stderr } = await folder.tshelm('stack', 'template', '-f', `${folder.path}/sub/state.yaml`);
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('data: {v: "found"}'), stderr: '' });
});
