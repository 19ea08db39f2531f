import type { Chart } from '../../chart/types.ts';
import { annotations } from '../../manifest/annotations.ts';
import { chartOf, type HookMode, type HookModeOf } from '../../plan/hooks.ts';

/** Whether the hooks of a template's chart may run beside others (Chart.yaml: runHooksInParallel, or its annotation). */
export function hookModesOf(chart: Chart): HookModeOf {
  const modes = new Map(chartModes(chart, chart.metadata.name));
  return (path) => modes.get(chartOf(path)) ?? 'false';
}

const chartModes = (chart: Chart, path: string): readonly [string, HookMode][] => [
  [path, modeOf(chart)],
  ...chart.dependencies.flatMap((subchart) => chartModes(subchart, `${path}/charts/${subchart.metadata.name}`)),
];

function modeOf({ metadata }: Chart): HookMode {
  const declared = metadata.runHooksInParallel ?? metadata.annotations?.[annotations.runHooksInParallel];
  return declared === 'true' || declared === 'otherChartsOnly' ? declared : 'false';
}
