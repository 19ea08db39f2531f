import type { Chart } from '../../chart/types.ts';
import type { UnitState } from '../../execute/events.ts';
import { annotations } from '../../manifest/annotations.ts';
import { hasObject } from '../../manifest/parse.ts';
import { manifestsOf } from '../../plan/arrange.ts';
import { chartNamesOf } from '../../plan/chart-path.ts';
import { chooseStrategy, declaresOrder } from '../../plan/choice.ts';
import { hookWarnings } from '../../plan/hook-warnings.ts';
import { undeclaredOrder } from '../../plan/lost-edges.ts';
import { misspeltAnnotations } from '../../plan/misspelt-keys.ts';
import { recordedAnnotations } from '../../plan/order-annotations.ts';
import { orderedUnit } from '../../plan/ordered.ts';
import { problemText } from '../../plan/problems.ts';
import { type Guess, orderOfManifest, readBackUnit } from '../../plan/read-back.ts';
import { isSequencing, readSequencing, type Sequencing, sequencingOf } from '../../plan/sequencing.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import type { Unit, WaitStrategy } from '../../plan/types.ts';
import { isSameChart } from '../../release/same-chart.ts';
import type { Release } from '../../release/types.ts';
import { manifestText } from '../../render/manifest-text.ts';
import type { PreparedChart } from '../../render/release.ts';
import type { Context } from '../context.ts';
import type { Rendered } from '../rendering/render.ts';
import { type ChartOptions, type DeployOptions, strategyOf } from './deploy-options.ts';
import { lostHookModes, recordedHookModes } from './hook-modes.ts';

/** How a release is waited for, and with `ordered` in which order its resources go. */
export interface Order {
  readonly strategy: WaitStrategy;
  readonly unit?: Unit | undefined;
  /** For the record; undefined without an order. */
  readonly sequencing?: Sequencing | undefined;
  readonly warnings: readonly string[];
  /** That nothing declares the order that was asked for, where Helm may have dropped it. */
  readonly undeclared?: string | undefined;
  /** Why it is an order, where nobody asked for one. */
  readonly note?: string | undefined;
  /** The annotations that keep the chart's order in its record; undefined for a record that is there already. */
  readonly kept?: Readonly<Record<string, string>> | undefined;
}

/** A chart that is rendered, and the revision that it replaces. */
interface Charted {
  readonly chart: Chart;
  readonly prepared: PreparedChart;
  readonly rendered: Rendered;
  readonly replaced: Release | undefined;
  readonly history: readonly Release[];
}

/**
 * The order of a rendered chart: what was asked for, what its annotations choose, or as the revision before it was deployed
 * (docs/ordering.md, 1). Says so in a note.
 * Errors: `dependency-cycle`, `invalid-ordering`.
 */
export function chooseOrder(
  { chart, prepared, rendered, replaced, history }: Charted,
  options: DeployOptions & Pick<ChartOptions, 'rollbackOnFailure' | 'allowLostOrder'>,
  context: Context,
): Order {
  const chosen = chooseStrategy(options.wait, strategyOf(options), rendered.manifests, prepared.chart);
  const isCarriedOn = chosen.strategy !== 'ordered' && options.wait === undefined && wasInOrder(replaced);
  const choice = isCarriedOn ? { strategy: 'ordered' as const, note: carriedOn(replaced, history) } : chosen;
  if (choice.note !== undefined) context.onEvent?.({ kind: 'note', text: choice.note });
  const misspelt = misspeltAnnotations(prepared.chart, rendered).map(problemText);
  const ofHooks = [...hookWarnings(rendered.hooks), ...misspelt];
  const kept = { ...recordedAnnotations(chart, prepared.chart), ...recordedHookModes(prepared.chart) };
  if (choice.strategy !== 'ordered') return { strategy: choice.strategy, warnings: ofHooks, kept };
  const { unit, warnings } = orderedUnit(chart, prepared.chart, rendered.manifests, options);
  const undeclared =
    options.wait === 'ordered' && !declaresOrder(rendered.manifests, prepared.chart)
      ? undeclaredOrder(chart, options)
      : undefined;
  if (undeclared !== undefined) context.onEvent?.({ kind: 'note', text: undeclared.text });
  return {
    strategy: 'ordered',
    unit,
    sequencing: recorded(unit),
    warnings: [...ofHooks, ...warnings],
    undeclared: undeclared?.mayBeLost ? undeclared.text : undefined,
    kept,
  };
}

