import { isCompatibleRange } from '../go/semver.ts';
import { TshelmError } from '../support/errors.ts';
import type { Chart } from './types.ts';

/**
 * Fails with `dependencies-missing` where Chart.yaml names a dependency that is not in charts/
 * (action.CheckDependencies and its caller's words).
 */
export function checkDependencies(chart: Chart): void {
  const missing = missingDependencies(chart);
  if (missing.length === 0) return;
  throw new TshelmError('dependencies-missing', {
    message: `an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: ${missing.join(', ')}`,
    details: { missing },
  });
}

/** The names of the dependencies in Chart.yaml that charts/ lacks. Go: action.CheckDependencies. */
export function missingDependencies(chart: Chart): readonly string[] {
  const present = new Set(chart.dependencies.map(({ metadata }) => metadata.name));
  return (chart.metadata.dependencies ?? []).map(({ name }) => name).filter((name) => !present.has(name));
}

/** Fails with `chart-not-installable` for a library chart (cmd.checkIfInstallable). */
export function checkInstallable(chart: Chart): void {
  const { name, type = '' } = chart.metadata;
  if (type === '' || type === 'application') return;
  throw new TshelmError('chart-not-installable', {
    message: `${type} charts are not installable`,
    details: { chart: name, type },
  });
}

/**
 * Fails with `kube-version-incompatible` where the chart wants another Kubernetes (action.renderResources). `shown` is the
 * version in full, where `kubernetesVersion` is cut for comparison.
 */
export function checkKubeVersion(chart: Chart, kubernetesVersion: string, shown = kubernetesVersion): void {
  const { name, kubeVersion = '' } = chart.metadata;
  if (kubeVersion === '' || isCompatibleRange(kubeVersion, kubernetesVersion)) return;
  throw new TshelmError('kube-version-incompatible', {
    message: `chart requires kubeVersion: ${kubeVersion} which is incompatible with Kubernetes ${shown}`,
    details: { chart: name, kubeVersion, kubernetesVersion: shown },
  });
}
