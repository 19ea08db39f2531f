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
