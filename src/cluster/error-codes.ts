import type { Unready } from './observe.ts';
import type { ApiFailure } from './types.ts';

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** The API server refused a request. The message is its own: rights, an object that changed meanwhile, or a field that is wrong. */
    'api-error': Pick<ApiFailure, 'method' | 'path' | 'status' | 'reason'>;
    /** The API server cannot be asked. Check the kubeconfig, --kube-context and the network; `kubectl version` asks the same server. */
    'cluster-unreachable': NoDetails;
    /** Something that was waited for cannot become ready any more. The message names the likely cause; mend it, and run the command again. */
    'wait-failed': { readonly unready: readonly Unready[] };
    /** Something did not become ready within --timeout. The message says what it waits for; mend that, or give more time. */
    'wait-timeout': { readonly timeoutMs: number; readonly unready: readonly Unready[] };
  }
}
