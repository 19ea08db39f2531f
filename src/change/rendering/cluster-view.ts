import { ApiError } from '../../cluster/api-error.ts';
import type { CallOptions, Cluster, ResourceMapping } from '../../cluster/types.ts';
import { GoError, type GoMap, goInt64, type Value } from '../../go/value.ts';
import { apiVersionOf } from '../../manifest/resource-id.ts';
import type { Capabilities } from '../../render/capabilities.ts';
import type { FetchObject } from '../../render/lookup.ts';
import { messageOf } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import type { SecretWords } from '../../support/secret-words.ts';
import { learnFromObjects } from '../learn-secrets.ts';

/** What a cluster can do: its version, and every group/version and group/version/Kind that it serves. */
export async function clusterCapabilities(cluster: Cluster, options: CallOptions = {}): Promise<Capabilities> {
  const [version, resources] = await Promise.all([cluster.version(options), cluster.resources(options)]);
  const { gitVersion, major, minor } = version;
  return {
    kubeVersion: { version: gitVersion, normalized: '', major, minor },
    apiVersions: [...new Set(resources.flatMap(apiVersionsOf))].sort(compareText),
  };
}

function apiVersionsOf(mapping: ResourceMapping): string[] {
  const apiVersion = apiVersionOf(mapping);
  return [apiVersion, `${apiVersion}/${mapping.kind}`];
}

/**
 * `lookup` by a cluster; `secrets` learns what it reads of Secrets. Rejects with GoError in the words of engine.go's
 * newLookupFunction.
 */
export const clusterLookup =
  (
    cluster: Cluster,
    { secrets, ...options }: CallOptions & { readonly secrets?: SecretWords | undefined } = {},
  ): FetchObject =>
  async (apiVersion, kind, namespace, name) => {
    try {
      const mapping = await servedMapping(cluster, apiVersion, kind, options);
      if (mapping === undefined) return undefined;
      const where = mapping.namespaced ? namespace : '';
      if (name === '') return await listed(cluster, { apiVersion, kind, namespace: where }, { ...options, secrets });
      // Helm asks for /api/v1/secrets/NAME then, and finds nothing.
      if (mapping.namespaced && where === '') return undefined;
      const object = await cluster.get({ apiVersion, kind, namespace: where, name }, options);
      if (object === undefined) return undefined;
      learnFromObjects([object], secrets);
      return toValue(object) as GoMap;
    } catch (cause) {
      if (cause instanceof ApiError && cause.failure.status === 404) return undefined;
      throw cause instanceof GoError ? cause : new GoError(messageOf(cause), { cause });
    }
  };

/** undefined for a kind that its group does not have; an unknown group is an error. */
async function servedMapping(
  cluster: Cluster,
  apiVersion: string,
  kind: string,
  options: CallOptions,
): Promise<ResourceMapping | undefined> {
  const mapping = await cluster.mapping(apiVersion, kind, options);
  if (mapping !== undefined) return mapping;
  const resources = await cluster.resources(options);
  if (resources.some((resource) => apiVersionOf(resource) === apiVersion)) return undefined;
  const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new GoError(
    `unable to get apiresource from unstructured: ${groupVersion}, Kind=${kind}: the server could not find the requested resource`,
  );
}

async function listed(
  cluster: Cluster,
  { apiVersion, kind, namespace }: Record<'apiVersion' | 'kind' | 'namespace', string>,
  { secrets, ...options }: CallOptions & { readonly secrets: SecretWords | undefined },
): Promise<GoMap> {
  const items = await cluster.list(apiVersion, kind, { ...options, namespace });
  learnFromObjects(
    items.map((item) => ({ ...item, apiVersion, kind })),
    secrets,
  );
  return new Map<string, Value>([
    ['apiVersion', apiVersion],
    ['kind', `${kind}List`],
    ['metadata', new Map()],
    ['items', items.map(toValue)],
  ]);
}

/** JSON as Kubernetes' own reader gives it to templates: whole numbers are int64. */
function toValue(json: unknown): Value {
  if (typeof json === 'bigint' || (typeof json === 'number' && Number.isInteger(json))) return goInt64(json);
  if (typeof json !== 'object' || json === null) return json as Value;
  if (Array.isArray(json)) return json.map(toValue);
  return new Map(Object.entries(json).map(([key, member]) => [key, toValue(member)]));
}
