import type { Chart } from '../chart/types.ts';
import { annotations, orderedWaitKeys } from '../manifest/annotations.ts';
import { itemsOf } from '../manifest/items.ts';
import type { Manifest } from '../manifest/types.ts';
import type { Sentence } from '../problem/sentence.ts';
import { readSubchartEdges } from './subchart-edges.ts';
import type { WaitMode, WaitStrategy } from './types.ts';

export interface Choice {
  readonly strategy: WaitStrategy;
  /** The one line that says why, or that the chart could be deployed in an order. */
  readonly note?: Sentence | undefined;
  /** The edges that are certain are followed too (docs/ordering.md, 9). */
  readonly isDerived?: boolean | undefined;
}

/**
 * How a release is waited for (docs/ordering.md, 1): an explicit `requested` wins; without it, layers, `dependson` and weights
 * choose `ordered`; `fallback` otherwise. HIP-0025's declarations count only where `ordered` is asked for. What is passed
 * over is reported in one line.
 */
export function chooseStrategy(
  requested: WaitStrategy | undefined,
  fallback: WaitStrategy,
  manifests: readonly Manifest[],
  chart?: Chart,
): Choice {
  if (requested === 'ordered') return { strategy: 'ordered' };
  const found = requested === undefined ? firstWith(orderedWaitKeys, manifests) : undefined;
  if (found !== undefined) {
    const begin = `${found.resource} has ${found.key}, so the release is deployed in order, as with `;
    const note = [begin, optionWait('ordered'), ' (', optionWait('hookOnly'), ' turns this off)'];
    return { strategy: 'ordered', note };
  }
  const passedOver = requested === undefined ? undefined : firstWith(orderedWaitKeys, manifests);
  const declared =
    passedOver ?? (chart && (needingChart(chart) ?? declaringChart(chart))) ?? firstWith(groupKeys, manifests);
  const rule =
    passedOver === undefined
      ? ['only takes effect with ', optionWait('ordered')]
      : [optionWait(requested), ' ignores; ', optionWait('ordered'), ' follows it'];
  const note = declared && [`${declared.resource} declares an order (${declared.key}), which `, ...rule];
  return { strategy: fallback, note };
}

/** `--wait=ordered` in a sentence. */
export const optionWait = (value: WaitMode | undefined) => ({ option: 'wait', value }) as const;

/** The strategy that a mode stands for. */
export const plainWait = (wait: WaitMode | undefined): WaitStrategy | undefined => (wait === 'auto' ? 'ordered' : wait);

/** Whether anything in a chart declares an order. */
export const declaresOrder = (manifests: readonly Manifest[], chart: Chart): boolean =>
  (needingChart(chart) ?? declaringChart(chart) ?? firstWith([...orderedWaitKeys, ...groupKeys], manifests)) !==
  undefined;

interface Found {
  readonly resource: string;
  readonly key: string;
}

const groupKeys = [
  annotations.resourceGroup,
  annotations.dependsOnResourceGroups,
  'helm.sh/depends-on/resource-groups',
  annotations.needs,
];

function firstWith(keys: readonly string[], manifests: readonly Manifest[]): Found | undefined {
  for (const { object } of manifests) {
    for (const one of [object, ...itemsOf(object)]) {
      const given: unknown = one.metadata.annotations;
      const key =
        typeof given === 'object' && given !== null ? keys.find((candidate) => candidate in given) : undefined;
      if (key !== undefined) return { resource: `${one.kind}/${one.metadata.name}`, key };
    }
  }
  return undefined;
}

/** What declares that the whole release needs something. */
function needingChart({ order, metadata: { name, annotations: given = {} } }: Chart): Found | undefined {
  if (order?.needs !== undefined) return { resource: order.name, key: 'needs' };
  return annotations.needs in given ? { resource: `chart ${name}`, key: annotations.needs } : undefined;
}

function declaringChart(chart: Chart): Found | undefined {
  const { name, dependencies = [], annotations: given = {} } = chart.metadata;
  const resource = `chart ${name}`;
  if (dependencies.some(({ dependsOn = [] }) => dependsOn.length > 0))
    return { resource, key: 'Chart.yaml depends-on' };
  const { own, bySubchart, mistakes } = readSubchartEdges(given[annotations.dependsOnSubcharts]);
  if (own.length + bySubchart.size + mistakes.length > 0) return { resource, key: annotations.dependsOnSubcharts };
  for (const subchart of chart.dependencies) {
    const found = declaringChart(subchart);
    if (found !== undefined) return found;
  }
  return undefined;
}
