import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import { scratchDirectory } from '../support/charts.ts';
import { tshelm } from '../support/programs.ts';

/** What a release brings, a kind and a namespace, is known to the plans of those that need it, before it is there. */
const directory = scratchDirectory();
const space = `stack-plan-${process.pid}`;
const parts = `${space}-parts`;
const group = `p${process.pid}.tshelm.dev`;
const file = join(directory, 'helmfile.yaml');
const plan = join(directory, 'a.plan');

function write(name: string, text: string): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), text);
}

beforeAll(() => {
  write('kinds/Chart.yaml', 'apiVersion: v2\nname: kinds\nversion: 0.1.0\n');
  const schema = '{openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}';
  write(
    'kinds/templates/crd.yaml',
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions: [{name: v1, served: true, storage: true, schema: ${schema}}]
`,
  );
  write('kinds/templates/space.yaml', `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${parts}}\n`);
  write('uses/Chart.yaml', 'apiVersion: v2\nname: uses\nversion: 0.1.0\n');
  write(
    'uses/templates/widget.yaml',
    `{{- if not (.Capabilities.APIVersions.Has "${group}/v1/Widget") }}{{ fail "no widgets here" }}{{ end }}
apiVersion: ${group}/v1
kind: Widget
metadata: {name: one}
spec: {size: {{ .Values.size | default 1 }}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: apart, namespace: ${parts}}
data: {size: {{ .Values.size | default 1 | quote }}}
`,
  );
  write(
    'helmfile.yaml',
    `releases:
  - {name: uses, namespace: ${space}, chart: ./uses, needs: [kinds]}
  - {name: kinds, namespace: ${space}, chart: ./kinds}
`,
  );
});
afterAll(async () => {
  const cluster = await connect();
  const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespace: '' };
  await cluster.delete({ ...crd, name: `widgets.${group}` });
  for (const name of [space, parts]) await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name });
  cluster.close();
});

test('planned, compared, saved and applied before any of it is there; then changed by another plan', async () => {
  const planned = await tshelm.run(['stack', 'plan', '-f', file, '--out', plan, '-o', 'markdown']);
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.stdout).toContain('2 of 2 releases would change');
  expect(planned.stdout).toContain(`Widget (${group}/v1) comes with ${space}/kinds; not checked by the server`);
  expect(await tshelm.run(['stack', 'diff', '-f', file])).toMatchObject({ code: 0 });
  const applied = await tshelm.run(['apply', plan]);
  expect(applied.stderr).toMatch(/\[1\/2] \S+\/kinds: installed [^]*\n\[2\/2] \S+\/uses: installed/);
  expect(await tshelm.run(['stack', 'drift', '-f', file, '--exit-code'])).toMatchObject({ code: 0 });
  const again = await tshelm.run(['apply', plan]);
  expect({ code: again.code, outdated: again.stderr.includes('revision') }).toEqual({ code: 1, outdated: true });

  write('uses/values.yaml', 'size: 2\n');
  const second = await tshelm.run(['stack', 'plan', '-f', file, '--out', plan]);
  expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining(`unchanged: ${space}/kinds\n`) });
  expect((await tshelm.run(['apply', plan])).stderr).toContain(`[1/1] ${space}/uses: upgraded to revision 2`);
});
