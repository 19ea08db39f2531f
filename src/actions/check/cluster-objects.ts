import { isApiError } from '../../cluster/api-error.ts';
import type { Cluster } from '../../cluster/types.ts';
import type { Target } from '../../execute/apply/targets.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { type JsonObject, objectAt, without } from '../../support/json.ts';
import type { OwnServer } from './asked-server.ts';

/** Reads from a cluster what the API server in this process needs to answer in its place; what may not be read is left out. */
export interface ClusterReader {
  readonly cluster: Cluster;
  readonly signal: AbortSignal | undefined;
}

/** The CustomResourceDefinitions of the kinds that the cluster serves and `own` does not. */
export async function missingCrds(
  manifests: readonly Manifest[],
  own: OwnServer,
  { cluster, signal }: ClusterReader,
): Promise<readonly KubernetesObject[]> {
  const names = new Set<string>();
  for (const { object, malformed } of manifests) {
    if (malformed !== undefined) continue;
    const { apiVersion, kind } = object;
    if ((await own.mapping(apiVersion, kind)) !== undefined) continue;
    const mapping = await cluster.mapping(apiVersion, kind, { signal });
    if (mapping !== undefined) names.add(`${mapping.plural}.${groupOf(apiVersion)}`);
  }
  const kind = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespace: '' };
  const found = await Promise.all(
    [...names].map((name) => readable(async () => [await cluster.get({ ...kind, name }, { signal })])),
  );
  return found.flat().flatMap((crd) => (crd === undefined ? [] : [asWritten(crd)]));
}

/** The namespaces that objects are in, with their labels. */
export async function namespacesOf(
  targets: readonly Target[],
  { cluster, signal }: ClusterReader,
): Promise<readonly KubernetesObject[]> {
  const names = new Set(targets.map(({ id }) => id.namespace).filter((name) => name !== ''));
  const kind = { apiVersion: 'v1', kind: 'Namespace', namespace: '' };
  const found = await Promise.all(
    [...names].map((name) => readable(async () => [await cluster.get({ ...kind, name }, { signal })])),
  );
  return found.flat().flatMap((namespace) => (namespace === undefined ? [] : [asWritten(namespace)]));
}

/**
 * Puts the ValidatingAdmissionPolicies of a cluster there, with their bindings and parameters, the kinds of these first.
 * Their names.
 */
export async function clusterPolicies(reader: ClusterReader, own: OwnServer): Promise<ReadonlySet<string>> {
  const all = (apiVersion: string, kind: string) =>
    readable(() => reader.cluster.list(apiVersion, kind, { signal: reader.signal }));
  const policies = await all(group, 'ValidatingAdmissionPolicy');
  if (policies.length === 0) return new Set();
  const bindings = await all(group, 'ValidatingAdmissionPolicyBinding');
  const paramKinds = new Map(policies.flatMap(paramKindOf));
  const params = await Promise.all([...paramKinds.values()].map(({ apiVersion, kind }) => all(apiVersion, kind)));
  const objects = params.flat().map(asWritten);
  const kinds = await missingCrds(
    objects.map((object) => ({ object, source: '' }) as Manifest),
    own,
    reader,
  );
  await own.sendAll([...kinds, ...[...policies, ...bindings].map(asWritten), ...objects]);
  return new Set(policies.map(({ metadata }) => metadata.name));
}

const group = 'admissionregistration.k8s.io/v1';

function paramKindOf(policy: KubernetesObject) {
  const { apiVersion, kind } = objectAt(policy as unknown as JsonObject, 'spec', 'paramKind') ?? {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  return [[`${apiVersion} ${kind}`, { apiVersion, kind }] as const];
}

async function readable<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await read();
  } catch (error) {
    if (isApiError(error)) return [];
    throw error;
  }
}

/** An object without what the server adds. */
function asWritten(object: KubernetesObject): KubernetesObject {
  const metadata = object.metadata as unknown as JsonObject;
  const own = without(metadata, 'managedFields', 'resourceVersion', 'uid', 'creationTimestamp', 'generation');
  return { ...without(object as unknown as JsonObject, 'status'), metadata: own } as unknown as KubernetesObject;
}
