import type { DecidedChange } from '../change/context.ts';
import { isApiError, lacksNamespace } from '../cluster/api-error.ts';
import type { Cluster, ResourceMapping } from '../cluster/types.ts';
import { isCrd } from '../execute/apply/targets.ts';
import { objectsSentBy } from '../execute/plan-objects.ts';
import { itemsOf } from '../manifest/items.ts';
import { apiVersionOf } from '../manifest/resource-id.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { pause, systemTimers } from '../support/timers.ts';

/** What a release brings that others may stand on: namespaces, and kinds by their definitions. */
export interface ProvidedByRelease {
  /** The release that brings it. */
  readonly by: string;
  readonly namespaces: readonly string[];
  readonly crds: readonly KubernetesObject[];
}

/** What a decided change brings. */
export function providedBy(by: string, { plan }: Pick<DecidedChange, 'plan'>): ProvidedByRelease {
  const created = plan.steps.flatMap((step) => (step.kind === 'create-namespace' ? [step.name] : []));
  const objects = objectsSentBy(plan).flatMap(itemsOf);
  const named = objects.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace');
  return {
    by,
    namespaces: [...created, ...named.map(({ metadata }) => metadata.name)],
    crds: objects.filter(isCrd),
  };
}

/** A cluster that is looked at as it will be, and what of that a plan has used. */
export interface AnticipatedCluster {
  readonly cluster: Cluster;
  /** A line for each thing that is not there yet and was counted on, sorted. */
  used(): readonly string[];
}

/**
 * A cluster as it will be when other releases are there: the kinds and namespaces that they bring count as served. Of
 * objects that only then can be sent, a dry run answers with the object as it was given. Fails at every real change.
 */
export function anticipatedCluster(cluster: Cluster, provided: readonly ProvidedByRelease[]): AnticipatedCluster {
  const kinds = new Map(
    provided.flatMap(({ by, crds }) => crds.flatMap(mappingsOf).map((one) => [keyOf(one), { ...one, by }])),
  );
  const spaces = new Map(provided.flatMap(({ by, namespaces }) => namespaces.map((name) => [name, by] as const)));
  const used = new Set<string>();
  const promisedKind = (apiVersion: string, kind: string) => kinds.get(`${apiVersion} ${kind}`);
  const mapping: Cluster['mapping'] = async (apiVersion, kind, options) => {
    const served = await cluster.mapping(apiVersion, kind, options);
    const promised = promisedKind(apiVersion, kind);
    if (served !== undefined || promised === undefined) return served;
    used.add(`${kind} (${apiVersion}) comes with ${promised.by}`);
    const { by: _by, ...known } = promised;
    return known;
  };
  const isAbsent = async (apiVersion: string, kind: string): Promise<boolean> =>
    promisedKind(apiVersion, kind) !== undefined && (await cluster.mapping(apiVersion, kind)) === undefined;
  /** The answer of a dry run, where what the object needs will be there. */
  const tried = async (object: KubernetesObject, isDry: boolean | undefined, send: () => Promise<KubernetesObject>) => {
    if (!isDry) throw new Error('internal: a plan changes nothing');
    if (await isAbsent(object.apiVersion, object.kind)) return object;
    try {
      return await send();
    } catch (error) {
      const { namespace = '' } = object.metadata;
      const by = spaces.get(namespace);
      if (by === undefined || !isApiError(error) || !lacksNamespace(error.failure)) throw error;
      used.add(`the namespace ${namespace} comes with ${by}`);
      return object;
    }
  };
  return {
    used: () => [...used].sort(),
    cluster: {
      ...readsOf(cluster),
      mapping,
      resources: async (options) => [...(await cluster.resources(options)), ...(await absentOf(kinds, cluster))],
      get: async (id, options) => ((await isAbsent(id.apiVersion, id.kind)) ? undefined : cluster.get(id, options)),
      list: async (apiVersion, kind, options) =>
        (await isAbsent(apiVersion, kind)) ? [] : cluster.list(apiVersion, kind, options),
      create: (object, options) => tried(object, options?.dryRun, () => cluster.create(object, options)),
      apply: (object, options) => tried(object, options?.dryRun, () => cluster.apply(object, options)),
      replace: (object, options) => tried(object, options?.dryRun, () => cluster.replace(object, options)),
      patch: (id, type, patch, options) => {
        if (!options?.dryRun) throw new Error('internal: a plan changes nothing');
        return cluster.patch(id, type, patch, options);
      },
      delete: (id, options) => {
        if (!options?.dryRun) throw new Error('internal: a plan changes nothing');
        return cluster.delete(id, options);
      },
    },
  };
}

const longestDiscoveryMs = 10_000;

/**
 * Waits until the API server serves the kinds that releases have brought: its discovery comes a moment after a CRD is
 * established. After ten seconds it goes on all the same, and whoever needs the kind says that it is missing.
 */
export async function awaitKinds(
  cluster: Cluster,
  provided: readonly ProvidedByRelease[],
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const kinds = provided.flatMap(({ crds }) => crds.flatMap(mappingsOf)).map(keyOf);
  const timers = cluster.timers ?? systemTimers;
  const until = timers.now() + longestDiscoveryMs;
  const isServed = async (fresh: boolean): Promise<boolean> => {
    const served = new Set((await cluster.resources({ signal, fresh })).map(keyOf));
    return kinds.every((kind) => served.has(kind));
  };
  if (kinds.length === 0 || (await isServed(false))) return;
  while (!(await isServed(true)) && timers.now() < until) await pause(timers, 200, signal);
}

const keyOf = (mapping: ResourceMapping): string => `${apiVersionOf(mapping)} ${mapping.kind}`;

async function absentOf(
  kinds: ReadonlyMap<string, ResourceMapping>,
  cluster: Cluster,
): Promise<readonly ResourceMapping[]> {
  const served = new Set((await cluster.resources()).map(keyOf));
  return [...kinds].flatMap(([key, mapping]) => (served.has(key) ? [] : [mapping]));
}

/** What only reads, and goes through as it is. */
export const readsOf = (cluster: Cluster) => ({
  namespace: cluster.namespace,
  place: cluster.place,
  timers: cluster.timers,
  version: (...given: Parameters<Cluster['version']>) => cluster.version(...given),
  pages: (...given: Parameters<Cluster['pages']>) => cluster.pages(...given),
  table: (...given: Parameters<Cluster['table']>) => cluster.table(...given),
  watch: (...given: Parameters<Cluster['watch']>) => cluster.watch(...given),
  logs: (...given: Parameters<Cluster['logs']>) => cluster.logs(...given),
  logLines: (...given: Parameters<Cluster['logLines']>) => cluster.logLines(...given),
  close: () => undefined,
});

interface CrdSpec {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: { readonly kind?: string; readonly plural?: string };
  readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[];
}

/** The kinds that a CRD defines, as discovery will list them. */
function mappingsOf(crd: KubernetesObject): readonly ResourceMapping[] {
  const { group = '', scope, names = {}, versions = [] } = (crd['spec'] ?? {}) as CrdSpec;
  const { kind = '', plural = '' } = names;
  const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
  return versions
    .filter(({ served }) => served === true)
    .map(({ name: version = '' }) => ({ group, version, kind, plural, namespaced: scope !== 'Cluster', verbs }));
}
