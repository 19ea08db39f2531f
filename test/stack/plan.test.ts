import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planFileText, readPlanFile } from '../../src/saved-plan/file.ts';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
let file: string;
beforeEach(() => {
  folder = openStackFolder();
  file = `${folder.path}/a.plan`;
});
afterEach(() => folder.remove());

/** A chart of kinds, and one of an object of such a kind. */
function writeKinds(): void {
  folder.write('kinds/Chart.yaml', 'apiVersion: v2\nname: kinds\nversion: 0.1.0\n');
  folder.write(
    'kinds/templates/crd.yaml',
    `apiVersion: apiextensions.k8s.io/v1
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
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`,
  );
  folder.write('kinds/templates/space.yaml', 'apiVersion: v1\nkind: Namespace\nmetadata: {name: parts}\n');
  folder.write('uses/Chart.yaml', 'apiVersion: v2\nname: uses\nversion: 0.1.0\n');
  folder.write(
    'uses/templates/widget.yaml',
    `{{- if not (.Capabilities.APIVersions.Has "example.com/v1/Widget") }}{{ fail "no widgets here" }}{{ end }}
apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
spec: {size: 1}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: apart, namespace: parts}
`,
  );
  folder.write(
    'helmfile.yaml',
    `releases:
  - {name: uses, namespace: shop, chart: ./uses, needs: [base/kinds]}
  - {name: kinds, namespace: base, chart: ./kinds}
`,
  );
}

describe('stack plan', () => {
  test('shows what apply would do, in the order of the graph; what is unchanged waits for nobody', async () => {
    folder.write('helmfile.yaml', `releases:\n${releaseText('web', '    needs: [db]\n')}${releaseText('db')}`);
    const { code, stdout } = await folder.stack('plan', '--exit-code');
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^upgrade db[^]*\nafter shop\/db:\ninstall web|^install db[^]*\nafter shop\/db:\ninstall web/,
    );
    await folder.stack('apply', '-l', 'name=db');
    const second = await folder.stack('plan', '-o', 'json');
    expect(JSON.parse(second.stdout)).toMatchObject([{ id: 'shop/web', needs: [], action: 'install' }]);
    expect(second.stderr).toBe('unchanged: shop/db\n');
    const markdown = await folder.stack('plan', '-o', 'markdown');
    expect(markdown.stdout).toContain('1 of 2 releases would change');
    await folder.stack('apply');
    expect(await folder.stack('plan', '--exit-code')).toMatchObject({ code: 0, stdout: '' });
  });

  test('draws all releases as one picture', async () => {
    folder.write('helmfile.yaml', `releases:\n${releaseText('web', '    needs: [db]\n')}${releaseText('db')}`);
    const { stdout } = await folder.stack('plan', '-o', 'mermaid');
    expect(stdout).toContain('  subgraph release1 ["install shop/db"]\n');
    expect(stdout).toContain('  release1 --> release2\n');
    expect((await folder.stack('plan', '-o', 'dot')).stdout).toContain('lhead=cluster_release2');
    await folder.stack('plan', '--out', file);
    const page = (await folder.tshelm('show-plan', file, '-o', 'html')).stdout;
    expect(page).toContain('<title>Plans of 2 releases</title>');
    for (const box of ['release1', 'release2_step1']) expect(page).toContain(`"${box}"`);
  });

  test('kinds and namespaces that an earlier release brings are there for the later ones', async () => {
    writeKinds();
    const { code, stdout, stderr } = await folder.stack('plan', '-o', 'markdown');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Widget (example.com/v1) comes with base/kinds; not checked by the server');
    expect(stdout).toContain('the namespace parts comes with base/kinds; not checked by the server');
    expect((await folder.stack('diff')).code).toBe(0);
    folder.write('helmfile.yaml', folder.read('helmfile.yaml').replace(', needs: [base/kinds]', ''));
    expect((await folder.stack('diff')).stderr).toContain('no widgets here');
  });
});

