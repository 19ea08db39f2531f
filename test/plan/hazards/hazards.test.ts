import { describe, expect, test } from 'vitest';
import { annotations } from '../../../src/manifest/annotations.ts';
import type { Hook } from '../../../src/manifest/types.ts';
import { hazardsOf, hazardText } from '../../../src/plan/hazards/hazards.ts';
import { planInstall } from '../../../src/plan/plan.ts';
import type { WaitStrategy } from '../../../src/plan/types.ts';
import { arranged, resource } from '../charts.ts';
import { hookOf } from '../manifests.ts';

const group = 'helm.sh/resource-group';
const after = 'helm.sh/depends-on/resource-groups';

interface Given {
  /** The chart's files; Chart.yaml is added. */
  readonly files?: Readonly<Record<string, string>>;
  readonly hooks?: readonly Hook[];
  readonly strategy?: WaitStrategy;
}

/** The hazards of an install, as texts. */
async function hazards({ files = {}, hooks = [], strategy = 'ordered' }: Given): Promise<string[]> {
  const { unit, rendered } = await arranged({ 'Chart.yaml': 'name: shop', ...files });
  const { manifests } = rendered;
  const ordered = strategy === 'ordered' ? unit : undefined;
  const plan = planInstall({ release: 'rel', namespace: 'default', strategy, manifests, hooks, unit: ordered });
  return hazardsOf(plan).map(hazardText);
}

const deployment = (name: string, podSpec: string, spec = '', keys: Readonly<Record<string, unknown>> = {}): string =>
  `${resource(name, keys, 'Deployment')}spec:\n  ${spec}\n  template:\n    spec: ${podSpec}\n`;

const usesSecret = '{containers: [{name: a, env: [{name: A, valueFrom: {secretKeyRef: {name: creds, key: a}}}]}]}';
const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: creds}\n';
const job = (
  name: string,
  podSpec: string,
  rest: Partial<Hook> = {},
  event: 'pre-install' | 'post-install' = 'pre-install',
) =>
  hookOf(
    name,
    {
      manifest: `apiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}}\nspec: {template: {spec: ${podSpec}}}\n`,
      ...rest,
    },
    event,
  );
const hookObject = (
  kind: string,
  name: string,
  rest: Partial<Hook> = {},
  event: 'pre-install' | 'post-install' = 'pre-install',
) => hookOf(name, { kind, manifest: `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\n`, ...rest }, event);

describe('a pre-hook that refers to an object applied later', () => {
  const files = { 'templates/secret.yaml': secret };
  test.each(['hookOnly', 'watcher', 'ordered'] as const)('with --wait=%s', async (strategy) => {
    expect(await hazards({ files, hooks: [job('migrate', usesSecret)], strategy })).toEqual([
      'app/templates/hook.yaml: the pre-install hook Job/migrate uses Secret/creds, which is applied after the pre-install hooks, so it cannot start; make Secret/creds a pre-install hook with a lower helm.sh/hook-weight, or run Job/migrate post-install',
    ]);
  });

  test.each([
    ['by a volume', '{volumes: [{name: v, secret: {secretName: creds}}]}'],
    ['by a projected volume', '{volumes: [{name: v, projected: {sources: [{secret: {name: creds}}]}}]}'],
    ['by envFrom of an init container', '{initContainers: [{name: i, envFrom: [{secretRef: {name: creds}}]}]}'],
  ])('%s', async (_how, podSpec) => {
    expect(await hazards({ files, hooks: [job('migrate', podSpec)] })).toHaveLength(1);
  });

  test.each([
    ['optional', '{containers: [{name: a, envFrom: [{secretRef: {name: creds, optional: true}}]}]}'],
    ['an optional volume', '{volumes: [{name: v, secret: {secretName: creds, optional: true}}]}'],
    ['of another name', '{volumes: [{name: v, secret: {secretName: others}}]}'],
  ])('but not where the reference is %s', async (_how, podSpec) => {
    expect(await hazards({ files, hooks: [job('migrate', podSpec)] })).toEqual([]);
  });

  test('a post-hook may refer to everything', async () => {
    expect(await hazards({ files, hooks: [job('seed', usesSecret, {}, 'post-install')] })).toEqual([]);
  });

  test('an object of the same name that lies elsewhere is another one', async () => {
    const elsewhere = { 'templates/secret.yaml': secret.replace('{', '{namespace: other, ') };
    expect(await hazards({ files: elsewhere, hooks: [job('migrate', usesSecret)] })).toEqual([]);
  });
});

