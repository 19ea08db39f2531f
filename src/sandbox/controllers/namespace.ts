import { objectAt } from '../../support/json.ts';
import { type ControllerContext, controllerOfKind } from './context.ts';
import type { Controller } from './manager.ts';

/** Gives each namespace its service account, and empties one that is deleted before it goes. */
export function namespaceController(context: ControllerContext): Controller {
  const kind = context.kind('v1', 'Namespace');
  return controllerOfKind(context, {
    name: 'namespace',
    kind,
    also: ({ type, object: { metadata } }) =>
      type === 'DELETED' && metadata.namespace !== undefined ? [`/${metadata.namespace}`] : [],
    reconcile(namespace) {
      const { name, deletionTimestamp } = namespace.metadata;
      if (deletionTimestamp === undefined) furnish(context, name);
      else if (empty(context, name) === 0) {
        const finalizers = objectAt(namespace, 'spec')?.finalizers;
        if (Array.isArray(finalizers) && finalizers.some((finalizer) => finalizer !== 'kubernetes')) return;
        context.environment.store.remove('/namespaces', namespace);
      }
    },
  });
}

/** What is in a cluster's certificate: there is none, and nobody needs one. */
export const rootCertificate = { 'ca.crt': 'the sandbox serves plain HTTP\n' };

function furnish(context: ControllerContext, namespace: string): void {
  const { store } = context.environment;
  if (store.get('/serviceaccounts', namespace, 'default') === undefined) {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    context.create(context.kind('v1', 'ServiceAccount'), namespace, account);
  }
  if (store.get('/configmaps', namespace, 'kube-root-ca.crt') === undefined) {
    const certificate = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kube-root-ca.crt' },
      data: rootCertificate,
    };
    context.create(context.kind('v1', 'ConfigMap'), namespace, certificate);
  }
}

/** Deletes all that is in a namespace; returns how much is still there. */
function empty(context: ControllerContext, namespace: string): number {
  const { store, kinds } = context.environment;
  let left = 0;
  for (const storageKey of store.storageKeys()) {
    const kind = kinds.byStorageKey(storageKey);
    if (kind === undefined || !kind.namespaced) continue;
    for (const object of store.list(storageKey, namespace)) {
      if (object.metadata.deletionTimestamp === undefined) context.delete(kind, object);
      if (store.get(storageKey, namespace, object.metadata.name) !== undefined) left += 1;
    }
  }
  return left;
}
