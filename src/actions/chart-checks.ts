import type { Chart } from '../chart/types.ts';
import { TshelmError } from '../support/errors.ts';

/** Refuses a chart that cannot be deployed: a library, or one whose dependencies are not in charts/. */
export function checkDeployable(chart: Chart): void {
  const { type = '', name } = chart.metadata;
  if (type !== '' && type !== 'application') {
    throw new TshelmError('not-installable', {
      message: `${type} charts are not installable`,
      details: { chart: name },
    });
  }
  const missing = missingDependencies(chart);
  if (missing.length === 0) return;
  throw new TshelmError('missing-dependencies', {
    message:
      "an error occurred while checking for chart dependencies. You may need to run 'tshelm dependency build' to fetch " +
      `missing dependencies: found in Chart.yaml, but missing in charts/ directory: ${missing.join(', ')}`,
    details: { chart: name, missing },
  });
}

/** Dependencies of Chart.yaml that are not there (action.CheckDependencies). */
export function missingDependencies(chart: Chart): readonly string[] {
  const present = new Set(chart.dependencies.map((subchart) => subchart.metadata.name));
  return (chart.metadata.dependencies ?? []).map(({ name }) => name).filter((name) => !present.has(name));
}
