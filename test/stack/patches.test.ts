import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPatches } from '../../src/stack/patches/apply-patches.ts';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

let folder: StackFolder;
beforeEach(() => {
  folder = openStackFolder();
});
afterEach(() => folder.remove());

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {tier: front}
spec:
  template:
    spec:
      containers:
      - name: app
        image: app:1
        env: [{name: A, value: "1"}]
      - name: side
        image: side:1
`;
const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata: {v: "1"} # as it stands\n';
const stream = `---\n# Source: c/templates/a.yaml\n${deployment}---\n# Source: c/templates/b.yaml\n${map}`;

const patched = (more: Partial<Parameters<typeof applyPatches>[1]>): string =>
  applyPatches(stream, { jsonPatches: [], strategicMergePatches: [], ...more }, 'web');

describe('patches', () => {
  test('a partial object merges lists by the keys of its kind, and what nothing fits stays as it is', () => {
    const spec = { template: { spec: { containers: [{ name: 'app', env: [{ name: 'B', value: '2' }] }] } } };
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec };
    const text = patched({ strategicMergePatches: [{ object, where: 'strategicMergePatches[0]' }] });
    expect(text).toMatch(/name: B[^]*name: A[^]*name: app[^]*name: side/);
    expect(text).toContain(`---\n# Source: c/templates/b.yaml\n${map}`);
  });

  test.each([
    ['all of a kind', { kind: 'ConfigMap' }, 1],
    ['expressions for whole texts', { kind: 'Config' }, 0],
    ['expressions', { name: 'w.b', version: 'v.*' }, 2],
    ['labels', { labelSelector: 'tier in (front,back)' }, 1],
    ['another group', { group: 'apps', kind: 'ConfigMap' }, 0],
    ['what there is not', { colour: 'red' }, 0],
  ])('a target: %s', (_rule, target, count) => {
    const operations = [{ op: 'add', path: '/metadata/patched', value: true }];
    const text = patched({ jsonPatches: [{ target, operations, where: 'jsonPatches[0]' }] });
    expect(text.match(/patched: true/g)?.length ?? 0).toBe(count);
  });

  test('an object is deleted by its patch', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, $patch: 'delete' };
    expect(patched({ strategicMergePatches: [{ object, where: '' }] })).not.toContain('ConfigMap');
  });

  test('a failure names the release, the patch and the object', () => {
    const operations = [{ op: 'remove', path: '/data/absent' }];
    const target = { kind: 'ConfigMap' };
    expect(() => patched({ jsonPatches: [{ target, operations, where: 'jsonPatches[0]' }] })).toThrow(
      'release web: jsonPatches[0]: ConfigMap/web: remove operation does not apply: doc is missing path: "/data/absent"',
    );
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } };
    expect(() => patched({ strategicMergePatches: [{ object, where: 'strategicMergePatches[1]' }] })).toThrow(
      'release web: strategicMergePatches[1]: no resource matches the strategic merge patch for ConfigMap/other (v1)',
    );
  });
});