describe("a hook's own objects", () => {
  const usesAccount = '{serviceAccountName: migrator}';
  const account = (rest: Partial<Hook>) => hookObject('ServiceAccount', 'migrator', rest);

  test('of lower weight are there, though the release has one of the same name', async () => {
    const files = { 'templates/sa.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: migrator}\n' };
    expect(await hazards({ files, hooks: [account({ weight: -5 }), job('migrate', usesAccount)] })).toEqual([]);
  });

  test.each([
    ['of higher weight', { weight: 5 }],
    ['of the same weight and a later name', { name: 'zz' }],
  ])('%s are not', async (_what, rest) => {
    expect(await hazards({ hooks: [account(rest), job('migrate', usesAccount)] })).toEqual([
      'app/templates/hook.yaml: the pre-install hook Job/migrate uses ServiceAccount/migrator, a pre-install hook that comes after it, so it cannot start; give ServiceAccount/migrator a lower helm.sh/hook-weight',
    ]);
  });
});

describe('a post-hook that waiting workloads need', () => {
  const files = { 'templates/web.yaml': deployment('web', usesSecret) };
  const hooks = [hookObject('Secret', 'creds', {}, 'post-install')];
  test.each(['watcher', 'ordered'] as const)('with --wait=%s', async (strategy) => {
    expect(await hazards({ files, hooks, strategy })).toEqual([
      'shop/templates/web.yaml: Deployment/web needs Secret/creds, a post-install hook, which runs only after Deployment/web is ready; make Secret/creds a pre-install hook or an ordinary resource, or make the reference optional',
    ]);
  });

  test('is none where nobody waits for the workload', async () => {
    expect(await hazards({ files, hooks, strategy: 'hookOnly' })).toEqual([]);
    const idle = { 'templates/web.yaml': deployment('web', usesSecret, 'replicas: 0') };
    expect(await hazards({ files: idle, hooks })).toEqual([]);
  });
});

describe('a group whose pods use what a later batch brings', () => {
  const inGroup = {
    'templates/db.yaml': deployment('db', usesSecret, '', { [group]: 'db' }),
    'templates/app.yaml': resource('app', { [group]: 'app', [after]: ['db'] }),
  };

  test('from the resources without a group', async () => {
    expect(await hazards({ files: { ...inGroup, 'templates/s.yaml': secret } })).toEqual([
      'shop/templates/db.yaml: Deployment/db (group db) uses Secret/creds, which comes in a later batch (the resources of shop without a group), so it cannot become ready; move Secret/creds into group db, or into something that comes before it',
    ]);
  });

  test('with everything at once there is no later batch', async () => {
    expect(await hazards({ files: { ...inGroup, 'templates/s.yaml': secret }, strategy: 'watcher' })).toEqual([]);
  });

  test('from the chart around a subchart that comes first; an orphan starts together with it', async () => {
    const nested = {
      'charts/db/Chart.yaml': 'name: db',
      'charts/db/templates/db.yaml': deployment('db', usesSecret),
      'templates/s.yaml': secret,
    };
    const chartYaml = (more: string) => `name: shop\n${more}dependencies:\n- {name: db, version: 1.0.0}\n`;
    const first = await hazards({
      files: { ...nested, 'Chart.yaml': chartYaml('annotations: {helm.sh/depends-on/subcharts: db}\n') },
    });
    expect(first).toEqual([
      expect.stringContaining(
        'Deployment/db (chart db) uses Secret/creds, which comes in a later batch (the resources of shop',
      ),
    ]);
    expect(await hazards({ files: { ...nested, 'Chart.yaml': chartYaml('') } })).toEqual([]);
  });

  test.each(['ConfigMap', 'ServiceAccount', 'PersistentVolumeClaim'])('a %s', async (kind) => {
    const podSpecs: Record<string, string> = {
      ConfigMap: '{volumes: [{name: v, configMap: {name: x}}]}',
      ServiceAccount: '{serviceAccountName: x}',
      PersistentVolumeClaim: '{volumes: [{name: v, persistentVolumeClaim: {claimName: x}}]}',
    };
    const files = {
      'templates/a.yaml': deployment('a', podSpecs[kind] as string, '', { 'helm.sh/weight': -1 }),
      'templates/b.yaml': `apiVersion: v1\nkind: ${kind}\nmetadata: {name: x}\n`,
    };
    expect(await hazards({ files })).toEqual([
      expect.stringContaining(`Deployment/a (weight -1) uses ${kind}/x, which comes in a later batch (weight 0)`),
    ]);
  });
});

