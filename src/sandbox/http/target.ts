import type { Access } from '../access.ts';
import type { Environment } from '../api/environment.ts';
import type { Kind } from '../kinds/kind.ts';

export interface Serving extends Environment {
  readonly access: Access;
  /** The log of a container, for `pods/log`; fails with a Status as the kubelet would. */
  readonly podLog: (namespace: string, name: string, query: URLSearchParams) => string;
}

/** Where a path of the API leads. */
export interface Target {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  /** '' for the collection. */
  readonly name: string;
  /** '' for the object itself. */
  readonly subresource: string;
}
