import { jsonPatch } from '../../kinds/json-patch.ts';
import { mergePatch } from '../../kinds/merge-patch.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  numberOf,
  objectAt,
  plain,
  textMap,
  valueAt,
} from '../../support/json.ts';
import { deleteObject } from '../api/delete.ts';
import type { Environment, ObjectPath } from '../api/environment.ts';
import { type PatchType, patchObject } from '../api/patch.ts';
import { getObject } from '../api/read.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { badRequest } from '../status.ts';

/** `scale` of an object: its replicas in autoscaling/v1's words. */
export function scaleOf(kind: Kind, object: Resource): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const paths = objectAt(kind.custom, 'subresources', 'scale');
  const replicas = numberOf(atPath(object, paths?.specReplicasPath, ['spec', 'replicas'])) ?? 0;
  const current = numberOf(atPath(object, paths?.statusReplicasPath, ['status', 'replicas'])) ?? 0;
  const selector = atPath(object, paths?.labelSelectorPath, ['spec', 'selector']);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: current, ...(selector === undefined ? {} : { selector: selectorText(selector) }) },
  };
}

const atPath = (object: Resource, path: Json | undefined, otherwise: readonly string[]): Json | undefined =>
  valueAt(object, ...(typeof path === 'string' ? path.split('.').slice(1) : otherwise));

function selectorText(selector: Json): string {
  if (!isJsonObject(selector)) return plain(selector);
  const labels = textMap(selector.matchLabels ?? selector);
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',');
}

/** What PUT or PATCH of `scale` makes of an object: nothing but the replicas changes. */
export function scaled(kind: Kind, object: Resource, type: 'update' | PatchType, body: Json): Resource {
  const scale = scaleOf(kind, object);
  const wanted = type === 'update' ? body : type === 'json' ? jsonPatch(scale, body) : mergePatch(scale, body);
  const replicas = isJsonObject(wanted) ? (numberOf(objectAt(wanted, 'spec')?.replicas) ?? 0) : undefined;
  if (replicas === undefined) throw badRequest('the scale must be an object');
  return { ...object, spec: { ...objectAt(object, 'spec'), replicas } };
}

/** POST of a pod's `eviction`: a deletion. */
export function evict(environment: Environment, path: ObjectPath, body: Json): JsonObject {
  const grace = isJsonObject(body) ? numberOf(objectAt(body, 'deleteOptions')?.gracePeriodSeconds) : undefined;
  deleteObject(environment, path, { gracePeriodSeconds: grace });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** POST of a pod's `binding`: puts it on a node. */
export function bind(environment: Environment, path: ObjectPath, body: Json): JsonObject {
  const node = isJsonObject(body) ? objectAt(body, 'target')?.name : undefined;
  const pod = getObject(environment, path);
  patchObject(
    environment,
    { ...path, name: pod.metadata.name },
    { type: 'merge', body: { spec: { nodeName: node } } },
    { fieldManager: 'binding' },
  );
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** POST of a service account's `token`. It opens nothing: the sandbox asks nobody who they are. */
export function issueToken(body: Json, now: number): JsonObject {
  const request = isJsonObject(body) ? body : {};
  const seconds = numberOf(objectAt(request, 'spec')?.expirationSeconds) ?? 3600;
  const expirationTimestamp = `${new Date(now + seconds * 1000).toISOString().slice(0, 19)}Z`;
  return {
    ...request,
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    status: { token: 'sandbox', expirationTimestamp },
  };
}
