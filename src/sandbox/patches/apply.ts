import type { Type } from '../../kinds/field-types.ts';
import { equalJson, type JsonObject } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { pathText } from '../schema/path.ts';
import { StatusError } from '../status.ts';
import { type FieldSet, fieldSetOf, withNamedFields } from './field-set.ts';
import {
  type ChangedFields,
  changedFields,
  type Manager,
  type Managers,
  managerKey,
  unownedFields,
  type Writer,
  withoutManagedFields,
} from './managed-fields.ts';
import { fieldsOf, mergeTyped, removeFields } from './typed.ts';

/** An apply configuration and the live object that it goes over, both of one type. */
export interface TypedConfiguration {
  readonly type: Type;
  readonly live: Resource;
  readonly configuration: Resource;
}

/** Who applies. */
export interface Applier extends Writer {
  /** Whether it takes the fields it wants from the managers that own them. */
  readonly force: boolean;
}

export interface Applied {
  readonly object: Resource;
  readonly managers: Map<string, Manager>;
}

/**
 * Server-side apply (Updater.Apply): the configuration over the live object, minus what this manager applied before and
 * no longer does, unless someone else owns it. Fields of others whose value would change are conflicts, unless forced.
 */
export function serverSideApply(
  { type, live, configuration }: TypedConfiguration,
  managers: Managers,
  applier: Applier,
  reset: FieldSet,
): Applied {
  const before = withoutManagedFields(live) as Resource;
  const identity = {
    name: applier.manager,
    operation: 'Apply',
    apiVersion: applier.apiVersion,
    subresource: applier.subresource,
  } as const;
  const key = managerKey(identity);
  const last = managers.get(key);
  const fields = fieldsOf(type, configuration).recursiveDifference(reset);
  const withSelf = new Map<string, Manager>(managers);
  withSelf.set(key, { ...identity, time: last?.time, fields });

  const merged = mergeTyped(type, before, configuration) as Resource;
  const object = last === undefined ? merged : prune(type, merged, withSelf, last.fields);

  const result = withoutChanged(changedFields(type, before, object, reset), withSelf, key, applier.force);
  // A manager that changes nothing leaves no time, as in the API server.
  const changed = !equalJson(before, object);
  const own = result.get(key) as Manager;
  const owned = own.fields.difference(unownedFields);
  if (owned.isEmpty) result.delete(key);
  else result.set(key, { ...own, fields: owned, time: changed ? applier.time : last?.time });
  return { object, managers: result };
}

/** Removes what the manager applied last time and nobody owns now. */
function prune(type: Type, merged: Resource, managers: Managers, last: FieldSet): Resource {
  if (last.isEmpty) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(set, type);
  const pruned = removeFields(type, merged, named(last)) ?? {};
  let owned = fieldSetOf();
  for (const manager of managers.values()) owned = owned.union(manager.fields);
  const mergedFields = named(fieldsOf(type, merged));
  const kept = named(fieldsOf(type, pruned)).union(named(owned));
  const withOwned = removeFields(type, merged, mergedFields.difference(kept)) ?? {};
  // What is unowned, or owned by updaters only, was not this manager's to remove.
  const gone = mergedFields.difference(named(fieldsOf(type, withOwned))).intersection(named(last));
  return (removeFields(type, merged, gone) ?? {}) as Resource;
}

/** The managers without what the apply wrote or removed; that of another manager is a conflict, unless forced. */
function withoutChanged(
  { written, removed }: ChangedFields,
  managers: Managers,
  self: string,
  force: boolean,
): Map<string, Manager> {
  const conflicts = new Map<Manager, FieldSet>();
  const result = new Map<string, Manager>();
  for (const [key, manager] of managers) {
    if (key === self) {
      result.set(key, manager);
      continue;
    }
    const taken = manager.fields.intersection(written);
    if (!taken.isEmpty) conflicts.set(manager, taken);
    const fields = manager.fields.difference(taken).difference(removed);
    if (!fields.isEmpty) result.set(key, { ...manager, fields });
  }
  if (!force && conflicts.size > 0) throw applyConflict(conflicts);
  return result;
}

interface Conflict {
  readonly manager: string;
  readonly path: string;
}

function applyConflict(conflicts: ReadonlyMap<Manager, FieldSet>): StatusError {
  const found: Conflict[] = [...conflicts].flatMap(([manager, fields]) =>
    [...fields.paths()].map((path) => ({ manager: shownManager(manager), path: pathText(path) })),
  );
  const causes: JsonObject[] = found.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field: path,
  }));
  return new StatusError(409, 'Conflict', conflictMessage(found), { causes });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.path}`;
  }
  const lines: string[] = [];
  for (const manager of [...new Set(conflicts.map((conflict) => conflict.manager))].sort()) {
    lines.push(`conflicts with ${manager}:`);
    for (const conflict of conflicts) if (conflict.manager === manager) lines.push(`- ${conflict.path}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function shownManager({ name, subresource, operation, apiVersion }: Manager): string {
  const suffix = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(name)}${suffix}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
