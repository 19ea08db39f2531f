import { compact, equalJson, type Json, without } from '../../support/json.ts';
import { applyDefaults } from '../defaults/defaults.ts';
import { hasStatus, type Kind, storageKey } from '../kinds/kind.ts';
import {
  decodeManagers,
  differsBesideTimes,
  encodeManagers,
  managersAfterUpdate,
  resetFields,
} from '../patches/managed-fields.ts';
import type { ManagedFieldsEntry, Metadata, Resource } from '../resource.ts';
import { badRequest, conflict, invalid, invalidValue, staleVersion } from '../status.ts';
import { validateChange } from '../validation/validate.ts';
import { admitByPolicies } from './admission/by-policies.ts';
import { admitByPodSecurity } from './admission/pod-security/pod-security.ts';
import { inNamespace } from './create.ts';
import { decodeObject } from './decode.ts';
import { checkOf, type Environment, type ObjectPath, type WriteOptions } from './environment.ts';
import { prepareChanged } from './prepare.ts';
import { getObject } from './read.ts';
import { writerOf } from './writer.ts';

/** PUT: replaces an object, or its status with the subresource `status`. */
export function updateObject(environment: Environment, path: ObjectPath, body: Json, options: WriteOptions): Resource {
  const { kind, namespace, name } = path;
  const decoded = decodeObject(kind, body, options);
  if (decoded.metadata.name !== undefined && decoded.metadata.name !== name) {
    throw badRequest(`the name of the object (${decoded.metadata.name}) does not match the name on the URL (${name})`);
  }
  const before = getObject(environment, path);
  return changeObject(environment, kind, { before, after: inNamespace(kind, decoded, namespace) }, options);
}

/** An object as it is stored, and as it is to be. */
export interface ObjectChange {
  readonly before: Resource;
  readonly after: Resource;
}

/** The way of every change but apply: defaults, managers, rules of the kind, store. */
export function changeObject(
  environment: Environment,
  kind: Kind,
  { before, after: wanted }: ObjectChange,
  options: WriteOptions,
): Resource {
  checkPreconditions(kind, before, wanted);
  const after = withServerFields(kind, before, applyDefaults(kind, wanted), options.subresource ?? '');
  const managers = managersAfterUpdate(
    { type: kind.type(), before, after },
    decodeManagers(managedBefore(before, wanted)),
    writerOf(environment, kind, options),
    resetFields(hasStatus(kind), options.subresource ?? ''),
  );
  return storeChanged(environment, kind, { before, after, managedFields: encodeManagers(managers) }, options);
}

/** A client may rewrite managedFields; [] and [{}] reset them, and without them the live ones stay. */
function managedBefore(before: Resource, wanted: Resource): ManagedFieldsEntry[] | undefined {
  const given = wanted.metadata.managedFields;
  if (given === undefined) return before.metadata.managedFields;
  const reset = given.length === 0 || (given.length === 1 && Object.keys(given[0] as object).length === 0);
  return reset ? [] : given;
}

