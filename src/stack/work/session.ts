import type { Context } from '../../change/context.ts';

/** What the releases of one cluster and namespace are worked on with. */
export interface StackSession extends Context {
  /** The context of the kubeconfig, where one was named. */
  readonly kubeContext: string | undefined;
  /** What the releases of another namespace of the cluster are worked on with. */
  inNamespace(namespace: string): Context;
}
