import type { Type } from '../../kinds/field-types.ts';
import { compact, equalJson, type Json, type JsonObject } from '../../support/json.ts';
import type { ManagedFieldsEntry, Resource } from '../resource.ts';
import { type FieldSet, fieldSetOf, fromFieldsV1, toFieldsV1 } from './field-set.ts';
import { compareTyped } from './typed.ts';

/** One manager's fields. Appliers are known by name and subresource, updaters by their apiVersion too. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

export type Managers = ReadonlyMap<string, Manager>;

export function managerKey({ name, operation, apiVersion, subresource }: Omit<Manager, 'time' | 'fields'>): string {
  return JSON.stringify([operation, name, operation === 'Apply' ? '' : apiVersion, subresource]);
}

export function decodeManagers(entries: readonly ManagedFieldsEntry[] | undefined): Map<string, Manager> {
  const managers = new Map<string, Manager>();
  for (const entry of entries ?? []) {
    const manager: Manager = {
      name: entry.manager ?? 'unknown',
      operation: entry.operation === 'Apply' ? 'Apply' : 'Update',
      apiVersion: entry.apiVersion ?? '',
      subresource: entry.subresource ?? '',
      time: entry.time,
      fields: fromFieldsV1(entry.fieldsV1 ?? {}),
    };
    managers.set(managerKey(manager), manager);
  }
  return managers;
}

/** The entries as the API server orders them: appliers first, then by time, name, version and subresource. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] {
  const rank = (manager: Manager): string =>
    JSON.stringify([manager.operation, manager.time ?? '', manager.name, manager.apiVersion, manager.subresource]);
  return [...managers.values()]
    .filter((manager) => !manager.fields.isEmpty)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .map(({ name, operation, apiVersion, time, fields, subresource }) => ({
      ...compact({ manager: name, operation, apiVersion, time }),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(fields),
      ...(subresource === '' ? {} : { subresource }),
    }));
}

/** Fields that nobody owns. */
export const unownedFields = fieldSetOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ['f:metadata', 'f:name'],
  ['f:metadata', 'f:namespace'],
  ['f:metadata', 'f:creationTimestamp'],
  ['f:metadata', 'f:selfLink'],
  ['f:metadata', 'f:uid'],
  ['f:metadata', 'f:clusterName'],
  ['f:metadata', 'f:generation'],
  ['f:metadata', 'f:managedFields'],
  ['f:metadata', 'f:resourceVersion'],
);

const statusFields = fieldSetOf(['f:status']);
const mainFields = fieldSetOf(['f:spec'], ['f:metadata', 'f:labels']);

/** What an endpoint resets, and so nobody can own through it. */
export function resetFields(hasStatus: boolean, subresource: string): FieldSet {
  if (subresource === 'status') return mainFields;
  return hasStatus ? statusFields : fieldSetOf();
}

export interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339. */
  readonly time: string;
}

/** An object before and after a write, both of one type; `before` is undefined for a new object. */
export interface TypedChange {
  readonly type: Type;
  readonly before: Resource | undefined;
  readonly after: Resource;
}

/** The fields that a write sets and those that it takes away. */
export interface ChangedFields {
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

/** What changed from one value to another, but for the fields that the endpoint resets. */
export function changedFields(type: Type, before: Json, after: Json, reset: FieldSet): ChangedFields {
  const comparison = compareTyped(type, before, after);
  return {
    written: comparison.modified.union(comparison.added).recursiveDifference(reset),
    removed: comparison.removed.recursiveDifference(reset),
  };
}

/**
 * The managers after a create, update or patch: who wrote a field owns it, and who owned its old value no longer does
 * (managedFieldsUpdater and Updater.Update).
 */
export function managersAfterUpdate(
  { type, before, after }: TypedChange,
  managers: Managers,
  writer: Writer,
  reset: FieldSet,
): Map<string, Manager> {
  const { written, removed } = changedFields(type, withoutManagedFields(before), withoutManagedFields(after), reset);
  const result = new Map<string, Manager>();
  for (const [key, manager] of managers) {
    const fields = manager.fields.difference(written).difference(removed);
    if (!fields.isEmpty) result.set(key, { ...manager, fields });
  }
  const owned = written.difference(unownedFields);
  if (owned.isEmpty) return result;
  const identity = {
    name: writer.manager,
    operation: 'Update',
    apiVersion: writer.apiVersion,
    subresource: writer.subresource,
  } as const;
  const key = managerKey(identity);
  const previous = result.get(key);
  const fields = previous === undefined ? owned : previous.fields.union(owned);
  result.set(key, { ...identity, time: writer.time, fields });
  return result;
}

export function withoutManagedFields(object: Resource | undefined): JsonObject {
  if (object === undefined) return {};
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Whether two objects differ in more than the times of their managers. */
export const differsBesideTimes = (before: Resource, after: Resource): boolean =>
  !equalJson(comparable(before), comparable(after));

function comparable(object: Resource): JsonObject {
  const managedFields = (object.metadata.managedFields ?? []).map((entry) => ({ ...entry, time: undefined }));
  return { ...object, metadata: { ...object.metadata, managedFields: managedFields as Json[] } };
}
