import { SharedPromise } from '../support/shared-promise.ts';
import { apiErrorOf, checked, jsonIn } from './http/answer.ts';
import type { ApiResponse } from './http/exchange.ts';
import type { Transport } from './http/transport.ts';
import { listOf, type Shaped, struct } from './shape.ts';
import type { ResourceMapping } from './types.ts';
import { splitApiVersion, wellKnownMapping } from './well-known-kinds.ts';

/** What the API server serves, asked for once and kept. */
export class Discovery {
  readonly #transport: Transport;
  readonly #onDebug: (text: string) => void;
  readonly #found = new SharedPromise((signal) => discover(this.#round(signal)));
  /** What single group versions serve that were asked for themselves. */
  readonly #versions = new Map<string, readonly ResourceMapping[]>();
  readonly #underWay = new Map<string, SharedPromise<readonly ResourceMapping[]>>();

  constructor(transport: Transport, onDebug: (text: string) => void) {
    this.#transport = transport;
    this.#onDebug = onDebug;
  }

  async all(
    options: { signal?: AbortSignal | undefined; fresh?: boolean | undefined } = {},
  ): Promise<readonly ResourceMapping[]> {
    if (options.fresh) this.forget();
    return this.#found.answer(options.signal);
  }

  /**
   * How a kind is served. Well-known kinds need no question. For any other that is not known yet, its group version is
   * asked each time, and nothing else: where thousands of kinds are served, the whole answer takes a hundred times longer.
   */
  async mapping(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ResourceMapping | undefined> {
    return wellKnownMapping(apiVersion, kind) ?? this.served(apiVersion, kind, signal);
  }

  /** As {@link mapping}, by what the server says alone. */
  async served(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ResourceMapping | undefined> {
    const find = (mappings: readonly ResourceMapping[] = []) => findMapping(mappings, apiVersion, kind);
    return (
      find(await this.#found.answerIfAsked(signal)) ??
      find(this.#versions.get(apiVersion)) ??
      find(await this.#version(apiVersion, signal))
    );
  }

  /** What a group version serves now; who asks for it while that is under way is told the same. */
  #version(apiVersion: string, signal: AbortSignal | undefined): Promise<readonly ResourceMapping[]> {
    const underWay = this.#underWay.get(apiVersion) ?? new SharedPromise((all) => this.#askVersion(apiVersion, all));
    this.#underWay.set(apiVersion, underWay);
    return underWay.answer(signal);
  }

  async #askVersion(apiVersion: string, signal: AbortSignal): Promise<readonly ResourceMapping[]> {
    const path = `${splitApiVersion(apiVersion).group === '' ? '/api' : '/apis'}/${apiVersion}`;
    const round = this.#round(signal);
    const response = await round.transport
      .send({ method: 'GET', path, repeat: 'always', signal })
      .finally(() => this.#underWay.delete(apiVersion));
    if (response.status === 401 || response.status === 403) throw apiErrorOf('GET', path, response);
    const mappings = mappingsOfVersion({ apiVersion, path, response }, round);
    this.#versions.set(apiVersion, mappings);
    return mappings;
  }

  #round(signal: AbortSignal): Round {
    return { transport: this.#transport, onDebug: this.#onDebug, signal };
  }

  /** The next question is put to the server again: kinds have been added. */
  forget(): void {
    this.#found.forget();
    this.#versions.clear();
  }
}

function findMapping(
  mappings: readonly ResourceMapping[],
  apiVersion: string,
  kind: string,
): ResourceMapping | undefined {
  const { group, version } = splitApiVersion(apiVersion);
  return mappings.find((mapping) => mapping.group === group && mapping.version === version && mapping.kind === kind);
}

const aggregated = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',');

/** One round of questions about what the server serves. */
interface Round {
  readonly transport: Transport;
  /** Told about what is left out. */
  readonly onDebug: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Two requests where the server aggregates (Kubernetes 1.26 and later), else one for each group version. */
async function discover(round: Round): Promise<readonly ResourceMapping[]> {
  const { transport, signal } = round;
  const ask = (path: string): Promise<ApiResponse> =>
    transport.send({ method: 'GET', path, accept: aggregated, repeat: 'always', signal });
  const [core, groups] = await Promise.all([ask('/api'), ask('/apis')]);
  if (core.status >= 400 && core.status !== 404) throw apiErrorOf('GET', '/api', core);
  if (groups.status >= 400 && groups.status !== 404) throw apiErrorOf('GET', '/apis', groups);
  const answers = [
    { path: '/api', response: core },
    { path: '/apis', response: groups },
  ];
  const found = await Promise.all(
    answers
      .filter(({ response }) => response.status < 400)
      .map(({ path, response }) => mappingsIn(path, response, round)),
  );
  return found.flat();
}

const resourceShape = struct('APIResource', {
  name: 'string',
  resource: 'string',
  singularName: 'string',
  singularResource: 'string',
  kind: 'string',
  namespaced: 'bool',
  scope: 'string',
  shortNames: listOf('string'),
  verbs: listOf('string'),
  subresources: listOf(struct('APISubresourceDiscovery', { subresource: 'string' })),
  responseKind: struct('GroupVersionKind', { kind: 'string' }),
});
const resourceListShape = struct('APIResourceList', { resources: listOf(resourceShape) });
const groupShape = struct('APIGroupDiscovery', {
  metadata: struct('ObjectMeta', { name: 'string' }),
  versions: listOf(
    struct('APIVersionDiscovery', { version: 'string', freshness: 'string', resources: listOf(resourceShape) }),
  ),
});
/** An APIGroupDiscoveryList, or of older servers an APIVersions or APIGroupList. */
const discoveryShape = struct('Discovery', {
  kind: 'string',
  items: listOf(groupShape),
  versions: listOf('string'),
  groups: listOf(struct('APIGroup', { versions: listOf(struct('GroupVersion', { groupVersion: 'string' })) })),
});

async function mappingsIn(path: string, response: ApiResponse, round: Round): Promise<ResourceMapping[]> {
  const answer = checked({ method: 'GET', path, value: jsonIn('GET', path, response) }, discoveryShape);
  if (answer.kind === 'APIGroupDiscoveryList') return aggregatedMappings(answer.items ?? [], round.onDebug);
  const ofGroups = (answer.groups ?? []).flatMap(({ versions }) => versions ?? []);
  const versions =
    answer.kind === 'APIVersions' ? (answer.versions ?? []) : ofGroups.map(({ groupVersion }) => groupVersion ?? '');
  const found = versions.map((version) => listed(version, `${path}/${version}`, round));
  return (await Promise.all(found)).flat();
}

function aggregatedMappings(
  groups: readonly Shaped<typeof groupShape>[],
  onDebug: (text: string) => void,
): ResourceMapping[] {
  const mappings: ResourceMapping[] = [];
  for (const { metadata, versions } of groups) {
    const group = metadata?.name ?? '';
    for (const { version, freshness, resources } of versions ?? []) {
      // The aggregated API server behind it does not answer.
      if (freshness === 'Stale') onDebug(`discovery of ${group}/${version} is stale: its API service does not answer`);
      const served = (resources ?? []).filter(({ responseKind }) => responseKind);
      const hasStatus = ({ subresources }: Shaped<typeof resourceShape>): boolean =>
        (subresources ?? []).some(({ subresource }) => subresource === 'status');
      for (const resource of served)
        mappings.push({ ...mappingOf({ group, version: version ?? '' }, resource), hasStatus: hasStatus(resource) });
    }
  }
  return mappings;
}

/** How a kind is served, by either form of discovery. */
const mappingOf = (
  { group, version }: { readonly group: string; readonly version: string },
  resource: Shaped<typeof resourceShape>,
): ResourceMapping => ({
  group,
  version,
  kind: resource.responseKind?.kind ?? resource.kind ?? '',
  plural: resource.resource ?? resource.name ?? '',
  singular: resource.singularResource ?? resource.singularName ?? undefined,
  shortNames: resource.shortNames ?? undefined,
  namespaced: resource.namespaced ?? resource.scope === 'Namespaced',
  verbs: resource.verbs ?? [],
});

/** One group version the old way. */
async function listed(apiVersion: string, path: string, round: Round): Promise<ResourceMapping[]> {
  const { transport, signal } = round;
  const response = await transport.send({ method: 'GET', path, repeat: 'unprocessed', signal });
  return mappingsOfVersion({ apiVersion, path, response }, round);
}

interface VersionAnswer {
  readonly apiVersion: string;
  readonly path: string;
  readonly response: ApiResponse;
}

/** A group version that is not there, or whose API service is down, serves nothing. */
function mappingsOfVersion({ apiVersion, path, response }: VersionAnswer, { onDebug }: Round): ResourceMapping[] {
  if (response.status >= 400) {
    onDebug(`discovery of ${apiVersion} failed: ${apiErrorOf('GET', path, response).message}`);
    return [];
  }
  const answer = { method: 'GET', path, value: jsonIn('GET', path, response) };
  const resources = checked(answer, resourceListShape).resources ?? [];
  const names = new Set(resources.map(({ name }) => name));
  return resources
    .filter(({ name }) => name && !name.includes('/'))
    .map((resource) => ({
      ...mappingOf(splitApiVersion(apiVersion), resource),
      hasStatus: names.has(`${resource.name}/status`),
    }));
}
