import { Quote, textOf } from '../quote.ts';
import type { SchedulingObstacle } from '../workload-fact.ts';

/** What the scheduler writes into the condition PodScheduled, and what it means. */
const table: readonly { readonly says: RegExp; readonly means: SchedulingObstacle }[] = [
  // "node(s) didn't match Pod's node affinity/selector": plugins/nodeaffinity/node_affinity.go, ErrReasonPod
  { says: /node affinity\/selector|node selector/, means: 'node-selector' },
  // "node(s) had untolerated taint {a: b}": plugins/tainttoleration/taint_toleration.go, Filter
  { says: /untolerated taint/, means: 'taint' },
  // "node(s) didn't match pod affinity rules", "… anti-affinity rules": plugins/interpodaffinity/filtering.go
  { says: /pod (?:anti-)?affinity/, means: 'pod-affinity' },
  // "node(s) didn't match pod topology spread constraints": plugins/podtopologyspread/plugin.go, ErrReasonConstraintsNotMatch
  { says: /topology spread constraints/, means: 'topology-spread' },
  // "pod has unbound immediate PersistentVolumeClaims": plugins/volumebinding/volume_binding.go, PreFilter
  // "persistentvolumeclaim "data" not found": the same file, podHasPVCs
  { says: /PersistentVolumeClaim/i, means: 'claim' },
];

export interface Placement {
  readonly obstacles: readonly SchedulingObstacle[];
  /** The resources that nodes have too little of: `cpu`. */
  readonly lacking: readonly string[];
  /** Without the account of what might have been evicted, which repeats the same at length. */
  readonly words: Quote;
}

/** Why no node takes a pod: `0/3 nodes are available: 3 Insufficient cpu. preemption: …`. */
export function placementIn(quote: Quote): Placement {
  const words = textOf(quote)
    .replace(/\.?\s*(?:no new claims to deallocate, )?preemption: .*$/s, '')
    .replace(/\. not found$/, '');
  return {
    obstacles: table.flatMap(({ says, means }) => (says.test(words) ? [means] : [])),
    // "Insufficient cpu": plugins/noderesources/fit.go, fitsRequest
    lacking: [...new Set([...words.matchAll(/Insufficient ([\w./-]*\w)/g)].map(([, resource = '']) => resource))],
    words: new Quote(words),
  };
}
