import type { KubernetesObject } from '../manifest/types.ts';
import { legacyReadiness } from './readiness/legacy.ts';
import { ruledReadiness } from './readiness/rules.ts';
import { watcherReadiness } from './readiness/watcher.ts';
import type { Readiness } from './types.ts';

export interface ReadinessOptions {
  readonly strategy: 'watcher' | 'legacy' | 'ordered';
  /** Jobs count as ready when complete, not already when started (watcher) or at once (legacy); always so in `ordered`. */
  readonly waitForJobs: boolean;
  /** The ReplicaSets of a Deployment, the Pods of a ReplicaSet or ReplicationController: what `legacy` looks at as well. */
  readonly related?: readonly KubernetesObject[] | undefined;
}

/** Whether a live object is as ready as the strategy demands; a reason is a short sentence with counts. */
export function readiness(object: KubernetesObject, options: ReadinessOptions): Readiness {
  switch (options.strategy) {
    case 'legacy':
      return legacyReadiness(object, options.waitForJobs, options.related ?? []);
    case 'ordered':
      return ruledReadiness(object) ?? watcherReadiness(object, true);
    case 'watcher':
      return watcherReadiness(object, options.waitForJobs);
    default:
      return options.strategy satisfies never;
  }
}
