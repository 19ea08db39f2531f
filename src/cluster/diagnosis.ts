import type { ResourceId } from '../manifest/types.ts';
import type { DiagnoseOptions, Diagnosis } from './diagnosis/diagnose.ts';
import type { Cluster } from './types.ts';

export { DeletedPodLogs } from './diagnosis/deleted-pod-logs.ts';
export { FailFast } from './diagnosis/fail-fast.ts';
export type { PodCounts } from './diagnosis/pod-counts.ts';
export { containerStatuses, hasRun, podFact } from './diagnosis/pod-facts.ts';
export { allPods, presentPods } from './diagnosis/present-pods.ts';
export { causesIn, isBroken, likelihoodOf, type WorkloadProblem } from './diagnosis/ranking.ts';
export { RelatedObjects } from './diagnosis/related-objects.ts';
export { SharedWatches } from './shared-watches.ts';
export type { DiagnoseOptions, Diagnosis };

/** Looks from resources down to the containers at fault. It is loaded when something fails. */
export async function diagnose(
  cluster: Cluster,
  ids: readonly ResourceId[],
  options?: DiagnoseOptions,
): Promise<Diagnosis> {
  return (await loadDiagnosis()).diagnose(cluster, ids, options);
}

/** For who cannot wait for the disk in the middle of a run. */
export const loadDiagnosis = () => import('./diagnosis/diagnose.ts');
