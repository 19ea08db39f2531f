import type { Chart } from '../chart/types.ts';
import { annotations } from '../manifest/annotations.ts';
import { parseManifest } from '../manifest/parse.ts';
import type { Classified, Hook } from '../manifest/types.ts';
import { type Choice, chooseStrategy, declaresOrder } from './choice.ts';
import { hookProblems } from './hook-mistakes.ts';
import { recordedHookModes } from './hook-modes.ts';
import { type OrderAllowance, undeclaredOrder } from './lost-edges.ts';
import { misspeltAnnotations } from './misspelt-keys.ts';
import { recordedAnnotations } from './order-annotations.ts';
import { orderedUnit } from './ordered.ts';
import { mistakeText, type OrderProblem, orderProblem, problemText } from './problems.ts';
import type { Revision } from './revision.ts';
import { pendingSequencing } from './sequencing.ts';
import { derivedAnnotation, isDerived, type Order, orderReusedNote, wasInOrder } from './stored-order.ts';
import type { WaitMode, WaitStrategy } from './types.ts';

/** A chart that is rendered, and the revision that it replaces. */
interface Charted {
  readonly chart: Chart;
  /** Without the subcharts that are off. */
  readonly prepared: Chart;
  readonly rendered: Classified;
  readonly replaced: Revision | undefined;
  readonly history: readonly Revision[];
  /** The release's. */
  readonly namespace?: string | undefined;
}

interface OrderOptions extends OrderAllowance {
  /** What the user asks for. */
  readonly wait?: WaitMode | undefined;
  /** Where nothing chooses another one. */
  readonly fallback: WaitStrategy;
}

/**
 * How a rendered chart is waited for: what was asked for, what its annotations choose, or as the revision before it was
 * deployed (docs/ordering.md, 1).
 */
export function chooseWait(
  { prepared, rendered, replaced, history }: Charted,
  { wait, fallback }: Pick<OrderOptions, 'wait' | 'fallback'>,
): Choice {
  if (wait === 'auto') return { strategy: 'ordered', isDerived: true };
  if (wait === undefined && prepared.order !== undefined)
    return { strategy: 'ordered', isDerived: prepared.order.derive };
  const chosen = chooseStrategy(wait, fallback, rendered.manifests, prepared);
  const isCarriedOn = chosen.strategy !== 'ordered' && wait === undefined && wasInOrder(replaced);
  const note = isCarriedOn ? orderReusedNote(replaced, history) : chosen.note;
  const isDerivedAgain = wait === undefined ? isDerived(replaced) : prepared.order?.derive;
  return { strategy: isCarriedOn ? 'ordered' : chosen.strategy, note, isDerived: isDerivedAgain };
}

/** The order of a rendered chart. Errors: `dependency-cycle`, `invalid-ordering`. */
export function orderOf(
  { chart, prepared, rendered, replaced, namespace }: Charted,
  { strategy, isDerived: derives = false }: Choice,
  options: Omit<OrderOptions, 'fallback'>,
): Order {
  const { manifests, hooks } = rendered;
  const ofHooks = [...hookWarnings(prepared, hooks), ...misspeltAnnotations(prepared, rendered)].map(problemText);
  const kept = {
    ...recordedAnnotations(chart, prepared),
    ...recordedHookModes(prepared),
    ...(chart.order !== undefined && { [orderFileKey]: chart.order.name }),
    ...(strategy === 'ordered' && derives && derivedAnnotation),
    ...(chart.order?.needs !== undefined && { [annotations.needs]: JSON.stringify(chart.order.needs.needs) }),
  };
  if (strategy !== 'ordered') return { strategy, warnings: ofHooks, kept };
  const { unit, needs, warnings } = orderedUnit(chart, prepared, manifests, { ...options, derives, namespace });
  // Where Helm may have dropped the order, a warning says that nothing declares one.
  const isUndeclared =
    options.wait === 'ordered' && !derives && warnings.length === 0 && !declaresOrder(manifests, prepared);
  return {
    strategy,
    unit,
    needs,
    sequencing: pendingSequencing(unit, needs),
    warnings: [...ofHooks, ...lostOrderFile(chart, replaced), ...warnings],
    undeclared: isUndeclared ? mistakeText(undeclaredOrder(chart)) : undefined,
    kept,
  };
}

/** In the annotations of a recorded chart: the name of the order file that it was deployed with. */
const orderFileKey = 'tshelm.dev/order-file';

/** That a release which was deployed with an order file is upgraded without one: nothing else says what it declared. */
function lostOrderFile({ order, metadata }: Chart, replaced: Revision | undefined): readonly string[] {
  const file = replaced?.chart.metadata.annotations?.[orderFileKey];
  if (replaced === undefined || file === undefined || order !== undefined) return [];
  const { name: release, version: revision } = replaced;
  const place = { file: `${metadata.name}/Chart.yaml` };
  return [mistakeText(orderProblem({ code: 'order-file-left-out', release, revision, file }, place))];
}

const keyWithRules = /helm\.sh\/hook-(?:weight|delete-policy|output-log-policy|delete-timeout|timeout)/;

/** Mistakes in the annotations of hooks, which Helm passes over (docs/ordering.md, 6). */
const hookWarnings = (chart: Chart, hooks: readonly Hook[]): readonly OrderProblem[] =>
  hooks
    .filter(({ manifest }) => keyWithRules.test(manifest))
    .flatMap(({ manifest, path }) => hookProblems(chart, parseManifest(manifest, path).object, path));
