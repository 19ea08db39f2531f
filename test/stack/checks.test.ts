import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

/** What looks at a stack without changing it: lint, test, drift, write-values. */
let folder: StackFolder;
beforeEach(() => {
  folder = openStackFolder();
});
afterEach(() => folder.remove());

describe('stack lint', () => {
  test('looks at every chart with the values of its release, and one that fails does not end it', async () => {
    folder.write('chart/values.schema.json', '{"properties": {"v": {"type": "integer"}}}');
    const bad = releaseText('bad').replace('{v: 1}', '{v: one}');
    folder.write('helmfile.yaml', `releases:\n${bad}${releaseText('web')}`);
    const { code, stdout, stderr } = await folder.stack('lint');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^==> Linting chart\n[^]*got string, want integer[^]*==> Linting chart\n[^]*1 chart\(s\) linted, 0 /,
    );
    expect(stderr).toContain('2 chart(s) linted, 1 chart(s) failed');
  });

  test('--quiet says nothing of charts that are in order', async () => {
    folder.write('helmfile.yaml', `releases:\n${releaseText('web')}`);
    expect(await folder.stack('lint', '--quiet')).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('stack write-values', () => {
  test('writes what values, secrets and added files say, each over the one before', async () => {
    folder.write('own.yaml', 'a: {b: 1, c: 2}\nlist: [1, 2]\n');
    folder.write('added.yaml', 'a: {c: 3}\nlist: [4]\n');
    const more = '      - own.yaml\n      - {a: {d: 5}}\n    set: [{name: x, value: y}]\n';
    folder.write('helmfile.yaml', `releases:\n${releaseText('web').replace(' [{v: 1}]', '')}${more}`);
    const template = [
      '--output-file-template',
      'out/{{ .State.BaseName }}-{{ .Release.Namespace }}-{{ .Release.Name }}.yaml',
    ];
    const { code, stderr } = await folder.stack('write-values', ...template, '--values', `${folder.path}/added.yaml`);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `Writing values file ${folder.path}/out/helmfile-shop-web.yaml\n`,
    });
    expect(folder.read('out/helmfile-shop-web.yaml')).toBe('a:\n  b: 1\n  c: 3\n  d: 5\nlist:\n  - 4\n');
  });
});

describe('stack test', () => {
  const test1 = (fails: boolean): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-test", annotations: {helm.sh/hook: test}}\n${fails ? 'bogus: {' : ''}`;

  test('runs the tests of releases that are there; what is not there fails alone', async () => {
    folder.write('helmfile.yaml', `releases:\n${releaseText('web')}`);
    expect(await folder.stack('test')).toMatchObject({ code: 1 });
    await folder.stack('apply');
    expect((await folder.stack('test')).stderr).toContain('shop/web: no tests');
    folder.write('chart/templates/test.yaml', test1(false));
    await folder.stack('apply');
    folder.write('helmfile.yaml', `releases:\n${releaseText('web')}${releaseText('absent')}`);
    const { code, stderr } = await folder.stack('test');
    expect(code).toBe(1);
    expect(stderr).toContain('shop/web: 1 test passed');
    expect(stderr).toMatch(/1 of 2 releases failed:\n {2}shop\/absent: .*not found/);
  });
});

describe('stack drift', () => {
  test('tells what has been changed since, in each release', async () => {
    folder.write('helmfile.yaml', `releases:\n${releaseText('web')}${releaseText('db')}`);
    await folder.stack('apply');
    expect(await folder.stack('drift', '--exit-code')).toMatchObject({
      code: 0,
      stdout: 'web in shop, revision 1: no drift in 1 object\n\ndb in shop, revision 1: no drift in 1 object\n',
    });
    const chart = `${folder.path}/chart`;
    await folder.tshelm('install', 'thief', chart, '-n', 'shop', '--set', 'name=web,v=9', '--take-ownership');
    await folder.tshelm('uninstall', 'db', '-n', 'shop');
    const { code, stdout, stderr } = await folder.stack('drift', '-o', 'json');
    expect(code).toBe(1);
    expect(stderr).toMatch(/1 of 2 releases failed:\n {2}shop\/db: release: not found/);
    expect(JSON.parse(stdout)).toMatchObject([{ release: 'web', drifted: true, objects: [{ state: 'foreign' }] }]);
  });
});

test.each(['--include-needs', '--include-transitive-needs'])(
  'template %s takes what other files have',
  async (flag) => {
    folder.write('helmfile.yaml', 'helmfiles: [a/helmfile.yaml, b/helmfile.yaml]\n');
    const release = (name: string, more = ''): string => releaseText(name, more).replace('./chart', '../chart');
    folder.write('a/helmfile.yaml', `releases:\n${release('base')}${release('other')}`);
    folder.write(
      'b/helmfile.yaml',
      `releases:\n${release('web', '    needs: [db]\n')}${release('db', '    needs: [base]\n')}`,
    );
    const named = async (...words: string[]): Promise<readonly string[]> =>
      [...(await folder.stack('template', '-l', 'name=web', ...words)).stdout.matchAll(/name: "(\w+)"/g)].map(
        ([, name = '']) => name,
      );
    expect(await named(flag)).toEqual(['base', 'db', 'web']);
    expect(await named('--skip-needs')).toEqual(['web']);
  },
);