describe('equal changes', () => {
  const names = ['web', 'api', 'db'];
  const write = (v: number): void =>
    folder.write(
      'helmfile.yaml',
      `releases:\n${names.map((name) => releaseText(name)).join('')}`.replaceAll('v: 1', `v: ${v}`),
    );
  beforeEach(async () => {
    write(1);
    await folder.stack('apply');
    write(2);
  });

  test('are told once by diff, with the releases that have them', async () => {
    const { stdout } = await folder.stack('diff', '-C', '0');
    expect(stdout.match(/-  v: "1"\n\+  v: "2"/g)).toHaveLength(1);
    expect(stdout).toContain('\n1 to change\nthe same in 2 more releases: api in shop, db in shop\n');
    const markdown = await folder.stack('diff', '-o', 'markdown');
    expect(markdown.stdout).toContain('changed: <code>v 1 → 2</code>');
    expect(markdown.stdout.match(/<details>/g)).toHaveLength(1);
  });

  test('are told once by plan and show-plan, whatever their revisions', async () => {
    await folder.stack('apply', '-l', 'name=api');
    write(3);
    for (const { stdout } of [await folder.stack('plan', '--out', file), await folder.tshelm('show-plan', file)]) {
      expect(stdout.match(/change 1 field: data\.v/g)).toHaveLength(1);
      expect(stdout).toContain('\nthe same in 2 more releases: api in shop, db in shop\n');
    }
  });

  test('are told once where hooks have random names, of new releases too', async () => {
    folder.write(
      'chart/templates/hook.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-{{ randAlphaNum 5 | lower }}", annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}\n',
    );
    for (const done of ['install', 'upgrade']) {
      if (done === 'install') await folder.stack('destroy');
      else await folder.stack('apply');
      if (done === 'upgrade') write(4);
      await folder.stack('plan', '--out', file, '--encrypt-to', await identityToRecipient(await generateIdentity()));
      for (const words of [
        ['stack', 'plan', '-f', `${folder.path}/helmfile.yaml`],
        ['show-plan', file],
        ['show-plan', file, '--diff'],
      ]) {
        const { stdout } = await folder.tshelm(...words);
        expect(stdout, words.join(' ')).toContain('\nthe same in 2 more releases: api in shop, db in shop\n');
      }
    }
  });

  test('of releases that wait for different ones are told one by one', async () => {
    folder.write('helmfile.yaml', `${folder.read('helmfile.yaml').trimEnd()}\n    needs: [web]\n`);
    const { stdout } = await folder.stack('plan');
    expect(stdout.match(/change 1 field: data\.v/g)).toHaveLength(2);
    expect(stdout).toContain('after ');
  });

  test('are told once by a saved plan, and headlines that are not true are dropped', async () => {
    await folder.stack('plan', '--out', file);
    const shown = await folder.tshelm('show-plan', file, '--diff');
    expect(shown.stdout).toMatch(
      /\nupgrade web in shop\n\nConfigMap\/web in shop: changed\n@@ [^]*\n-  v: "1"\n\+  v: "2"\n[^]*\nthe same in 2 more releases: api in shop, db in shop\n$/,
    );
    const plan = readPlanFile(folder.read('a.plan'), file);
    const text = JSON.stringify(plan.releases).replaceAll('"after":"2"', '"after":"1.1"');
    folder.write('a.plan', planFileText({ ...plan, releases: JSON.parse(text) }));
    const forged = await folder.tshelm('show-plan', file, '-o', 'markdown');
    expect([forged.stdout.includes('v 1 →'), forged.stdout.includes('+  v: "2"')]).toEqual([false, true]);
  });
});

