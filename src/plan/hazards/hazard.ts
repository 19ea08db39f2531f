import type { ResourceId } from '../../manifest/types.ts';
import type { WaitStrategy } from '../types.ts';
import type { PlacedObject } from './places.ts';

/** Something in a plan that cannot go well, or will not stay as it is, and the way out. */
export interface Hazard {
  readonly kind:
    | 'hook-before-object'
    | 'hook-after-workload'
    | 'later-batch'
    | 'kind-before-crd'
    | 'object-before-namespace'
    | 'replicas-of-autoscaler'
    | 'one-sided-readiness';
  /** The template of `resource`. */
  readonly source: string;
  /** `Deployment/web`. */
  readonly resource: string;
  /** For people, without the source. */
  readonly message: string;
  /** What comes too late: where the cluster has it already, there is no hazard. */
  readonly needs?: ResourceId | undefined;
}

/** What hazards are looked for in. */
export interface HazardInput {
  readonly objects: readonly PlacedObject[];
  /** Namespace of objects that name none. */
  readonly namespace: string;
  readonly strategy: WaitStrategy;
}
