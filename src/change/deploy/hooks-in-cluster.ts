import { isApiError } from '../../cluster/api-error.ts';
import type { Cluster, ResourceMapping } from '../../cluster/types.ts';
import { annotations } from '../../manifest/annotations.ts';
import type { Hook, KubernetesObject } from '../../manifest/types.ts';
import { isProtected } from '../../plan/keep.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { compareText } from '../../support/order.ts';
import type { Context } from '../context.ts';

interface Search {
  readonly name: string;
  readonly namespace: string;
  readonly concurrency?: number | undefined;
}

/**
 * The objects in the cluster that hooks of a release have left, of whatever kind, by their annotations: also those of revisions that are
 * forgotten, and of a release that is gone; without those that a resource policy keeps. They are looked for in the release's namespace and among what has none. What may
 * not be listed is named in a warning. The hooks have no events: nothing runs them.
 */
export async function hooksInCluster(search: Search, context: Context): Promise<readonly Hook[]> {
  const cluster = await context.cluster();
  const { signal } = context;
  const mappings = kindsIn(await cluster.resources({ signal }));
  const limit = createLimiter(search.concurrency ?? defaultConcurrency);
  const unread: string[] = [];
  const found = await Promise.all(
    mappings.map((mapping) =>
      limit(() => hooksOfKind(mapping, search, { cluster, signal })).catch((error: unknown) => {
        if (!isUnreadable(error)) throw error;
        unread.push(mapping.kind);
        return [];
      }),
    ),
  );
  if (unread.length > 0) {
    const kinds = unread.sort(compareText).join(', ');
    context.onEvent?.({ kind: 'warning', text: `hooks were not looked for among ${kinds}: they may not be listed` });
  }
  return found.flat();
}

const defaultConcurrency = 16;

const isUnreadable = (error: unknown): boolean =>
  ['Forbidden', 'NotFound', 'NotServed', 'MethodNotAllowed', 'NotAcceptable'].some((reason) =>
    isApiError(error, reason),
  );

/** Each kind once, by the version that its group prefers, if its objects can be listed and deleted; no CRDs, no events. */
function kindsIn(served: readonly ResourceMapping[]): readonly ResourceMapping[] {
  const kinds = new Map<string, ResourceMapping>();
  for (const mapping of served) {
    const key = `${mapping.kind}.${mapping.group}`;
    if (kinds.has(key) || neverHooks.has(mapping.kind)) continue;
    if (mapping.verbs.includes('list') && mapping.verbs.includes('delete')) kinds.set(key, mapping);
  }
  return [...kinds.values()];
}

const neverHooks: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'Event', 'Lease']);

async function hooksOfKind(
  mapping: ResourceMapping,
  { name, namespace }: Search,
  { cluster, signal }: { readonly cluster: Cluster; readonly signal: AbortSignal | undefined },
): Promise<readonly Hook[]> {
  const { group, version, kind, namespaced } = mapping;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const options = { metadataOnly: true, signal, ...(namespaced ? { namespace } : {}) };
  const objects = await cluster.list(apiVersion, kind, options);
  const isLeft = ({ metadata }: KubernetesObject): boolean =>
    metadata.annotations?.[annotations.hook] !== undefined &&
    metadata.annotations[annotations.releaseName] === name &&
    metadata.annotations[annotations.releaseNamespace] === namespace &&
    !isProtected({ ...mapping, apiVersion, metadata });
  return objects.filter(isLeft).map((object) => hookFrom({ ...object, apiVersion, kind }));
}

/** Only what a deletion has to know. */
function hookFrom({ apiVersion, kind, metadata }: KubernetesObject): Hook {
  const { name, namespace } = metadata;
  return {
    name,
    kind,
    path: '',
    manifest: JSON.stringify({ apiVersion, kind, metadata: { name, namespace } }),
    events: [],
    weight: 0,
    deletePolicies: [],
    outputLogPolicies: [],
    lastRun: { phase: '' },
  };
}
