import { isWaitedFor } from '../manifest/hook.ts';
import { sortByKind } from '../manifest/kind-order.ts';
import type { Hook, HookEvent } from '../manifest/types.ts';
import { groupBy } from '../support/group-by.ts';
import { compareText } from '../support/order.ts';

/** Chart.yaml's runHooksInParallel. */
export type HookMode = 'false' | 'otherChartsOnly' | 'true';

/** The mode of the chart that a hook comes from, by the hook's template path. */
export type HookModeOf = (path: string) => HookMode;

/** Hooks that run together; each inner list is a chain that runs one after another. */
type HookBatch = readonly (readonly Hook[])[];

/**
 * The batches in which one event's hooks run: ascending by weight, then by name. In one weight the hooks of charts that
 * allow it run together, the others after them one by one (docs/ordering.md, 5 and 6). Without modes this is Helm's order.
 */
export function hookBatches(
  hooks: readonly Hook[],
  event: HookEvent,
  modeOf: HookModeOf = () => 'false',
): readonly HookBatch[] {
  const due = hooks.filter((hook) => hook.events.includes(event)).sort(byWeightThenName);
  return [...groupBy(due, (hook) => hook.weight).values()].flatMap((sameWeight) => batchesOfWeight(sameWeight, modeOf));
}

const byWeightThenName = (a: Hook, b: Hook): number => a.weight - b.weight || compareText(a.name, b.name);

function batchesOfWeight(hooks: readonly Hook[], modeOf: HookModeOf): readonly HookBatch[] {
  const withMode = (mode: HookMode): readonly Hook[] => hooks.filter((hook) => modeOf(hook.path) === mode);
  const free = withMode('true');
  const configuration = sortByKind(free, (hook) => hook.kind).filter((hook) => !isWaitedFor(hook));
  const chains = [...groupBy(withMode('otherChartsOnly'), (hook) => chartOf(hook.path)).values()];
  const together = [...free.filter(isWaitedFor).map(chainOfOne), ...chains].sort(byFirstHook);
  return [configuration.map(chainOfOne), together, [withMode('false')]].map(withoutEmptyChains).filter(isNotEmpty);
}

const byFirstHook = ([a]: readonly Hook[], [b]: readonly Hook[]): number => byWeightThenName(a as Hook, b as Hook);

const chainOfOne = (hook: Hook): readonly Hook[] => [hook];
const isNotEmpty = (items: readonly unknown[]): boolean => items.length > 0;
const withoutEmptyChains = (batch: HookBatch): HookBatch => batch.filter(isNotEmpty);

/** The path of the chart that a template belongs to: `parent/charts/sub` of `parent/charts/sub/templates/job.yaml`. */
export function chartOf(path: string): string {
  const end = path.lastIndexOf('/templates/');
  return end === -1 ? path : path.slice(0, end);
}

/** Whether the run of a hook deletes its object again at its end, at least when all goes well or when it does not. */
export const isTemporary = ({ deletePolicies }: Pick<Hook, 'deletePolicies'>): boolean =>
  deletePolicies.includes('hook-succeeded') || deletePolicies.includes('hook-failed');
