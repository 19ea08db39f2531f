import { additionsOf, type PlannedAdditions } from '../../change/deploy/planned-additions.ts';
import { isApiError } from '../../cluster/api-error.ts';
import type { Cluster } from '../../cluster/types.ts';
import { isCrd, type Target } from '../../execute/apply/targets.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest, ResourceId } from '../../manifest/types.ts';
import { type JsonObject, objectAt, without } from '../../support/json.ts';
import type { OwnServer } from './asked-server.ts';
import { asAdmissionPolicies } from './other-policies.ts';
import type { Unanswered } from './unanswered.ts';

/** Reads from a cluster what the API server in this process needs to answer in its place. */
export interface ClusterReader {
  readonly cluster: Cluster;
  readonly signal: AbortSignal | undefined;
  /** Learns what may not be read. */
  readonly unanswered: Unanswered;
}

/** The CustomResourceDefinitions of the kinds that the cluster serves and `own` does not. */
export async function missingCrds(
  manifests: readonly Manifest[],
  own: OwnServer,
  reader: ClusterReader,
): Promise<readonly KubernetesObject[]> {
  const { cluster, signal } = reader;
  const names = new Set<string>();
  for (const { object, malformed } of manifests) {
    if (malformed !== undefined) continue;
    const { apiVersion, kind } = object;
    if ((await own.mapping(apiVersion, kind)) !== undefined) continue;
    const mapping = await cluster.mapping(apiVersion, kind, { signal });
    if (mapping !== undefined) names.add(`${mapping.plural}.${groupOf(apiVersion)}`);
  }
  const found = await Promise.all([...names].map((name) => readObject({ ...crdKind, name }, reader)));
  return found.flatMap((crd) => (typeof crd === 'string' ? [] : [asWritten(crd)]));
}

const crdKind = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespace: '' };
const namespaceKind = { apiVersion: 'v1', kind: 'Namespace', namespace: '' };

/** The namespaces that objects are in, with their labels. */
export async function namespacesOf(
  targets: readonly Target[],
  reader: ClusterReader,
): Promise<readonly KubernetesObject[]> {
  const names = new Set(targets.map(({ id }) => id.namespace).filter((name) => name !== ''));
  const found = await Promise.all(
    [...names].map(async (name) => {
      const namespace = await readObject({ ...namespaceKind, name }, reader);
      if (namespace === 'missing') reader.unanswered.addMissing(name);
      return typeof namespace === 'string' ? [] : [asWritten(namespace)];
    }),
  );
  return found.flat();
}

type Kind = Pick<KubernetesObject, 'apiVersion' | 'kind'>;

const readObject = (id: ResourceId, reader: ClusterReader): Promise<KubernetesObject | 'missing' | 'unreadable'> =>
  readable(async () => (await reader.cluster.get(id, reader)) ?? 'missing', id, reader);

/** What the release brings that others of its objects need: kinds of CRDs, and accounts and classes that are not there yet. */
export async function releaseAdditions(targets: readonly Target[], reader: ClusterReader): Promise<PlannedAdditions> {
  const hasPods = targets.some(({ id }) => id.kind === 'Pod');
  const found = targets.map(async ({ id, object }) => {
    const additions = additionsOf(object, id.namespace);
    const isComing = isCrd(id) || (additions.length > 0 && hasPods && (await readObject(id, reader)) === 'missing');
    return isComing ? additions : [];
  });
  return new Set((await Promise.all(found)).flat());
}

/**
 * Puts the admission policies of a cluster there, with their bindings and parameters, the kinds of these first. The names of
 * those that may deny.
 */
export async function clusterPolicies(reader: ClusterReader, own: OwnServer): Promise<ReadonlySet<string>> {
  const all = async ({ apiVersion, kind }: Kind): Promise<readonly KubernetesObject[]> => {
    const found = await readable(() => reader.cluster.list(apiVersion, kind, reader), { apiVersion, kind }, reader);
    return found === 'unreadable' ? [] : found;
  };
  const withBindings = async (kind: string): Promise<readonly KubernetesObject[]> => {
    const policies = await all({ apiVersion: group, kind });
    return policies.length === 0 ? [] : [...policies, ...(await all({ apiVersion: group, kind: `${kind}Binding` }))];
  };
  const validating = await withBindings('ValidatingAdmissionPolicy');
  const mutating = await withBindings('MutatingAdmissionPolicy');
  const policies = [...validating, ...mutating];
  if (policies.length === 0) return new Set();
  const paramKinds = new Map(policies.flatMap(paramKindOf));
  const params = await Promise.all([...paramKinds.values()].map(all));
  const objects = params.flat().map(asWritten);
  const kinds = await missingCrds(
    objects.map((object) => ({ object, source: '' }) as Manifest),
    own,
    reader,
  );
  const judging = policies.flatMap((object) => asAdmissionPolicies({ object, source: '', text: '' }));
  await own.sendAll([...kinds, ...judging.map(({ object }) => asWritten(object)), ...objects]);
  return new Set(
    validating.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy').map(({ metadata }) => metadata.name),
  );
}

const group = 'admissionregistration.k8s.io/v1';

function paramKindOf(policy: KubernetesObject) {
  const { apiVersion, kind } = objectAt(policy as unknown as JsonObject, 'spec', 'paramKind') ?? {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  return [[`${apiVersion} ${kind}`, { apiVersion, kind }] as const];
}

/** What is read of a kind; nothing of one that an old server does not serve. */
async function readable<T>(
  read: () => Promise<T>,
  { kind }: Kind,
  { unanswered }: ClusterReader,
): Promise<T | 'unreadable'> {
  try {
    return await read();
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.failure.reason !== 'NotServed') unanswered.add('read', kind, error.failure);
    return 'unreadable';
  }
}

/** An object without what the server adds. */
function asWritten(object: KubernetesObject): KubernetesObject {
  const metadata = object.metadata as unknown as JsonObject;
  const own = without(metadata, 'managedFields', 'resourceVersion', 'uid', 'creationTimestamp', 'generation');
  return { ...without(object as unknown as JsonObject, 'status'), metadata: own } as unknown as KubernetesObject;
}
