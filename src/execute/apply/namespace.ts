import { isApiError } from '../../cluster/api-error.ts';
import type { Run } from '../context.ts';
import { applyFailure } from '../failures.ts';

/** Creates the release's namespace for --create-namespace; one that is there already is fine. */
export async function createNamespace(name: string, run: Run): Promise<void> {
  const { cluster, signal, context, onEvent } = run;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { name } } };
  const id = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name };
  const options = { signal, fieldManager: 'helm', fieldValidation: context.fieldValidation ?? 'Strict' };
  onEvent({ kind: 'resource', id, state: 'applying' });
  let isNew = context.applyMethod === 'csa';
  try {
    if (context.applyMethod === 'csa') await cluster.create(namespace, options);
    else await cluster.apply(namespace, { ...options, force: false, onCreated: () => (isNew = true) });
  } catch (cause) {
    if (!isApiError(cause, 'AlreadyExists')) throw applyFailure(id, cause);
    return context.onNamespace?.();
  }
  context.onNamespace?.();
  onEvent({ kind: 'resource', id, state: isNew ? 'created' : 'configured' });
}
