import { isApiError } from '../../cluster/api-error.ts';
import type { ResourceId } from '../../manifest/types.ts';
import type { Run } from '../context.ts';
import { applyFailure } from '../failures.ts';

/** Creates the release's namespace for --create-namespace; one that is there already is fine. */
export async function createNamespace(name: string, run: Run): Promise<void> {
  const { cluster, signal, context, onEvent } = run;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { name } } };
  const id = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name };
  const options = { signal, fieldManager: 'helm', fieldValidation: context.fieldValidation ?? 'Strict' };
  const wasThere = await isThere(id, run);
  onEvent({ kind: 'resource', id, state: 'applying' });
  try {
    if (context.applyMethod === 'csa') await cluster.create(namespace, options);
    else await cluster.apply(namespace, { ...options, force: false });
  } catch (cause) {
    if (isApiError(cause, 'AlreadyExists')) return;
    throw applyFailure(id, cause);
  }
  onEvent({ kind: 'resource', id, state: wasThere ? 'configured' : 'created' });
}

/** Who may create a namespace may not always read it. */
async function isThere(id: ResourceId, { cluster, signal }: Run): Promise<boolean> {
  try {
    return (await cluster.get(id, { signal })) !== undefined;
  } catch (error) {
    if (isApiError(error)) return true;
    throw error;
  }
}
