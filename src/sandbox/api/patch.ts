import { jsonPatch } from '../../kinds/json-patch.ts';
import { mergePatch } from '../../kinds/merge-patch.ts';
import { strategicMergePatch } from '../../kinds/strategic-patch.ts';
import { isJsonObject, type Json, type JsonObject, objectAt, plain, without } from '../../support/json.ts';
import { applyDefaults } from '../defaults/defaults.ts';
import { apiVersionOf, hasStatus, type Kind, storageKey } from '../kinds/kind.ts';
import { serverSideApply } from '../patches/apply.ts';
import { decodeManagers, encodeManagers, resetFields } from '../patches/managed-fields.ts';
import type { Resource } from '../resource.ts';
import { typedProblem } from '../schema/decode.ts';
import { badRequest, notFound, StatusError, unsupportedMediaType } from '../status.ts';
import { inNamespace, storeNew } from './create.ts';
import { convertObject, decodeObject } from './decode.ts';
import type { Environment, ObjectPath, WriteOptions } from './environment.ts';
import { atVersion, getObject } from './read.ts';
import { changeObject, storeChanged, withServerFields } from './update.ts';
import { writerOf } from './writer.ts';

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** A patch as a request carries it: its body, and how that is to be read. */
export interface Patch {
  readonly type: PatchType;
  readonly body: Json;
}

export interface Patched {
  readonly object: Resource;
  readonly created: boolean;
}

/** PATCH in any of its four forms. */
export function patchObject(
  environment: Environment,
  path: ObjectPath,
  { type, body }: Patch,
  options: WriteOptions,
): Patched {
  const { kind, name } = path;
  if (type === 'apply') return applyObject(environment, path, body, options);
  if (type === 'strategic' && kind.custom !== undefined) throw unsupportedMediaType(customPatchTypes);
  const before = getObject(environment, path);
  const patched = applyPatch(kind, before, type, body);
  const decoded = decodeObject(kind, patched, options);
  if (decoded.metadata.name !== name)
    throw badRequest('metadata.name: the name of an object cannot be changed by a patch');
  const after = inNamespace(kind, decoded, before.metadata.namespace);
  return { object: changeObject(environment, kind, { before, after }, options), created: false };
}

const customPatchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];

function applyPatch(kind: Kind, before: Resource, type: Exclude<PatchType, 'apply'>, patch: Json): Json {
  switch (type) {
    case 'json':
      return jsonPatch(before, patch);
    case 'merge':
      if (!isJsonObject(patch)) throw badRequest('the merge patch must be an object');
      return mergePatch(before, patch);
    case 'strategic':
      if (!isJsonObject(patch)) throw badRequest('the strategic merge patch must be an object');
      return strategicMergePatch(before, patch, kind.type());
  }
}

function applyObject(environment: Environment, path: ObjectPath, body: Json, options: WriteOptions): Patched {
  const { kind, namespace, name } = path;
  const configuration = applyConfiguration(environment, path, body, options);
  const subresource = options.subresource ?? '';
  const stored = environment.store.get(storageKey(kind), kind.namespaced ? namespace : undefined, name);
  if (stored === undefined && subresource !== '') throw notFound(kind, name);
  if (stored === undefined && environment.keepsManagers === false) {
    const object = applyDefaults(kind, inNamespace(kind, convertObject(kind, configuration), namespace));
    return { object: storeNew(environment, kind, object, options), created: true };
  }
  const live = stored === undefined ? emptyObject(path) : atVersion(kind, stored);
  const applied = serverSideApply(
    { type: kind.type(), live, configuration },
    decodeManagers(stored?.metadata.managedFields),
    { ...writerOf(environment, kind, options), force: options.force === true },
    resetFields(hasStatus(kind), subresource),
  );
  const managedFields = encodeManagers(applied.managers);
  const converted = convertObject(kind, applied.object);
  const object = applyDefaults(kind, inNamespace(kind, converted, namespace));
  if (stored === undefined) {
    if (!isJsonObject(body) || !objectAt(body, 'metadata')?.name) throw nameless(name);
    const fresh = { ...object, metadata: { ...object.metadata, managedFields } };
    return { object: storeNew(environment, kind, fresh, options), created: true };
  }
  const after = withServerFields(kind, live, object, subresource);
  return { object: storeChanged(environment, kind, { before: live, after, managedFields }, options), created: false };
}

const nameless = (name: string): Error =>
  badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);

const emptyObject = ({ kind, namespace, name }: ObjectPath): Resource => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  metadata: kind.namespaced && namespace !== undefined ? { name, namespace } : { name },
});

/** The body of an apply request, checked: its type, its name, and that it has the structure of its kind. */
function applyConfiguration(environment: Environment, path: ObjectPath, body: Json, options: WriteOptions): Resource {
  const { kind, namespace, name } = path;
  if (!isJsonObject(body)) throw badRequest('error decoding YAML: the apply configuration must be an object');
  const apiVersion = apiVersionOf(kind);
  if (body.apiVersion !== apiVersion || body.kind !== kind.kind) {
    const [version, group] = plain(body.apiVersion).split('/').reverse();
    throw badRequest(
      `invalid object type: ${group === undefined ? '' : `${group}/`}${version}, Kind=${plain(body.kind)}`,
    );
  }
  const metadata = isJsonObject(body.metadata) ? body.metadata : {};
  if (metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  if (metadata.name !== undefined && metadata.name !== name) {
    throw badRequest(`the name of the object (${plain(metadata.name)}) does not match the name on the URL (${name})`);
  }
  checkApplyVersion(environment, path, metadata);
  const problem = typedProblem(kind.type(), body);
  if (problem !== undefined) {
    const place = `${plain(metadata.namespace ?? '')}/${name}; ${apiVersion}, Kind=${kind.kind}`;
    throw new StatusError(500, '', `failed to create typed patch object (${place}): ${problem}`);
  }
  checkNamespace(path, metadata);
  reportUnknown(kind, body, options);
  const named = { ...without(metadata, 'resourceVersion', 'uid'), name };
  const placed = kind.namespaced && namespace !== undefined ? { ...named, namespace } : named;
  return { ...body, apiVersion, kind: kind.kind, metadata: placed } as Resource;
}

/** The request's namespace is the object's. */
function checkNamespace({ kind, namespace = '' }: ObjectPath, metadata: JsonObject): void {
  const given = metadata.namespace;
  if (kind.namespaced && given !== undefined && given !== '' && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** A resourceVersion or uid in the configuration must be the live object's. */
function checkApplyVersion({ store }: Environment, { kind, namespace, name }: ObjectPath, metadata: JsonObject): void {
  const { resourceVersion, uid } = metadata;
  if (resourceVersion === undefined && uid === undefined) return;
  const live = store.get(storageKey(kind), kind.namespaced ? namespace : undefined, name);
  const differs = (given: Json | undefined, now: string | undefined): boolean => given !== undefined && given !== now;
  if (differs(resourceVersion, live?.metadata.resourceVersion) || differs(uid, live?.metadata.uid)) {
    throw new StatusError(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${kind.plural} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
      { name, kind: kind.plural },
    );
  }
}

/** Custom resources accept fields outside their schema in an apply and drop them: only that is reported here. */
function reportUnknown(kind: Kind, body: JsonObject, options: WriteOptions): void {
  if (kind.custom !== undefined) decodeObject(kind, body, options);
}
