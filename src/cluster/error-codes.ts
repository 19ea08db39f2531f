import type { Unready } from './observe.ts';
import type { ApiFailure, AskedCluster, KubeconfigFault } from './types.ts';

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** The API server refused a request. Read the server's message: rights may be missing, an object may have changed in the meantime, or a field may be wrong. */
    'api-error': Pick<ApiFailure, 'method' | 'path' | 'status' | 'reason'>;
    /** The API server cannot be reached. Check the kubeconfig, --kube-context and the network; `kubectl version` asks the same server. */
    'cluster-unreachable': {
      readonly asked?: AskedCluster | undefined;
      readonly kubeconfig?: KubeconfigFault | undefined;
    };
    /** Health checks cannot be used: a key is unknown or missing, or an expression is not valid CEL. The message names the line and the key of each mistake; correct them. */
    'health-checks-invalid': { readonly mistakes: readonly string[] };
    /** An object can no longer become ready. The message names the likely cause; fix it, and run the command again. */
    'wait-failed': { readonly unready: readonly Unready[] };
    /** An object did not become ready within --timeout, or within a shorter limit, which `limitedBy` names (`helm.sh/hook-timeout`, `order.yaml:3`). The message says what it is waiting for; fix that, or allow more time. */
    'wait-timeout': {
      readonly timeoutMs: number;
      readonly unready: readonly Unready[];
      readonly limitedBy?: string | undefined;
    };
  }
}
