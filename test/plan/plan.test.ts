import { describe, expect, test } from 'vitest';
import { parseManifests } from '../../src/manifest/parse.ts';
import { planInstall, planRollback, planTest, planUninstall, planUpgrade } from '../../src/plan/plan.ts';
import { hookOf, manifestsOf } from './manifests.ts';
import { printPlan } from './print-plan.ts';

const common = { release: 'web', namespace: 'shop', strategy: 'hookOnly', hooks: [] } as const;
const plan = (text: string): string => text.replace(/^ {4}/gm, '').trimStart();

test('an install: CRDs, namespace, hooks around the resources', () => {
  const install = planInstall({
    ...common,
    strategy: 'watcher',
    crds: manifestsOf('CustomResourceDefinition/widgets'),
    createNamespace: true,
    manifests: manifestsOf('ConfigMap/b', 'ConfigMap/a', 'Deployment/web'),
    hooks: [hookOf('migrate', { weight: -5 }), hookOf('seed'), hookOf('greet', {}, 'post-install')],
    warnings: ['careful'],
  });
  expect(printPlan(install)).toBe(
    plan(`
    install web in namespace shop (wait: watcher)
      1. install CRDs
           CustomResourceDefinition: widgets
      2. create namespace shop if it does not exist
      3. run pre-install hooks
           Job/migrate (-5)
           Job/seed
      4. apply web
           in waves: ConfigMap | Deployment
           batch 1 of 1, then wait
             web
               ConfigMap: a, b
               Deployment: web
      5. run post-install hooks
           Job/greet
    warning: careful
    `),
  );
});

test('an upgrade deletes last what the new revision lacks; another API version is the same object', () => {
  const upgrade = planUpgrade({
    ...common,
    current: {
      manifests: manifestsOf('ConfigMap/old', 'ConfigMap/kept', 'autoscaling/v1 HorizontalPodAutoscaler/hpa'),
    },
    manifests: manifestsOf('ConfigMap/kept', 'ConfigMap/new', 'autoscaling/v2 HorizontalPodAutoscaler/hpa'),
    hooks: [hookOf('after', {}, 'post-upgrade'), hookOf('installs')],
  });
  expect(printPlan(upgrade)).toBe(
    plan(`
    upgrade web in namespace shop (wait: hookOnly)
      1. apply web
           in waves: ConfigMap | HorizontalPodAutoscaler
           web
             ConfigMap: kept, new
             HorizontalPodAutoscaler: hpa
      2. delete from web
           web
             ConfigMap: old
      3. run post-upgrade hooks
           Job/after
    `),
  );
});

test('a rollback runs its own hooks', () => {
  const hooks = [hookOf('before', {}, 'pre-rollback'), hookOf('after', {}, 'post-rollback')];
  const rollback = planRollback({ ...common, manifests: manifestsOf('ConfigMap/a'), hooks });
  expect(rollback.steps.map(({ kind }) => kind)).toEqual(['run-hooks', 'apply', 'run-hooks']);
});

test('an uninstall leaves what the resource policy keeps', () => {
  const kept = parseManifests(
    'apiVersion: v1\nkind: Secret\nmetadata: {name: kept, annotations: {helm.sh/resource-policy: " Keep "}}\n',
  );
  const uninstall = planUninstall({ ...common, manifests: [...manifestsOf('ConfigMap/a'), ...kept] });
  expect(printPlan(uninstall)).toBe(
    plan(`
    uninstall web in namespace shop (wait: hookOnly)
      1. delete from web (if it takes too long: continue)
           web
             ConfigMap: a
    `),
  );
});

test('an ordered uninstall stops where a batch takes too long', () => {
  const hooks = [hookOf('after', {}, 'post-delete')];
  const uninstall = planUninstall({ ...common, strategy: 'ordered', manifests: manifestsOf('ConfigMap/a'), hooks });
  expect(printPlan(uninstall)).toBe(
    plan(`
    uninstall web in namespace shop (wait: ordered)
      1. delete from web (if it fails or takes too long: stop)
           batch 1 of 1, then wait
             web
               ConfigMap: a
      2. run post-delete hooks (if it fails: continue)
           Job/after
    `),
  );
});

describe('what keeps the books, and what a failure leads to', () => {
  test('an upgrade: objects of hooks that a run left, the record, and the way back', () => {
    const upgrade = planUpgrade({
      ...common,
      manifests: manifestsOf('ConfigMap/a'),
      overdueHooks: [hookOf('migrate')],
      record: { revision: 3, status: 'pending-upgrade' },
      ifStopped: [{ kind: 'record-failure' }, { kind: 'delete-created' }, { kind: 'roll-back', revision: 2 }],
    });
    expect(printPlan(upgrade)).toBe(
      plan(`
    upgrade web in namespace shop (wait: hookOnly)
      1. delete hook objects left by an earlier run
           Job/migrate
      2. record revision 3 as pending-upgrade
      3. apply web
           web
             ConfigMap: a
      on failure: stop, then mark the revision failed, then delete what was created, then roll back to revision 2
    `),
    );
  });

  test('an uninstall goes on after objects that stay too long and a failed post-delete hook', () => {
    const uninstall = planUninstall({
      ...common,
      manifests: manifestsOf('ConfigMap/a', 'Deployment/web', 'ClusterRole/reader', 'Namespace/own'),
      record: { revision: 3, status: 'uninstalling' },
      hooks: [hookOf('before', {}, 'pre-delete'), hookOf('after', {}, 'post-delete')],
      hookObjects: 'report',
    });
    expect(printPlan(uninstall)).toBe(
      plan(`
    uninstall web in namespace shop (wait: hookOnly)
      1. record revision 3 as uninstalling
      2. run pre-delete hooks
           Job/before
      3. delete from web (if it takes too long: continue)
           in waves: Deployment, ClusterRole | ConfigMap | Namespace
           web
             ConfigMap: a
             Deployment: web
             ClusterRole: reader
             Namespace: own
      4. run post-delete hooks (if it fails: continue)
           Job/after
      5. report the remaining hook objects (if it fails: continue)
           Job/before, Job/after
    `),
    );
  });
});

test('--no-hooks, and nothing to do', () => {
  const empty = planInstall({ ...common, manifests: [], hooks: [hookOf('a')], runHooks: false });
  expect(printPlan(empty)).toBe('install web in namespace shop (wait: hookOnly)\n  nothing to do\n');
});

test("tests: Helm's event and Helm 2's", () => {
  const hooks = [hookOf('ok', {}, 'test'), hookOf('must-fail', {}, 'test-failure')];
  expect(planTest({ ...common, hooks }).steps).toMatchObject([{ event: 'test' }, { event: 'test-failure' }]);
});