/** The rendered chart with its manifest in the order in which it is deployed, as it is stored. */
export function inOrder(rendered: Rendered, { unit }: Order): Rendered {
  if (unit === undefined) return rendered;
  const manifests = [...manifestsOf(unit), ...rendered.manifests.filter((manifest) => !hasObject(manifest))];
  return { ...rendered, manifests, manifest: manifestText(manifests) };
}

/**
 * Says that a release was deployed in an order. Helm carries the labels of a release on to its next revisions, and drops
 * the field `sequencing`; a manifest with groups alone may stand in Helm's own order, and then tells nothing.
 */
const orderLabel = 'tshelm.dev/wait';

const wasInOrder = (release: Release | undefined): release is Release => release?.labels[orderLabel] === 'ordered';

const carriedOn = (release: Release, history: readonly Release[]): string =>
  `${deployedInOrder(release, history)}, so this run uses it too (--wait=hookOnly turns it off)`;

const passedOver = (release: Release, history: readonly Release[], wait: WaitStrategy): string =>
  `${deployedInOrder(release, history)}; --wait=${wait} ignores its order`;

/** Names the revision of which it is known: a label does not tell, as Helm carries it on to revisions that it makes. */
function deployedInOrder(release: Release, history: readonly Release[]): string {
  const known = [release, ...history.filter(({ version }) => version < release.version).reverse()];
  const found = known.find(({ sequencing }) => isSequencing(sequencing)) ?? firstOrdered([...history, release]);
  const which =
    found === undefined ? `an earlier revision of ${release.name}` : `revision ${found.version} of ${release.name}`;
  return `${which} was deployed with --wait=ordered`;
}

/** The record of a release that is deployed in this order. */
export const withOrder = (release: Release, { sequencing, kept }: Order): Release => ({
  ...release,
  ...(kept !== undefined && { chart: annotated(release.chart, kept) }),
  sequencing,
  labels: sequencing === undefined ? withoutLabel(release.labels) : { ...release.labels, [orderLabel]: 'ordered' },
});

function withoutLabel({ [orderLabel]: _order, ...labels }: Release['labels']): Release['labels'] {
  return labels;
}

/** With the edges as annotations, which Helm keeps when it writes the record anew. */
function annotated(chart: Release['chart'], added: Readonly<Record<string, string>>): Release['chart'] {
  if (Object.keys(added).length === 0) return chart;
  const { metadata } = chart;
  return { ...chart, metadata: { ...metadata, annotations: { ...metadata.annotations, ...added } } };
}

/**
 * The order of a stored revision: `requested`, or as it was deployed. Where Helm wrote the record, which drops
 * `sequencing`, an earlier revision tells whether and in which order subcharts go.
 */
export function storedOrder(
  release: Release,
  history: readonly Release[],
  requested: WaitStrategy | undefined,
  fallback: WaitStrategy = requested ?? 'hookOnly',
): Order {
  const earlier = lastSequencing(release, history);
  const manifests = readStoredManifest(release.manifest);
  const wasOrdered = earlier !== undefined || release.labels[orderLabel] === 'ordered';
  const isCarriedOn = requested === undefined && wasOrdered;
  const chosen = chooseStrategy(isCarriedOn ? 'ordered' : requested, fallback, manifests);
  const { strategy } = chosen;
  const told = requested !== undefined && wasOrdered ? passedOver(release, history, requested) : chosen.note;
  // Without --wait, Helm's way is what everybody expects of a release that was not deployed in order.
  const ofHooks = lostHookModes(release, history);
  if (strategy !== 'ordered') return { strategy, warnings: ofHooks, note: requested === undefined ? undefined : told };
  const note = isCarriedOn ? carriedOn(release, history) : chosen.note;
  const kept = readSequencing(release.sequencing, manifests);
  if (kept !== undefined) return { strategy, unit: kept, sequencing: recorded(kept), warnings: ofHooks, note };
  const { unit, guesses } = readBackUnit({
    manifests,
    chart: chartNamesOf(manifests[0]?.source ?? '')[0] || release.chart.metadata.name,
    annotation: edgesOf(release, history),
    earlier,
  });
  const warnings = [...ofHooks, ...guesses.map((guess) => guessText(guess, release))];
  return { strategy, unit, sequencing: recorded(unit), warnings, note };
}

