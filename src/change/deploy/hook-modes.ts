import type { Chart } from '../../chart/types.ts';
import { annotations } from '../../manifest/annotations.ts';
import { chartOf, type HookMode, type HookModeOf } from '../../plan/hooks.ts';
import type { Release } from '../../release/types.ts';

/** Whether the hooks of a template's chart may run beside others (Chart.yaml: runHooksInParallel, or its annotation). */
export const hookModesOf = (chart: Chart): HookModeOf => byPath(new Map(chartModes(chart, chart.metadata.name)));

/** The same of a stored release: as its record has it, or, where Helm wrote that, as the outermost chart's annotation. */
export const storedHookModes = ({ chart, hookModes }: Release): HookModeOf =>
  byPath(new Map([[chart.metadata.name, modeOf(chart)], ...Object.entries(hookModes ?? {})]));

/** What the record of a release keeps of them; undefined where all are `false`. */
export function recordedHookModes(chart: Chart): Release['hookModes'] {
  const modes = chartModes(chart, chart.metadata.name).filter(([, mode]) => mode !== 'false');
  return modes.length === 0 ? undefined : Object.fromEntries(modes);
}

const byPath =
  (modes: ReadonlyMap<string, string>): HookModeOf =>
  (path) =>
    knownMode(modes.get(chartOf(path)));

const chartModes = (chart: Chart, path: string): readonly [string, HookMode][] => [
  [path, modeOf(chart)],
  ...chart.dependencies.flatMap((subchart) => chartModes(subchart, `${path}/charts/${subchart.metadata.name}`)),
];

const modeOf = ({ metadata }: Pick<Chart, 'metadata'>): HookMode =>
  knownMode(metadata.runHooksInParallel ?? metadata.annotations?.[annotations.runHooksInParallel]);

const knownMode = (mode: string | undefined): HookMode =>
  mode === 'true' || mode === 'otherChartsOnly' ? mode : 'false';