describe('before its definition', () => {
  const crd =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec: {group: example.com, names: {kind: Widget}}\n';
  const widget = (keys: string) => `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w${keys}}\n`;

  test('a custom resource', async () => {
    const files = { 'templates/w.yaml': widget(', annotations: {helm.sh/weight: "-1"}'), 'templates/crd.yaml': crd };
    expect(await hazards({ files })).toEqual([
      'shop/templates/w.yaml: Widget/w is applied before CustomResourceDefinition/widgets.example.com, which defines its kind; put the CRD into the folder crds/, or into weight -1 or something that comes before it',
    ]);
  });

  test('none in one batch, where the CRD comes first', async () => {
    expect(await hazards({ files: { 'templates/w.yaml': widget(''), 'templates/crd.yaml': crd } })).toEqual([]);
  });

  test('a pre-hook that is a custom resource', async () => {
    const hooks = [hookOf('w', { kind: 'Widget', manifest: widget('') })];
    expect(await hazards({ files: { 'templates/crd.yaml': crd }, hooks, strategy: 'hookOnly' })).toEqual([
      expect.stringContaining(
        'the pre-install hook Widget/w is applied before CustomResourceDefinition/widgets.example.com',
      ),
    ]);
  });

  test('an object of a namespace', async () => {
    const files = {
      'templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: far, annotations: {helm.sh/weight: "-1"}}\n',
      'templates/n.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: far}\n',
    };
    expect(await hazards({ files })).toEqual([expect.stringContaining('ConfigMap/a is applied before Namespace/far')]);
  });
});

describe('a workload whose replicas an autoscaler owns', () => {
  const scaler =
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n';

  test('says how many it has', async () => {
    const files = { 'templates/web.yaml': deployment('web', '{}', 'replicas: 2'), 'templates/hpa.yaml': scaler };
    expect(await hazards({ files, strategy: 'hookOnly' })).toEqual([
      'shop/templates/web.yaml: Deployment/web sets spec.replicas (2), and HorizontalPodAutoscaler/web scales it: each upgrade resets the number or fails with a conflict over .spec.replicas; leave out spec.replicas when autoscaling is on',
    ]);
  });

  test.each([
    ['leaves it open', deployment('web', '{}')],
    ['is another one', deployment('other', '{}', 'replicas: 2')],
  ])('but not one that %s', async (_what, web) => {
    expect(await hazards({ files: { 'templates/web.yaml': web, 'templates/hpa.yaml': scaler } })).toEqual([]);
  });
});

test('one readiness annotation without the other', async () => {
  const { readinessSuccess, readinessFailure } = annotations;
  const alone = { 'templates/a.yaml': resource('a', { [readinessSuccess]: '["{.x} == 1"]' }) };
  expect(await hazards({ files: alone })).toEqual([
    'shop/templates/a.yaml: ConfigMap/a has helm.sh/readiness-success without helm.sh/readiness-failure, so the built-in readiness rules decide; set both or neither',
  ]);
  const both = {
    'templates/a.yaml': resource('a', { [readinessSuccess]: '{.x} == 1', [readinessFailure]: '{.x} == 2' }),
  };
  expect(await hazards({ files: both })).toEqual([]);
});