/**
 * `helm.sh/depends-on/subcharts` of a revision's chart. Where it is no map, because Helm dropped the edges from the chart
 * that it deployed, the map of the same chart in another revision tells them, if that had all of these subcharts.
 */
function edgesOf(release: Release, history: readonly Release[]): string | undefined {
  const own = edgesIn(release);
  if (own?.trimStart().startsWith('{')) return own;
  const subcharts = [...subchartsIn(release)];
  const others = history
    .filter((other) => other.version !== release.version && isSameChart(other, release))
    .sort((a, b) => Math.abs(a.version - release.version) - Math.abs(b.version - release.version));
  const known = others.find((other) => {
    const there = subchartsIn(other);
    return edgesIn(other)?.trimStart().startsWith('{') === true && subcharts.every((name) => there.has(name));
  });
  return known === undefined ? own : edgesIn(known);
}

const edgesIn = ({ chart }: Release): string | undefined =>
  chart.metadata.annotations?.[annotations.dependsOnSubcharts];

const subchartsIn = ({ manifest }: Release): ReadonlySet<string> =>
  new Set([...manifest.matchAll(/^# Source: (.*)$/gm)].flatMap(([, source = '']) => chartNamesOf(source)[1] ?? []));

const guessText = ({ chart, subcharts }: Guess, { name, version }: Release): string =>
  `revision ${version} of ${name} does not record the order of the subcharts of ${chart} (Helm drops it from the records that it writes); ${subcharts.join(', ')} run one after another, in the order of the manifest`;

/**
 * What the newest revision knows of an order, this one or one before it. Helm drops `sequencing` also from the revision
 * that it supersedes; the manifest stays in its order.
 */
function lastSequencing(release: Release, history: readonly Release[]): Sequencing | undefined {
  const candidates = [release, ...history.filter(({ version }) => version < release.version).reverse()];
  const kept = candidates.filter((other) => isSameChart(other, release)).map(({ sequencing }) => sequencing);
  const known = kept.find((sequencing) => isSequencing(sequencing));
  if (known !== undefined) return known;
  for (const { sequencing, manifest, chart } of candidates) {
    if (isSequencing(sequencing)) return sequencing;
    const unit = orderOfManifest(manifest, chart.metadata.name);
    if (unit !== undefined) return sequencingOf(unit);
  }
  const first = firstOrdered([...history, release]);
  const unit = first && orderOfManifest(first.manifest, first.chart.metadata.name, true);
  return unit && sequencingOf(unit);
}

/** The revision that brought the label: Helm only carries it on, so it was deployed in an order. */
function firstOrdered(history: readonly Release[]): Release | undefined {
  const byVersion = new Map(history.map((release) => [release.version, release]));
  const isOrdered = (release: Release | undefined): boolean => release?.labels[orderLabel] === 'ordered';
  return [...byVersion.values()].find((release) => {
    const before = byVersion.get(release.version - 1);
    return isOrdered(release) && (release.version === 1 || (before !== undefined && !isOrdered(before)));
  });
}

const recorded = (unit: Unit): Sequencing => ({ ...sequencingOf(unit), states: pendingStates(unit, unit.name) });

function pendingStates(unit: Unit, path: string): readonly UnitState[] {
  const nodes = unit.batches.flatMap((batch) => batch.nodes);
  return [
    { unit: path, state: 'pending' },
    ...nodes.flatMap((node): readonly UnitState[] => {
      if (node.kind === 'unit') return pendingStates(node.unit, `${path}/${node.unit.name}`);
      return node.id === 'rest' ? [] : [{ unit: path, node: node.name, state: 'pending' }];
    }),
  ];
}

/** The sequencing with one more state. */
export function withState(sequencing: unknown, changed: UnitState): unknown {
  if (!isSequencing(sequencing)) return sequencing;
  const states = (sequencing.states ?? []) as readonly UnitState[];
  const isSame = ({ unit, node }: UnitState): boolean => unit === changed.unit && node === changed.node;
  return { ...sequencing, states: states.map((state) => (isSame(state) ? changed : state)) };
}
