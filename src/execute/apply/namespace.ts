import { isApiError } from '../../cluster/api-error.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import type { Run } from '../context.ts';
import { applyFailure } from '../failures.ts';

/** Creates the release's namespace for --create-namespace; one that is there already is fine. */
export async function createNamespace(name: string, run: Run): Promise<void> {
  const { cluster, signal, context, onEvent } = run;
  const namespace = namespaceObject(name);
  const id = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name };
  const options = { signal, fieldManager: 'helm', fieldValidation: context.fieldValidation ?? 'Strict' };
  onEvent({ kind: 'resource', id, state: 'applying' });
  let state: 'created' | 'configured' | 'unchanged' = context.applyMethod === 'csa' ? 'created' : 'configured';
  try {
    if (context.applyMethod === 'csa') await cluster.create(namespace, options);
    else
      await cluster.apply(namespace, {
        ...options,
        force: false,
        onCreated: () => (state = 'created'),
        onUnchanged: () => (state = 'unchanged'),
      });
  } catch (cause) {
    if (!isApiError(cause, 'AlreadyExists')) throw applyFailure(id, cause);
    state = 'unchanged';
  }
  context.onNamespace?.();
  onEvent({ kind: 'resource', id, state });
}

/** Helm writes Go's struct, whose empty spec makes it the owner of that field. */
export const namespaceObject = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { name } },
  spec: {},
});