describe('a saved plan of a stack', () => {
  const twoReleases = `releases:\n${releaseText('web', '    needs: [db]\n')}${releaseText('db')}`;

  test('is applied as it was planned, kinds of earlier releases and all', async () => {
    writeKinds();
    expect(await folder.stack('plan', '--out', file)).toMatchObject({ code: 0 });
    const shown = await folder.tshelm('show-plan', file);
    expect(shown.stdout).toContain('after base/kinds:\ninstall uses');
    const { code, stderr } = await folder.tshelm('apply', file);
    expect(stderr).toMatch(/\[1\/2] base\/kinds: installed [^]*\n\[2\/2] shop\/uses: installed/);
    expect(code).toBe(0);
    expect((await folder.stack('plan')).stderr).toBe('unchanged: base/kinds, shop/uses\n');
  });

  test('stack apply goes the same way', async () => {
    writeKinds();
    const { code, stderr } = await folder.stack('apply');
    expect({ code, over: stderr.match(/^\[.*(?= \()/gm) }).toEqual({
      code: 0,
      over: ['[1/2] base/kinds: installed', '[2/2] shop/uses: installed'],
    });
  });

  test('takes away what is not wanted any more', async () => {
    folder.write('helmfile.yaml', twoReleases);
    await folder.stack('apply');
    folder.write(
      'helmfile.yaml',
      twoReleases.replace('    needs: [db]\n', '').replace('name: db\n', 'name: db\n    installed: false\n'),
    );
    expect(await folder.stack('plan', '--out', file)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('uninstall db'),
    });
    expect((await folder.tshelm('apply', file)).stderr).toContain('[1/1] shop/db: uninstalled');
  });

  test('nothing is sent where anything has changed in any release', async () => {
    folder.write('helmfile.yaml', twoReleases);
    expect(await folder.stack('plan', '--out', file)).toMatchObject({ code: 0 });
    folder.write('helmfile.yaml', twoReleases.replaceAll('{v: 1}', '{v: 2}'));
    const { code, stderr } = await folder.tshelm('apply', file);
    expect(code).toBe(1);
    expect(stderr).toMatch(/db[^]*data\.v[^]*web[^]*data\.v/);
    expect((await folder.stack('status')).stdout).toMatch(/db +yes +not installed[^]*|web +yes +not installed/);
    folder.write('helmfile.yaml', `releases:\n${releaseText('db')}`);
    expect((await folder.tshelm('apply', file)).stderr).toContain('it is no longer in the state files');
  });

  test('nothing is sent where a state file, a base of it, or the list of releases is not as it was', async () => {
    folder.write('base.yaml', 'commonLabels: {team: a}\n');
    const state = `bases: [base.yaml]\n${twoReleases}`;
    folder.write('helmfile.yaml', state);
    expect(await folder.stack('plan', '--out', file)).toMatchObject({ code: 0 });
    const refused = async (): Promise<string> => {
      const { code, stderr } = await folder.tshelm('apply', file);
      expect(code).toBe(1);
      return stderr;
    };
    folder.write('helmfile.yaml', `${state}${releaseText('new')}`);
    expect(await refused()).toMatch(
      /plan of the stack is out of date, so nothing was sent \(plan again\):\n {2}the state file .*helmfile.yaml has changed\n {2}release shop\/new is new in the state files\n$/,
    );
    folder.write('helmfile.yaml', state);
    folder.write('base.yaml', 'commonLabels: {team: b}\n');
    expect(await refused()).toMatch(/the state file .*base.yaml has changed\n$/);
    folder.write('base.yaml', 'commonLabels: {team: a}\n');
    expect(await folder.tshelm('apply', file)).toMatchObject({ code: 0 });
  });

  test('keeps nothing of what references stand for, wherever it was rendered, and goes without it', async () => {
    folder.write('word.yaml', 'word: hunter2\npin: "a1"\n');
    folder.write(
      'chart/templates/map.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {url: "x-{{ .Values.word }}-y", pin: "{{ .Values.pin }}", port: "80"}\n',
    );
    const values = '    values: [{word: "ref+file://word.yaml#/word", pin: "ref+file://word.yaml#/pin"}]\n';
    folder.write('helmfile.yaml', `releases:\n${releaseText('one').replace(/ +values.*\n/, '')}${values}`);
    const recipient = await identityToRecipient(await generateIdentity());
    for (const more of [['--encrypt-to', recipient], []]) {
      expect(await folder.stack('plan', '--out', file, ...more)).toMatchObject({ code: 0 });
      expect(folder.read('a.plan')).toContain('port');
      expect(folder.read('a.plan')).not.toMatch(/hunter2|pin\W{1,6}a1\b/);
    }
    expect((await folder.tshelm('show-plan', file, '-o', 'yaml')).stdout).not.toMatch(/hunter2|pin\W{1,6}a1\b/);
    expect(await folder.tshelm('apply', file)).toMatchObject({ code: 0 });
    const again = await folder.tshelm('get', 'manifest', 'one', '-n', 'shop');
    expect(again.stdout).toContain('x-hunter2-y');
    folder.write('word.yaml', 'word: hunter3\npin: "a1"\n');
    await folder.stack('plan', '--out', file);
    expect(folder.read('a.plan')).not.toContain('hunter3');
    folder.write('word.yaml', 'word: hunter4\npin: "a1"\n');
    const refused = await folder.tshelm('apply', file);
    expect(refused.stderr).toContain('is out of date');
    expect(refused.stderr).not.toMatch(/hunter[34]/);
  });

  test('keeps no secrets: they are given again, and state values that hold some are refused', async () => {
    folder.write('helmfile.yaml', `releases:\n${releaseText('db')}`);
    folder.write(
      'chart/templates/secret.yaml',
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {p: {{ .Values.password | quote }}}\n',
    );
    const planned = await folder.stack('plan', '--out', file, '--set', 'password=hidden1234');
    expect(planned.stderr).toContain('--set password ');
    expect(JSON.parse(folder.read('a.plan')).plan.stack.leftOut).toEqual([{ option: 'set', key: 'password' }]);
    expect(folder.read('a.plan')).not.toContain('hidden1234');
    expect((await folder.tshelm('apply', file)).code).toBe(1);
    expect(await folder.tshelm('apply', file, '--set', 'password=hidden1234')).toMatchObject({ code: 0 });
    const refused = await folder.stack('plan', '--out', file, '--state-values-set', 'password=hidden1234');
    expect(refused.stderr).toContain('--state-values-set password holds a secret');
  });
});