describe('in a stack', () => {
  test('patches in the file and in files of their own, whose templates see the values of the release', async () => {
    folder.write(
      'patch.yaml.gotmpl',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {more: "{{ .Values.v }}"}\n',
    );
    const more = `    strategicMergePatches: [patch.yaml.gotmpl]
    jsonPatches:
      - target: {kind: ConfigMap}
        patch: [{op: replace, path: /data/v, value: patched}]
`;
    folder.write('helmfile.yaml', `releases:\n${releaseText('web', more)}`);
    const { code, stdout } = await folder.stack('template');
    expect(code).toBe(0);
    expect(stdout).toContain('data:\n  more: "1"\n  v: patched\n');
    await folder.stack('apply');
    expect((await folder.stack('apply')).stderr).toContain('shop/web: unchanged');
    expect((await folder.tshelm('get', 'manifest', 'web', '-n', 'shop')).stdout).toContain('v: patched');
  });

  test('forceNamespace is for what names none, before the patches', async () => {
    folder.write(
      'chart/templates/own.yaml',
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: own}\n`,
    );
    const more = `    forceNamespace: forced
    strategicMergePatches: [{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: forced}, data: {p: "1"}}]
`;
    folder.write('helmfile.yaml', `releases:\n${releaseText('web', more)}`);
    const { stdout } = await folder.stack('template');
    expect(stdout).toMatch(/p: "1"\n(?:.*\n)*.*name: web\n {2}namespace: forced\n/);
    expect(stdout).toContain('metadata: {name: own, namespace: own}');
  });

  test('transformers are the work of the program kustomize', async () => {
    folder.write('kustomize.sh', '#!/bin/sh\ncat "$3/kustomization.yaml" >&2\ngrep -h names "$3"/*/* >&2\nexit 3\n');
    chmodSync(join(folder.path, 'kustomize.sh'), 0o755);
    folder.write('names.yaml', 'names: all\n');
    const more = '    transformers: [{apiVersion: builtin, kind: PatchTransformer, path: names.yaml}]\n';
    const program = `kustomizeBinary: ${join(folder.path, 'kustomize.sh')}\n`;
    folder.write('helmfile.yaml', `${program}releases:\n${releaseText('web', more)}`);
    const { code, stderr } = await folder.stack('template');
    expect(code).toBe(1);
    expect(stderr).toMatch(/resources:\n- manifests.yaml\ntransformers:\n- transformers\/0.yaml\nnames: all/);
  });

  test('a post-renderer gets what the patches leave, and its arguments are templates', async () => {
    folder.write('bin/add.sh', '#!/bin/sh\nsed "s/^data: *$/data:\\n  args: $*/"\n');
    chmodSync(join(folder.path, 'bin/add.sh'), 0o755);
    const patches = '    jsonPatches: [{target: {kind: ConfigMap}, patch: [{op: add, path: /data/p, value: "1"}]}]\n';
    const defaults = 'helmDefaults: {postRenderer: ./bin/add.sh, postRendererArgs: ["by {{ .Release.Name }}"]}\n';
    folder.write('helmfile.yaml', `${defaults}releases:\n${releaseText('web', patches)}`);
    expect((await folder.stack('template')).stdout).toContain('data:\n  args: by web\n  p: "1"\n');
    await folder.stack('apply');
    expect((await folder.stack('apply')).stderr).toContain('shop/web: unchanged');
  });

  test('dependencies of a release are subcharts, with values of their names', async () => {
    folder.write('side/Chart.yaml', 'apiVersion: v2\nname: side\nversion: 1.2.0\n');
    folder.write(
      'side/templates/map.yaml',
      'kind: ConfigMap\napiVersion: v1\nmetadata: {name: "{{ .Chart.Name }}"}\ndata: {v: "{{ .Values.v }}"}\n',
    );
    const more = (version: string): string =>
      `    set: [{name: side.v, value: 5}, {name: other.enabled, value: false}]
    dependencies: [{chart: ./side, version: "${version}"}, {chart: ./side, alias: other, version: 1.2.0}]
`;
    folder.write('helmfile.yaml', `releases:\n${releaseText('web', more('>=1'))}`);
    const { stdout } = await folder.stack('template');
    expect(stdout).toContain('# Source: chart/charts/side/templates/map.yaml');
    expect(stdout).toContain('metadata: {name: "side"}\ndata: {v: "5"}');
    expect(stdout).not.toContain('other');
    folder.write('helmfile.yaml', `releases:\n${releaseText('web', more('>=2'))}`);
    expect((await folder.stack('template')).stderr).toMatch(
      /dependency "\.\/side": can't get a valid version: .*1\.2\.0.*>=2/,
    );
  });

  test('lint looks at the chart with its patches', async () => {
    const patch = '[{op: replace, path: /metadata/name, value: Bad_Name}]';
    folder.write(
      'helmfile.yaml',
      `releases:\n${releaseText('web', `    jsonPatches: [{target: {kind: ConfigMap}, patch: ${patch}}]\n`)}`,
    );
    const { code, stdout } = await folder.stack('lint');
    expect(code).toBe(0);
    expect(stdout).toContain('[WARNING] templates/map.yaml: object name does not conform to Kubernetes naming');
  });

  test('a patch that says nothing is refused with its place', async () => {
    folder.write(
      'helmfile.yaml',
      `releases:\n${releaseText('web', '    jsonPatches: [{target: {kind: ConfigMap}}]\n')}`,
    );
    const { stderr } = await folder.stack('template');
    expect(stderr).toContain('helmfile.yaml: release web: jsonPatches[0]: either "path" or "patch" must be set');
  });

  test('a folder of manifests is a chart of them, in the namespace of the release', async () => {
    folder.write(
      'plain/a.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {text: "{{ no template }}"}\n',
    );
    folder.write(
      'plain/sub/b.yaml.gotmpl',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}, namespace: own}\n',
    );
    folder.write('helmfile.yaml', `releases:\n${releaseText('web').replace('./chart', './plain')}`);
    const { stdout } = await folder.stack('template');
    expect(stdout).toContain('# Source: plain/templates/a.yaml\n');
    expect(stdout).toMatch(/name: a\n {2}namespace: shop\n/);
    expect(stdout).toContain("text: '{{ no template }}'");
    expect(stdout).toContain('metadata: {name: web, namespace: own}');
  });

  test('a Kustomization without the program says so', async () => {
    folder.write('kust/kustomization.yaml', 'resources: []\n');
    const text = `kustomizeBinary: no-such-kustomize\nreleases:\n${releaseText('web').replace('./chart', './kust')}`;
    folder.write('helmfile.yaml', text);
    expect((await folder.stack('template')).stderr).toContain('exec: "no-such-kustomize": executable file not found');
  });
});
