import { type Json, type JsonObject, objectAt } from '../../support/json.ts';
import type { CustomResourceDefinition } from '../kubernetes.ts';
import { withoutFinalizer } from '../resource.ts';
import { type Condition, type ControllerContext, controllerOfKind, withCondition } from './context.ts';
import type { Controller } from './manager.ts';

const cleanup = 'customresourcecleanup.apiextensions.k8s.io';
const storage = 'apiextensions.k8s.io/customresourcedefinitions';

/** Establishes CustomResourceDefinitions, serves their kinds, and clears away the objects of one that is deleted. */
export function definitionController(context: ControllerContext): Controller {
  const kind = context.kind('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
  return controllerOfKind(context, {
    name: 'definition',
    kind,
    also({ type, storageKey, object: { metadata } }) {
      if (type !== 'DELETED') return [];
      if (storageKey === storage) context.environment.kinds.forgetCustom(metadata.name);
      const [group, plural] = storageKey.split('/');
      return group?.includes('.') === true ? [`/${plural}.${group}`] : [];
    },
    reconcile(definition) {
      if (definition.metadata.deletionTimestamp === undefined) establish(context, definition);
      else clear(context, definition);
    },
  });
}

/** Serves the kinds of all definitions that were established before. */
export function serveDefinitions(context: ControllerContext): void {
  for (const definition of context.environment.store.values(storage)) context.environment.kinds.serveCustom(definition);
}

function establish(context: ControllerContext, definition: CustomResourceDefinition): void {
  const kind = context.kind('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
  context.environment.kinds.serveCustom(definition);
  const before = objectAt(definition, 'status') ?? {};
  const now = context.timestamp;
  const conditions = establishedConditions.reduce<Json | undefined>(
    (list, condition) => withCondition(list, condition, now),
    before.conditions,
  );
  const names: JsonObject = objectAt(definition, 'spec', 'names') ?? {};
  context.setStatus(
    kind,
    definition,
    { ...before, conditions, acceptedNames: names, ...storedVersions(definition) },
    'kube-apiserver',
  );
  const current = context.find(storage, `/${definition.metadata.name}`);
  if (current === undefined || current.metadata.finalizers?.includes(cleanup) === true) return;
  const finalizers = [...(current.metadata.finalizers ?? []), cleanup];
  context.environment.store.put(storage, { ...current, metadata: { ...current.metadata, finalizers } });
}

const establishedConditions: readonly Condition[] = [
  { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
  {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  },
];

function storedVersions(definition: CustomResourceDefinition): JsonObject {
  const now = definition.spec?.versions?.find((version) => version.storage === true)?.name;
  const known = [...(definition.status?.storedVersions ?? [])];
  return { storedVersions: now === undefined || known.includes(now) ? known : [...known, now] };
}

/** Deletes all objects of the kind; when none is left, the definition goes. */
function clear(context: ControllerContext, definition: CustomResourceDefinition): void {
  const { group = '', names } = definition.spec ?? {};
  const plural = names?.plural ?? '';
  const { store, kinds } = context.environment;
  const kind = kinds.byStorageKey(`${group}/${plural}`);
  if (kind !== undefined) {
    for (const object of store.list(`${group}/${plural}`)) {
      if (object.metadata.deletionTimestamp === undefined) context.delete(kind, object);
    }
  }
  if (store.values(`${group}/${plural}`).next().done !== true) return;
  const definitionKind = context.kind('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
  context.change(definitionKind, definition, withoutFinalizer(definition, cleanup));
}
