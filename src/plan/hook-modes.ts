import { placedCharts } from '../chart/paths.ts';
import type { Chart } from '../chart/types.ts';
import { annotations } from '../manifest/annotations.ts';
import { chartOf, type HookMode, type HookModeOf } from './hooks.ts';
import { hookModeIn } from './outside-order.ts';
import { isSameChart, type Revision } from './revision.ts';
import { membersOf } from './subchart-edges.ts';

const key = annotations.runHooksInParallel;

/** Whether the hooks of a template's chart may run beside others (Chart.yaml: runHooksInParallel, or its annotation). */
export const hookModesOf = (chart: Chart): HookModeOf => byPath(chartModes(chart));

/** The same of a stored release, whose record has no subcharts: its chart's annotation tells their modes too. */
export const storedHookModes = (release: Revision): HookModeOf => byPath(storedModes(release));

/**
 * The annotation of a release's chart, which Helm keeps when it writes the record again: the mode of the chart, or where
 * subcharts have one, a map as JSON text from the path of each chart to its mode. Nothing where all are `false`.
 */
export function recordedHookModes(chart: Chart): Readonly<Record<string, string>> {
  const modes = chartModes(chart).filter(([, mode]) => mode !== 'false');
  if (modes.length === 0) return chart.metadata.annotations?.[key] === undefined ? {} : { [key]: 'false' };
  const [[path, mode] = []] = modes;
  const isPlain = modes.length === 1 && path === chart.metadata.name;
  return { [key]: isPlain ? (mode as HookMode) : JSON.stringify(Object.fromEntries(modes)) };
}

/** That a record lacks the modes which the same chart has in another revision: Helm drops the field when it records a chart. */
export function warnLostHookModes(release: Revision, history: readonly Revision[]): readonly string[] {
  if (release.hooks.length < 2 || storedModes(release).length > 0) return [];
  const other = history.find((one) => isSameChart(one, release) && storedModes(one).length > 0);
  if (other === undefined) return [];
  return [
    `revision ${release.version} of ${release.name} does not record runHooksInParallel, although revision ${other.version} of the same chart does (Helm drops it from its records), so its hooks run one after another`,
  ];
}

function storedModes({ chart }: Revision): readonly (readonly [string, HookMode])[] {
  const text = chart.metadata.annotations?.[key] ?? '';
  const modes = text.startsWith('{') ? (membersOf(text) ?? {}) : { [chart.metadata.name]: text };
  return Object.entries(modes)
    .map(([path, mode]) => [path, knownMode(String(mode))] as const)
    .filter(([, mode]) => mode !== 'false');
}

function byPath(modes: readonly (readonly [string, HookMode])[]): HookModeOf {
  const known = new Map(modes);
  return (path) => known.get(chartOf(path)) ?? 'false';
}

const chartModes = (root: Chart): readonly (readonly [string, HookMode])[] =>
  placedCharts(root).map(({ chart, path }) => [path, hookModeIn(root.order, path) ?? modeOf(chart)]);

const modeOf = ({ metadata }: Pick<Chart, 'metadata'>): HookMode =>
  knownMode(metadata.runHooksInParallel ?? metadata.annotations?.[key]);

const knownMode = (mode: string | undefined): HookMode =>
  mode === 'true' || mode === 'otherChartsOnly' ? mode : 'false';
