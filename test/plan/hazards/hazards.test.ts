import { describe, expect, test } from 'vitest';
import { annotations } from '../../../src/manifest/annotations.ts';
import type { Hook } from '../../../src/manifest/types.ts';
import { hazardsOf } from '../../../src/plan/hazards/hazards.ts';
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

/** The hazards of an install: their kind, the object and what it needs, where that is an object of its own. */
async function hazards({ files = {}, hooks = [], strategy = 'ordered' }: Given): Promise<readonly string[][]> {
  const { unit, rendered } = await arranged({ 'Chart.yaml': 'name: shop', ...files });
  const { manifests } = rendered;
  const ordered = strategy === 'ordered' ? unit : undefined;
  const plan = planInstall({ release: 'rel', namespace: 'default', strategy, manifests, hooks, unit: ordered });
  return hazardsOf(plan).map(({ kind, source, resource: name, needs }) => [
    kind,
    `${source}: ${name}`,
    ...(needs === undefined ? [] : [`${needs.kind}/${needs.name}`]),
  ]);
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
      ['hook-before-object', 'app/templates/hook.yaml: Job/migrate', 'Secret/creds'],
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
      ['hook-before-object', 'app/templates/hook.yaml: Job/migrate', 'ServiceAccount/migrator'],
    ]);
  });
});

describe('a post-hook that waiting workloads need', () => {
  const files = { 'templates/web.yaml': deployment('web', usesSecret) };
  const hooks = [hookObject('Secret', 'creds', {}, 'post-install')];
  test.each(['watcher', 'ordered'] as const)('with --wait=%s', async (strategy) => {
    expect(await hazards({ files, hooks, strategy })).toEqual([
      ['hook-after-workload', 'shop/templates/web.yaml: Deployment/web', 'Secret/creds'],
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
      ['later-batch', 'shop/templates/db.yaml: Deployment/db', 'Secret/creds'],
    ]);
  });

  test('from the resources without a group, by one that is in none itself and waits for one', async () => {
    const files = {
      'templates/db.yaml': deployment('db', '{}', '', { [group]: 'db' }),
      'templates/app.yaml': deployment('app', usesSecret, '', { [after]: ['db'] }),
      'templates/s.yaml': secret,
    };
    expect(await hazards({ files })).toEqual([
      ['later-batch', 'shop/templates/app.yaml: Deployment/app', 'Secret/creds'],
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
    expect(first).toEqual([['later-batch', expect.stringMatching(/db\.yaml: Deployment\/db$/), 'Secret/creds']]);
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
    expect(await hazards({ files })).toEqual([['later-batch', 'shop/templates/a.yaml: Deployment/a', `${kind}/x`]]);
  });
});

describe('before its definition', () => {
  const crd =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec: {group: example.com, names: {kind: Widget}}\n';
  const widget = (keys: string) => `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w${keys}}\n`;

  test('a custom resource', async () => {
    const files = { 'templates/w.yaml': widget(', annotations: {helm.sh/weight: "-1"}'), 'templates/crd.yaml': crd };
    expect(await hazards({ files })).toEqual([
      ['kind-before-crd', 'shop/templates/w.yaml: Widget/w', 'CustomResourceDefinition/widgets.example.com'],
    ]);
  });

  test('none in one batch, where the CRD comes first', async () => {
    expect(await hazards({ files: { 'templates/w.yaml': widget(''), 'templates/crd.yaml': crd } })).toEqual([]);
  });

  test('a pre-hook that is a custom resource', async () => {
    const hooks = [hookOf('w', { kind: 'Widget', manifest: widget('') })];
    expect(await hazards({ files: { 'templates/crd.yaml': crd }, hooks, strategy: 'hookOnly' })).toEqual([
      ['kind-before-crd', 'app/templates/hook.yaml: Widget/w', 'CustomResourceDefinition/widgets.example.com'],
    ]);
  });

  test('an object of a namespace', async () => {
    const files = {
      'templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: far, annotations: {helm.sh/weight: "-1"}}\n',
      'templates/n.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: far}\n',
    };
    expect(await hazards({ files })).toEqual([
      ['object-before-namespace', 'shop/templates/a.yaml: ConfigMap/a', 'Namespace/far'],
    ]);
  });
});

describe('a workload whose replicas an autoscaler owns', () => {
  const scaler =
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n';

  test('says how many it has', async () => {
    const files = { 'templates/web.yaml': deployment('web', '{}', 'replicas: 2'), 'templates/hpa.yaml': scaler };
    expect(await hazards({ files, strategy: 'hookOnly' })).toEqual([
      ['replicas-of-autoscaler', 'shop/templates/web.yaml: Deployment/web'],
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
  expect(await hazards({ files: alone })).toEqual([['one-sided-readiness', 'shop/templates/a.yaml: ConfigMap/a']]);
  const both = {
    'templates/a.yaml': resource('a', { [readinessSuccess]: '{.x} == 1', [readinessFailure]: '{.x} == 2' }),
  };
  expect(await hazards({ files: both })).toEqual([]);
});
