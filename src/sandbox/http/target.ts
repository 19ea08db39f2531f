import type { Access } from '../access.ts';
import type { Environment, ObjectPath } from '../api/environment.ts';
import type { ContainerLog } from '../controllers/pod-log.ts';

export interface Serving extends Environment {
  readonly access: Access;
  /** The log of a container, for `pods/log`; fails with a Status as the kubelet would. */
  readonly podLog: (namespace: string, name: string, query: URLSearchParams) => ContainerLog;
}

/** Where a path of the API leads; the name is '' for the collection. */
export interface Target extends ObjectPath {
  /** '' for the object itself. */
  readonly subresource: string;
}
