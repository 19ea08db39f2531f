import type { Unready } from './observe.ts';
import type { ApiFailure, AskedCluster, KubeconfigFault } from './types.ts';

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** The API server refused a request. Read the server's message: you may lack permissions, an object may have changed in the meantime, or a field may be wrong. */
    'api-error': Pick<ApiFailure, 'method' | 'path' | 'status' | 'reason'>;
    /** The API server cannot be reached. Check the kubeconfig, --kube-context and the network; `kubectl version` asks the same server. Where it does not accept your credentials, log in again: `details.asked.user` says what has expired. */
    'cluster-unreachable': {
      readonly asked?: AskedCluster | undefined;
      readonly kubeconfig?: KubeconfigFault | undefined;
    };
    /** Health checks cannot be used: a key is unknown or missing, or an expression is not valid CEL. Correct each line and key that the message names. */
    'health-checks-invalid': { readonly mistakes: readonly string[] };
    /** An object can no longer become ready. Fix the cause that the message names, and run the command again. */
    'wait-failed': { readonly unready: readonly Unready[] };
    /** An object did not become ready within --timeout, or within a shorter limit, which `limitedBy` names (`helm.sh/hook-timeout`, `order.yaml:3`). Fix what the message says the object is waiting for, or raise the timeout. */
    'wait-timeout': {
      readonly timeoutMs: number;
      readonly unready: readonly Unready[];
      readonly limitedBy?: string | undefined;
    };
  }
}