function checkPreconditions(kind: Kind, before: Resource, wanted: Resource): void {
  const { name, uid, resourceVersion } = wanted.metadata;
  if (uid !== undefined && uid !== '' && uid !== before.metadata.uid) {
    throw conflict(
      kind,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== before.metadata.resourceVersion) {
    throw staleVersion(kind, before.metadata.name);
  }
}

/** What a client cannot change: identity, deletion, and the status (or, through `status`, all but the status). */
export function withServerFields(kind: Kind, before: Resource, wanted: Resource, subresource: string): Resource {
  const old = before.metadata;
  const metadata = compact({
    ...wanted.metadata,
    name: old.name,
    namespace: old.namespace,
    uid: old.uid,
    generateName: old.generateName,
    creationTimestamp: old.creationTimestamp,
    deletionTimestamp: old.deletionTimestamp,
    deletionGracePeriodSeconds: old.deletionGracePeriodSeconds,
    generation: old.generation,
    resourceVersion: old.resourceVersion,
    managedFields: old.managedFields,
    selfLink: undefined,
  }) as Metadata;
  if (subresource === 'status') {
    const rest = without(before, 'status');
    const statusMetadata = {
      ...metadata,
      labels: old.labels,
      finalizers: old.finalizers,
      ownerReferences: old.ownerReferences,
    };
    return compact({ ...rest, metadata: compact(statusMetadata), status: wanted.status }) as Resource;
  }
  const object = hasStatus(kind) ? compact({ ...wanted, status: before.status }) : wanted;
  // A namespace's spec is its finalizers, which only its subresource `finalize` changes.
  const isNamespace = kind.group === '' && kind.plural === 'namespaces' && subresource !== 'finalize';
  return { ...object, metadata, ...(isNamespace && { spec: before['spec'] }) } as Resource;
}

/** A change and the managed fields that go with it, in place of those of `after`. */
export interface ManagedChange extends ObjectChange {
  readonly managedFields: ManagedFieldsEntry[];
}

/** Checks and stores a changed object; one that is not different stays as it is, with its resourceVersion. */
export function storeChanged(
  environment: Environment,
  kind: Kind,
  { before, after: changed, managedFields }: ManagedChange,
  options: WriteOptions,
): Resource {
  const isStatus = options.subresource === 'status';
  const prepared = isStatus ? changed : prepareChanged(environment, kind, before, changed);
  const problems = [
    ...deletionProblems(before, prepared),
    ...(isStatus ? [] : validateChange(kind, before, prepared, checkOf(environment, options))),
  ];
  if (problems.length > 0) throw invalid(kind, before.metadata.name, problems);
  const after = withGeneration(kind, before, prepared);
  const metadata = compact({
    ...after.metadata,
    managedFields: managedFields.length === 0 ? undefined : managedFields,
  }) as Metadata;
  const result: Resource = { ...after, metadata };
  const { subresource = '', warn } = options;
  admitByPodSecurity(environment, { kind, object: result, old: before, subresource, warn });
  admitByPolicies(environment, { operation: 'UPDATE', kind, object: result, oldObject: before }, options);
  if (!differsBesideTimes(before, result)) return before;
  if (options.dryRun === true) return result;
  return isGone(kind, result)
    ? removeObject(environment, kind, result)
    : environment.store.put(storageKey(kind), result);
}

function deletionProblems(before: Resource, after: Resource): ReturnType<typeof invalidValue>[] {
  if (before.metadata.deletionTimestamp === undefined) return [];
  const old = before.metadata.finalizers ?? [];
  const added = (after.metadata.finalizers ?? []).filter((finalizer) => !old.includes(finalizer));
  if (added.length === 0) return [];
  const text = `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`;
  return [{ reason: 'FieldValueForbidden', field: 'metadata.finalizers', message: `Forbidden: ${text}` }];
}

function withGeneration(kind: Kind, before: Resource, after: Resource): Resource {
  const generation = before.metadata.generation;
  if (!kind.countsGenerations || generation === undefined) return after;
  const meant = (object: Resource): Json => without(object, 'metadata', hasStatus(kind) ? 'status' : '', 'apiVersion');
  if (equalJson(meant(before), meant(after))) return after;
  return { ...after, metadata: { ...after.metadata, generation: generation + 1 } };
}

/** Whether nothing keeps a deleted object any more. */
export function isGone(kind: Kind, object: Resource): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers ?? []).length > 0) return false;
  if (kind.kind === 'Namespace' && kind.group === '') {
    const spec = object.spec as { finalizers?: string[] } | undefined;
    return (spec?.finalizers ?? []).length === 0;
  }
  return (deletionGracePeriodSeconds ?? 0) === 0;
}

export function removeObject({ store }: Environment, kind: Kind, object: Resource): Resource {
  store.remove(storageKey(kind), object);
  return object;
}
