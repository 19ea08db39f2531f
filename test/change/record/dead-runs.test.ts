import { describe, expect, test } from 'vitest';
import { hooksLeftByDeadRuns, revisionsWithLeftovers } from '../../../src/change/record/dead-runs.ts';
import { executePlan } from '../../../src/execute/execute.ts';
import type { Hook } from '../../../src/manifest/types.ts';
import { manifestsOf as resourcesOf } from '../../../src/plan/arrange.ts';
import { planInstall, planRollback, planUninstall, planUpgrade } from '../../../src/plan/plan.ts';
import { readStoredManifest } from '../../../src/plan/stored-manifest.ts';
import type { Plan } from '../../../src/plan/types.ts';
import type { Release, ReleaseStatus } from '../../../src/release/types.ts';
import { openWorld } from '../../actions/harness.ts';
import { hookOf, manifestsOf, namesOf } from '../../plan/manifests.ts';
import { releaseOf } from '../../release/releases.ts';

const configMap = (name: string): string => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

/** Revisions from 1, each a status and the ConfigMaps of its manifest. */
const historyOf = (...revisions: readonly (readonly [ReleaseStatus, string])[]): readonly Release[] =>
  revisions.map(([status, names], index) =>
    releaseOf('web', index + 1, status, { manifest: names.split(' ').map(configMap).join('') }),
  );

describe('what revisions that were never deployed whole left behind', () => {
  test.each([
    [
      'nothing after one that was deployed',
      [
        ['superseded', 'a'],
        ['deployed', 'b'],
      ],
      [],
    ],
    ['its own after an install that died', [['failed', 'a b']], ['a', 'b']],
    [
      'its own, and what it did not take away',
      [
        ['deployed', 'a'],
        ['pending-upgrade', 'b'],
      ],
      ['b', 'a'],
    ],
    [
      'that of several',
      [
        ['deployed', 'a'],
        ['failed', 'b'],
        ['failed', 'c'],
      ],
      ['c', 'b', 'a'],
    ],
    [
      'what a rollback that failed did not take away',
      [
        ['superseded', 'a'],
        ['failed', 'b'],
      ],
      ['b', 'a'],
    ],
    [
      'not what was there before',
      [
        ['deployed', 'a'],
        ['deployed', 'b'],
        ['failed', 'c'],
      ],
      ['c', 'b'],
    ],
    [
      'not what was uninstalled',
      [
        ['uninstalled', 'a'],
        ['failed', 'b'],
      ],
      ['b'],
    ],
  ] as [string, [ReleaseStatus, string][], string[]][])('%s', (_what, revisions, names) => {
    const left = revisionsWithLeftovers(historyOf(...revisions)).flatMap(({ manifest }) =>
      readStoredManifest(manifest),
    );
    expect(left.map(({ object }) => object.metadata.name)).toEqual(names);
  });
});

const common = { release: 'web', namespace: 'default', strategy: 'hookOnly', hooks: [] } as const;
const left = {
  ...common,
  manifests: manifestsOf('ConfigMap/a', 'ConfigMap/b'),
  leftBehind: [{ manifests: manifestsOf('ConfigMap/b', 'ConfigMap/x') }, { manifests: manifestsOf('ConfigMap/x') }],
};
const deletionsOf = ({ steps }: Plan): readonly (readonly string[])[] =>
  steps.flatMap((step) => (step.kind === 'delete' ? [namesOf(resourcesOf(step.unit))] : []));

test.each([
  ['install', planInstall(left), [['ConfigMap/x']]],
  [
    'upgrade',
    planUpgrade({ ...left, current: { manifests: manifestsOf('ConfigMap/c') } }),
    [['ConfigMap/x'], ['ConfigMap/c']],
  ],
  ['rollback', planRollback({ ...left, current: { manifests: manifestsOf('ConfigMap/x') } }), [['ConfigMap/x']]],
  ['uninstall', planUninstall(left), [['ConfigMap/a', 'ConfigMap/b'], ['ConfigMap/x']]],
] as const)('the plan of an %s deletes what was left behind and is not wanted, once', (_action, plan, deletions) => {
  expect(deletionsOf(plan)).toEqual(deletions);
});

test('what the resource policy protects is no leftover', () => {
  const [kept] = manifestsOf('ConfigMap/kept');
  if (kept === undefined) throw new Error('internal: no manifest');
  const annotations = { 'helm.sh/resource-policy': 'keep' };
  const object = { ...kept.object, metadata: { ...kept.object.metadata, annotations } };
  expect(deletionsOf(planInstall({ ...left, leftBehind: [{ manifests: [{ ...kept, object }] }] }))).toEqual([]);
});

describe('objects of hooks that a run which died would have deleted', () => {
  test.each([
    ['Running', ['hook-succeeded'], true],
    ['Running', ['before-hook-creation', 'hook-failed'], true],
    ['Running', ['before-hook-creation'], false],
    ['Running', [], false],
    ['Succeeded', ['hook-succeeded'], true],
    ['Succeeded', ['hook-failed'], false],
    ['Failed', ['hook-failed'], true],
    ['Failed', ['hook-succeeded'], false],
    ['', ['hook-succeeded', 'hook-failed'], false],
  ] as [Hook['lastRun']['phase'], Hook['deletePolicies'], boolean][])(
    '%s, %s: %s',
    async (phase, deletePolicies, isGone) => {
      const { cluster } = openWorld();
      cluster.add({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate' } });
      const hooks = [hookOf('migrate', { deletePolicies, lastRun: { phase } })];
      const history = [releaseOf('web', 1, 'deployed', { hooks }), releaseOf('web', 2, 'failed', { hooks })];
      await executePlan(planInstall({ ...common, manifests: [], overdueHooks: hooksLeftByDeadRuns(history) }), {
        cluster,
      });
      expect(cluster.find('migrate') === undefined).toBe(isGone);
    },
  );

  test('of revisions before the last one that was deployed they are none', async () => {
    const { cluster } = openWorld();
    cluster.add({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate' } });
    const hooks = [hookOf('migrate', { deletePolicies: ['hook-succeeded'], lastRun: { phase: 'Running' } })];
    const history = [releaseOf('web', 1, 'failed', { hooks }), releaseOf('web', 2, 'deployed')];
    expect(hooksLeftByDeadRuns(history)).toEqual([]);
    await executePlan(planInstall({ ...common, manifests: [], overdueHooks: hooksLeftByDeadRuns(history) }), {
      cluster,
    });
    expect(cluster.find('migrate')).toBeDefined();
  });
});
