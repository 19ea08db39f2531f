import { itemsOf } from '../manifest/items.ts';
import { hasObject } from '../manifest/parse.ts';
import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { Hook, HookEvent, Manifest } from '../manifest/types.ts';
import { manifestsOf, plainUnit } from './arrange.ts';
import { type HookModeOf, hookBatches } from './hooks.ts';
import { isProtected, sortByResourcePolicy } from './keep.ts';
import { restricted, reversed, withItems } from './rearrange.ts';
import type { FollowUp, Plan, PlannedNeed, RecordedStatus, Step, Unit, WaitStrategy } from './types.ts';
import { applyWaves, deleteWaves, kindsOfWaves } from './waves.ts';

/** What a revision had; and how it was arranged, where what it alone had is deleted in the reverse order. */
export interface Former {
  readonly manifests: readonly Manifest[];
  readonly unit?: Unit | undefined;
}

interface PlanInput {
  readonly release: string;
  readonly namespace: string;
  readonly strategy: WaitStrategy;
  readonly hooks: readonly Hook[];
  /** False for --no-hooks. */
  readonly runHooks?: boolean | undefined;
  readonly hookModeOf?: HookModeOf | undefined;
  readonly warnings?: readonly string[] | undefined;
  /** Revisions that were never deployed whole, newest first: what the plan does not have otherwise is deleted. */
  readonly leftBehind?: readonly Former[] | undefined;
  /** Hooks whose objects a run that died would have deleted. */
  readonly overdueHooks?: readonly Hook[] | undefined;
  /** The revision that is recorded, and how; nothing is without it. */
  readonly record?: { readonly revision: number; readonly status: RecordedStatus } | undefined;
  readonly ifStopped?: readonly FollowUp[] | undefined;
}

export interface InstallInput extends PlanInput {
  readonly manifests: readonly Manifest[];
  /** The CRDs of `crds/`; they go before everything else, and are never touched again. */
  readonly crds?: readonly Manifest[] | undefined;
  /** Keys of those of the CRDs that are there already, and are updated. */
  readonly existingCrds?: ReadonlySet<string> | undefined;
  readonly createNamespace?: boolean | undefined;
  /** How the resources are arranged; by default all at once. */
  readonly unit?: Unit | undefined;
  /** What the whole release waits for outside of it. */
  readonly needs?: readonly PlannedNeed[] | undefined;
}

export interface UpgradeInput extends InstallInput {
  /** The revision that is replaced. */
  readonly current?: Former | undefined;
}

export interface UninstallInput extends PlanInput {
  /** The resources of the stored manifest. */
  readonly manifests: readonly Manifest[];
  /** How they were deployed. */
  readonly unit?: Unit | undefined;
  /** What becomes of objects that hooks have left; default: nothing. */
  readonly hookObjects?: 'delete' | 'report' | undefined;
}

/** CRDs, namespace, record, what is needed, pre-install hooks, resources, post-install hooks. */
export const planInstall = (input: InstallInput): Plan =>
  planOf('install', input, [
    ...crdSteps(input),
    ...(input.createNamespace ? [{ kind: 'create-namespace', name: input.namespace } as const] : []),
    ...recordSteps(input),
    ...needSteps(input),
    ...hookSteps(input, 'crd-install'),
    ...hookSteps(input, 'pre-install'),
    ...applySteps(input),
    ...removalSteps({ ...input, current: undefined }),
    ...hookSteps(input, 'post-install'),
  ]);

/** As an install, into a namespace that is there; and what the replaced revision had and the new one lacks is deleted last, before the post-upgrade hooks. */
export const planUpgrade = (input: UpgradeInput): Plan =>
  planOf('upgrade', input, [
    ...crdSteps(input),
    ...recordSteps(input),
    ...needSteps(input),
    ...hookSteps(input, 'crd-install'),
    ...hookSteps(input, 'pre-upgrade'),
    ...applySteps(input),
    ...removalSteps(input),
    ...hookSteps(input, 'post-upgrade'),
  ]);

/** As an upgrade, with the resources and hooks of the revision that is rolled back to. */
export const planRollback = (input: UpgradeInput): Plan =>
  planOf('rollback', input, [
    ...recordSteps(input),
    ...needSteps(input),
    ...hookSteps(input, 'pre-rollback'),
    ...applySteps(input),
    ...removalSteps(input),
    ...hookSteps(input, 'post-rollback'),
  ]);

/**
 * Pre-delete hooks, resources but for those with `helm.sh/resource-policy: keep`, post-delete hooks, and objects that hooks
 * have left. A `unit` is taken backwards. Objects that stay too long stop it where there is an order, for then later batches
 * are still live when post-delete hooks would run; otherwise they do not, as in Helm. A failed post-delete hook never does.
 */
export function planUninstall(input: UninstallInput): Plan {
  const { deleted } = sortByResourcePolicy(input.manifests);
  const unit =
    input.unit === undefined
      ? plainUnit(input.release, deleted, input.strategy)
      : reversed(restricted(input.unit, ({ object }) => !isProtected(object)));
  const deletions = [...deleteSteps(unit), ...formerSteps(leftoversOf(input), input)];
  const ifFails = input.strategy === 'ordered' ? 'stop' : 'go-on-after-timeout';
  return planOf('uninstall', input, [
    ...recordSteps(input),
    ...hookSteps(input, 'pre-delete'),
    ...deletions.map((step): Step => ({ ...step, ifFails })),
    ...hookSteps(input, 'post-delete').map((step): Step => ({ ...step, ifFails: 'go-on' })),
    ...hookObjectSteps(input),
  ]);
}

