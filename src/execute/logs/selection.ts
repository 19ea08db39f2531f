import type { Pod } from '../../manifest/kubernetes.ts';
import type { ResourceId } from '../../manifest/types.ts';

/** Whose lines are shown: of all pods where neither is given. */
export interface LogSelection {
  /** Those of objects and hooks that are named. */
  readonly isOfObject?: ((id: ResourceId) => boolean) | undefined;
  /** Those of pods that a label selector chooses. */
  readonly isOfPod?: ((pod: Pod) => boolean) | undefined;
}
