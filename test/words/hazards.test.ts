import { expect, test } from 'vitest';
import type { Hook } from '../../src/manifest/types.ts';
import { hazardsOf, hazardText } from '../../src/plan/hazards/hazards.ts';
import { planInstall } from '../../src/plan/plan.ts';
import { arranged, resource } from '../plan/charts.ts';
import { hookOf } from '../plan/manifests.ts';

const usesSecret = (name: string): string =>
  `spec:\n  replicas: 2\n  template:\n    spec: {containers: [{name: a, envFrom: [{secretRef: {name: ${name}}}]}]}\n`;
const object = (kind: string, name: string, metadata = ''): string =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}${metadata}}\n`;
const first = ', annotations: {helm.sh/weight: "-1"}';

const files = {
  'Chart.yaml': 'name: shop',
  'templates/web.yaml': resource('web', { 'helm.sh/weight': -1 }, 'Deployment') + usesSecret('late'),
  'templates/api.yaml': resource('api', {}, 'Deployment') + usesSecret('after'),
  'templates/late.yaml': object('Secret', 'late'),
  'templates/hpa.yaml':
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: api}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: api}}\n',
  'templates/w.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w${first}}\n`,
  'templates/crd.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec: {group: example.com, names: {kind: Widget}}\n',
  'templates/far.yaml': `${object('ConfigMap', 'a', `, namespace: far${first}`)}---\n${object('Namespace', 'far')}`,
  'templates/half.yaml': resource('half', { 'helm.sh/readiness-success': '["{.x} == 1"]' }),
};

const job = (name: string, uses: string): Hook =>
  hookOf(name, {
    manifest: `apiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}}\nspec: {template: {spec: ${uses}}}\n`,
  });
const hooks: readonly Hook[] = [
  job('migrate', '{containers: [{name: a, envFrom: [{secretRef: {name: late}}]}]}'),
  job('seed', '{serviceAccountName: seeder}'),
  hookOf('seeder', { kind: 'ServiceAccount', manifest: object('ServiceAccount', 'seeder'), weight: 5 }),
  hookOf('after', { kind: 'Secret', manifest: object('Secret', 'after') }, 'post-install'),
];

test('the hazards of an order', async () => {
  const { unit, rendered } = await arranged(files);
  const plan = planInstall({
    release: 'rel',
    namespace: 'default',
    strategy: 'ordered',
    manifests: rendered.manifests,
    hooks,
    unit,
  });
  const found = hazardsOf(plan);
  expect(new Set(found.map(({ kind }) => kind)).size).toBe(7);
  await expect(`${found.map((one) => `${one.kind}: ${hazardText(one)}`).join('\n')}\n`).toMatchFileSnapshot(
    'hazards.txt',
  );
});
