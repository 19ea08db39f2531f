import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStackFolder, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
beforeEach(() => {
  folder = openStackFolder();
  folder.write(
    'fixed/templates/map.yaml',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fixed}\nimmutable: true\ndata: {v: {{ .Values.v | quote }}}\n',
  );
  folder.write('fixed/Chart.yaml', 'apiVersion: v2\nname: fixed\nversion: 0.1.0\n');
});
afterEach(() => folder.remove());

const state = (v: string, ofRelease = '', defaults = ''): string =>
  `${defaults}releases:\n  - name: web\n    namespace: shop\n    chart: ./fixed\n    values: [{v: ${v}}]\n${ofRelease}`;

test.each([
  ['for all', '', 'helmDefaults: {onImmutable: {"*": replace}}\n', 0],
  ['of the release', '    onImmutable: {ConfigMap/fixed: replace}\n', '', 0],
  [
    "the release's before that for all",
    '    onImmutable: {ConfigMap/*: fail}\n',
    'helmDefaults: {onImmutable: {ConfigMap/*: replace}}\n',
    1,
  ],
])(
  'a rule says whether an object that cannot be changed is replaced: %s',
  async (_which, ofRelease, defaults, code) => {
    folder.write('helmfile.yaml', state('one', ofRelease, defaults));
    expect(await folder.stack('sync')).toMatchObject({ code: 0 });
    folder.write('helmfile.yaml', state('two', ofRelease, defaults));
    const changed = await folder.stack('sync');
    expect(changed, changed.stderr).toMatchObject({ code });
    if (code === 0) return;
    expect(changed.stderr).not.toContain('--replace');
    expect(await folder.stack('sync', '--replace-immutable')).toMatchObject({ code: 1 });
  },
);

test('without a rule the run has one for all', async () => {
  folder.write('helmfile.yaml', state('one'));
  expect(await folder.stack('sync')).toMatchObject({ code: 0 });
  folder.write('helmfile.yaml', state('two'));
  expect(await folder.stack('plan', '--replace-immutable')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('replace: data.v is immutable') as unknown,
  });
  expect(await folder.stack('sync', '--replace-immutable')).toMatchObject({ code: 0 });
});

test('what is no rule is refused', async () => {
  folder.write('helmfile.yaml', state('one', '    onImmutable: {ConfigMap/fixed: never}\n'));
  expect(await folder.stack('sync')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'onImmutable: ConfigMap/fixed: "never" is not one of replace, orphan, fail',
    ) as unknown,
  });
});