/** What a run of this plan has created is taken away again, in the reverse of its order (--cleanup-on-fail). */
export function planCleanUp(plan: Plan, isCreated: (manifest: Manifest) => boolean): Plan {
  const units = plan.steps.flatMap((step) => (step.kind === 'apply' ? [step.unit] : []));
  const steps = units.flatMap((unit) => deleteSteps(reversed(restricted(withItems(unit), isCreated))));
  return { ...plan, steps, ifStopped: undefined, warnings: [] };
}

/** Objects that are not as their revision says are sent once more. Nothing is recorded: the revision stays what it is. */
export const planFix = (input: InstallInput): Plan => planOf('fix', input, applySteps(input));

/** The test hooks, Helm 2's `test-failure` among them. */
export const planTest = (input: PlanInput): Plan =>
  planOf('test', input, [...hookSteps(input, 'test'), ...hookSteps(input, 'test-failure')]);

const planOf = (action: Plan['action'], input: PlanInput, steps: readonly Step[]): Plan => ({
  action,
  release: input.release,
  namespace: input.namespace,
  strategy: input.strategy,
  steps,
  ifStopped: input.ifStopped,
  warnings: input.warnings ?? [],
});

const crdSteps = ({ crds = [], existingCrds }: InstallInput): readonly Step[] =>
  crds.length === 0 ? [] : [{ kind: 'install-crds', manifests: crds, existing: existingCrds }];

/** What a run that died has left of its hooks is out of the way when the next one begins. */
function recordSteps({ overdueHooks = [], record }: PlanInput): readonly Step[] {
  return [
    ...(overdueHooks.length === 0
      ? []
      : [{ kind: 'hook-objects', hooks: overdueHooks, task: 'delete-overdue' } as const]),
    ...(record === undefined ? [] : [{ kind: 'record', ...record } as const]),
  ];
}

const needSteps = ({ needs = [] }: InstallInput): readonly Step[] =>
  needs.length === 0 ? [] : [{ kind: 'await-needs', needs }];

const hookObjectSteps = ({ hooks, hookObjects }: UninstallInput): readonly Step[] =>
  hooks.length === 0 || hookObjects === undefined
    ? []
    : [{ kind: 'hook-objects', hooks, task: hookObjects, ifFails: 'go-on' }];

function hookSteps(input: PlanInput, event: HookEvent): readonly Step[] {
  if (input.runHooks === false) return [];
  const batches = hookBatches(input.hooks, event, input.hookModeOf);
  return batches.length === 0 ? [] : [{ kind: 'run-hooks', event, batches }];
}

function applySteps(input: InstallInput): readonly Step[] {
  const unit = input.unit ?? plainUnit(input.release, input.manifests.filter(hasObject), input.strategy);
  const manifests = manifestsOf(unit);
  return manifests.length === 0 ? [] : [{ kind: 'apply', unit, waves: kindsOfWaves(applyWaves(manifests)) }];
}

/** What a List holds is deleted one by one, each in the wave of its kind. */
function deleteSteps(unit: Unit): readonly Step[] {
  const manifests = manifestsOf(unit);
  if (manifests.length === 0) return [];
  const items = manifests.flatMap(({ object, ...rest }) => itemsOf(object).map((item) => ({ ...rest, object: item })));
  return [{ kind: 'delete', unit, waves: kindsOfWaves(deleteWaves(items)) }];
}

const removalSteps = (input: UpgradeInput): readonly Step[] =>
  formerSteps([...leftoversOf(input), ...(input.current === undefined ? [] : [input.current])], input);

/** What is there is as the newest revision that had it left it: it goes in the reverse of that one's order. */
function formerSteps(
  formers: readonly Former[],
  { release, namespace, manifests }: PlanInput & Pick<InstallInput, 'manifests'>,
): readonly Step[] {
  const keyOf = keyIn(namespace);
  const settled = new Set(manifests.map(keyOf));
  return formers.flatMap((former) => {
    const gone = new Set(former.manifests.map(keyOf).filter((key) => !settled.has(key)));
    for (const key of gone) settled.add(key);
    const removed = former.manifests.filter((manifest) => gone.has(keyOf(manifest)));
    if (removed.length === 0) return [];
    if (former.unit === undefined) return deleteSteps(plainUnit(release, removed, 'hookOnly'));
    return deleteSteps(reversed(restricted(former.unit, (manifest) => gone.has(keyOf(manifest)))));
  });
}

/** Group, kind, namespace and name, by which Helm tells resources apart too (kube.ResourceList.Difference). */
const keyIn =
  (namespace: string) =>
  ({ object }: Manifest): string =>
    objectKey(idOf(object, namespace));

/** The resource policy of the replaced revision is that of the live object, and judged when that is deleted. */
function leftoversOf({
  namespace,
  leftBehind = [],
  ...input
}: PlanInput & Pick<UpgradeInput, 'current'>): readonly Former[] {
  const keyOf = keyIn(namespace);
  const current = new Set(input.current?.manifests.map(keyOf));
  return leftBehind.map(({ manifests, unit }) => ({
    manifests: manifests.filter((manifest) => current.has(keyOf(manifest)) || !isProtected(manifest.object)),
    unit,
  }));
}
