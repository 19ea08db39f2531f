import { hasObject } from '../manifest/parse.ts';
import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { Hook, HookEvent, Manifest } from '../manifest/types.ts';
import { manifestsOf, plainUnit } from './arrange.ts';
import { type HookModeOf, hookBatches } from './hooks.ts';
import { isProtected, sortByResourcePolicy } from './keep.ts';
import { restricted, reversed } from './rearrange.ts';
import type { Plan, Step, Unit, WaitStrategy } from './types.ts';

interface PlanInput {
  readonly release: string;
  readonly namespace: string;
  readonly strategy: WaitStrategy;
  readonly hooks: readonly Hook[];
  /** False for --no-hooks. */
  readonly runHooks?: boolean | undefined;
  readonly hookModeOf?: HookModeOf | undefined;
  readonly warnings?: readonly string[] | undefined;
  /** Resources of revisions that were never deployed whole; those that the plan does not have otherwise are deleted. */
  readonly leftBehind?: readonly Manifest[] | undefined;
}

export interface InstallInput extends PlanInput {
  readonly manifests: readonly Manifest[];
  /** The CRDs of `crds/`; they go before everything else, and are never touched again. */
  readonly crds?: readonly Manifest[] | undefined;
  readonly createNamespace?: boolean | undefined;
  /** How the resources are arranged; by default all at once. */
  readonly unit?: Unit | undefined;
}

export interface UpgradeInput extends InstallInput {
  /** The resources of the revision that is replaced. */
  readonly current: readonly Manifest[];
  /** How the replaced revision was arranged: what it alone had is deleted in the reverse order. */
  readonly currentUnit?: Unit | undefined;
}

export interface UninstallInput extends PlanInput {
  /** The resources of the stored manifest. */
  readonly manifests: readonly Manifest[];
  /** How they were deployed. */
  readonly unit?: Unit | undefined;
}

/** CRDs, namespace, pre-install hooks, resources, post-install hooks. */
export const planInstall = (input: InstallInput): Plan =>
  planOf('install', input, [
    ...preparationSteps(input),
    ...hookSteps(input, 'crd-install'),
    ...hookSteps(input, 'pre-install'),
    ...applySteps(input),
    ...removalSteps({ ...input, current: [] }),
    ...hookSteps(input, 'post-install'),
  ]);

/** As an install, into a namespace that is there; and what the replaced revision had and the new one lacks is deleted last, before the post-upgrade hooks. */
export const planUpgrade = (input: UpgradeInput): Plan =>
  planOf('upgrade', input, [
    ...preparationSteps({ namespace: input.namespace, crds: input.crds }),
    ...hookSteps(input, 'crd-install'),
    ...hookSteps(input, 'pre-upgrade'),
    ...applySteps(input),
    ...removalSteps(input),
    ...hookSteps(input, 'post-upgrade'),
  ]);

/** As an upgrade, with the resources and hooks of the revision that is rolled back to. */
export const planRollback = (input: UpgradeInput): Plan =>
  planOf('rollback', input, [
    ...hookSteps(input, 'pre-rollback'),
    ...applySteps(input),
    ...removalSteps(input),
    ...hookSteps(input, 'post-rollback'),
  ]);

/**
 * Pre-delete hooks, resources but for those with `helm.sh/resource-policy: keep`, post-delete hooks. A `unit` is taken
 * backwards.
 */
export function planUninstall(input: UninstallInput): Plan {
  const { deleted } = sortByResourcePolicy(input.manifests);
  const unit =
    input.unit === undefined
      ? plainUnit(input.release, deleted, input.strategy)
      : reversed(restricted(input.unit, ({ object }) => !isProtected(object)));
  return planOf('uninstall', input, [
    ...hookSteps(input, 'pre-delete'),
    ...(manifestsOf(unit).length > 0 ? [{ kind: 'delete', unit } as const] : []),
    ...leftBehindSteps(input, input.manifests),
    ...hookSteps(input, 'post-delete'),
  ]);
}

/** The test hooks, Helm 2's `test-failure` among them. */
export const planTest = (input: PlanInput): Plan =>
  planOf('test', input, [...hookSteps(input, 'test'), ...hookSteps(input, 'test-failure')]);

/** The CRDs alone: they are installed before the chart is rendered, which may ask whether their kinds exist. */
export const planCrds = (input: PlanInput & { readonly crds: readonly Manifest[] }): Plan =>
  planOf('install', input, preparationSteps(input));

const planOf = (action: Plan['action'], input: PlanInput, steps: readonly Step[]): Plan => ({
  action,
  release: input.release,
  namespace: input.namespace,
  strategy: input.strategy,
  steps,
  warnings: input.warnings ?? [],
});

function preparationSteps(input: {
  readonly namespace: string;
  readonly crds?: readonly Manifest[] | undefined;
  readonly createNamespace?: boolean | undefined;
}): readonly Step[] {
  const { crds = [], createNamespace = false, namespace } = input;
  return [
    ...(crds.length > 0 ? [{ kind: 'install-crds', manifests: crds } as const] : []),
    ...(createNamespace ? [{ kind: 'create-namespace', name: namespace } as const] : []),
  ];
}

function hookSteps(input: PlanInput, event: HookEvent): readonly Step[] {
  if (input.runHooks === false) return [];
  const batches = hookBatches(input.hooks, event, input.hookModeOf);
  return batches.length === 0 ? [] : [{ kind: 'run-hooks', event, batches }];
}

function applySteps(input: InstallInput): readonly Step[] {
  const unit = input.unit ?? plainUnit(input.release, input.manifests.filter(hasObject), input.strategy);
  return manifestsOf(unit).length === 0 ? [] : [{ kind: 'apply', unit }];
}

function removalSteps(input: UpgradeInput): readonly Step[] {
  return [...replacedSteps(input), ...leftBehindSteps(input, [...input.current, ...input.manifests])];
}

function replacedSteps(input: UpgradeInput): readonly Step[] {
  const removed = removedManifests(input.current, input.manifests, input.namespace);
  if (removed.length === 0) return [];
  if (input.currentUnit === undefined) {
    return [{ kind: 'delete', unit: plainUnit(input.release, removed, 'hookOnly') }];
  }
  const keyOf = ({ object }: Manifest): string => objectKey(idOf(object, input.namespace));
  const gone = new Set(removed.map(keyOf));
  const unit = restricted(input.currentUnit, (manifest) => gone.has(keyOf(manifest)));
  return [{ kind: 'delete', unit: reversed(unit) }];
}

function leftBehindSteps(
  { release, namespace, leftBehind = [] }: PlanInput,
  planned: readonly Manifest[],
): readonly Step[] {
  const left = removedManifests(leftBehind, planned, namespace).filter((manifest) => !isProtected(manifest.object));
  const byKey = new Map(left.map((manifest) => [objectKey(idOf(manifest.object, namespace)), manifest]));
  return byKey.size === 0 ? [] : [{ kind: 'delete', unit: plainUnit(release, [...byKey.values()], 'hookOnly') }];
}

/** What `current` has and `target` lacks, by group, kind, namespace and name (kube.ResourceList.Difference). */
function removedManifests(
  current: readonly Manifest[],
  target: readonly Manifest[],
  namespace: string,
): readonly Manifest[] {
  const keyOf = (manifest: Manifest): string => objectKey(idOf(manifest.object, namespace));
  const wanted = new Set(target.map(keyOf));
  return current.filter((manifest) => !wanted.has(keyOf(manifest)));
}
