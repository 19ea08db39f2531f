import type { Chart } from '../../chart/types.ts';
import type { Cluster } from '../../cluster/types.ts';
import type { GoMap, Value } from '../../go/value.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import type { Capabilities } from '../../render/capabilities.ts';
import type { FetchObject } from '../../render/lookup.ts';
import {
  type PreparedChart,
  prepareChart,
  type RenderedRelease,
  type RenderReleaseOptions,
  renderRelease,
  withCrdWarning,
} from '../../render/release.ts';
import { compareText } from '../../support/order.ts';
import type { SecretWords } from '../../support/secret-words.ts';
import { withLoggedStep } from '../failure.ts';
import { clusterCapabilities, clusterLookup } from './cluster-view.ts';

/** What all renders of a run have in common. */
export interface RenderSettings
  extends Pick<
    RenderReleaseOptions,
    'postRenderer' | 'postRenderStrategy' | 'downloadSchema' | 'now' | 'randomBytes' | 'timeZone' | 'enableDns'
  > {
  /** What templates see of a cluster that is not asked. */
  readonly capabilities?: RenderReleaseOptions['capabilities'];
  /** The cluster that templates see in a rehearsal, instead of the sandbox. */
  readonly seenCluster?: Cluster | undefined;
  /** Looks at what was rendered, or replaces it. */
  readonly afterRender?: ((rendered: Rendered, again: RenderAgain) => Promise<Rendered>) | undefined;
}

/** Renders the same chart and values at another time: for the same revision of the release, or for the one after it. */
export type RenderAgain = (revision: 'same' | 'next') => Promise<Rendered>;

/** One render: the release, and what its options say. */
export interface RenderRequest
  extends Pick<
    RenderReleaseOptions,
    | 'release'
    | 'includeCrds'
    | 'renderSubchartNotes'
    | 'hideSecrets'
    | 'skipSchemaValidation'
    | 'enableDns'
    | 'knowHelm2Events'
    | 'legalAnnotations'
    | 'parsed'
    | 'documents'
    | 'only'
  > {
  /** For `lookup` and the capabilities; undefined means that nothing may be asked (--dry-run=client). */
  readonly cluster?: Cluster | undefined;
  /** CRDs that will be there when the manifests are sent: their kinds count as served. */
  readonly declaredCrds?: readonly Manifest[] | undefined;
  /** `lookup` finds nothing, as without a cluster. */
  readonly noLookup?: boolean | undefined;
  /** Learns what `lookup` reads of Secrets. */
  readonly secrets?: SecretWords | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A rendered chart; one that a saved plan kept cannot be rendered again. */
export interface Rendered extends Omit<RenderedRelease, 'again'> {
  readonly again?: RenderedRelease['again'] | undefined;
}

interface Preparing {
  /** Helm's install says and logs what its upgrade does not. */
  readonly isInstall: boolean;
  /** Whether CRDs of the chart are unknown to the cluster that templates ask. */
  readonly warnsOfCrds: boolean;
}

/** Leaves out the subcharts that conditions and tags switch off, and imports values. Errors: `invalid-values`. */
export async function prepareForRelease(
  chart: Chart,
  values: GoMap,
  { isInstall, warnsOfCrds }: Preparing,
): Promise<PreparedChart> {
  const prepare = async (): Promise<PreparedChart> => prepareChart(chart, values);
  const prepared = await (isInstall ? withLoggedStep('chart dependencies processing failed', prepare) : prepare());
  return warnsOfCrds ? withCrdWarning(prepared) : prepared;
}

/** Renders a prepared chart for a release, as all actions do. Errors: those of renderRelease and of the cluster. */
export async function renderForRelease(
  prepared: PreparedChart,
  values: GoMap,
  request: RenderRequest,
  settings: RenderSettings,
): Promise<Rendered> {
  const { afterRender, seenCluster, ...common } = settings;
  const { cluster, declaredCrds, noLookup, secrets, signal, ...options } = request;
  const { release } = options;
  const render = async (changes: Partial<RenderReleaseOptions> = {}): Promise<Rendered> =>
    renderRelease(prepared, values, {
      ...common,
      ...options,
      ...(await clusterViewForTemplates(seenCluster ?? cluster, { declaredCrds, noLookup, secrets, signal })),
      enableDns: common.enableDns ?? options.enableDns,
      ...changes,
    });
  const rendered = await render();
  if (afterRender === undefined) return rendered;
  const next = { ...release, revision: release.revision + 1 };
  return afterRender(rendered, (revision) =>
    render({ now: shiftedTime, release: revision === 'next' ? next : release }),
  );
}

/** What is random differs between two renders; what is made from the time does so some time apart. */
const shiftedTime = (): Date => new Date(Date.now() + millisecondsApart);

/** A year, a month, a day, an hour, a minute and a second. */
const millisecondsApart = ((397 * 24 + 1) * 60 + 1) * 60_000 + 1000;

type Sight = Pick<RenderRequest, 'declaredCrds' | 'noLookup' | 'secrets' | 'signal'>;

/** What templates may know of the cluster: nothing without one. */
export async function clusterViewForTemplates(
  cluster: Cluster | undefined,
  { signal, secrets, noLookup, declaredCrds = [] }: Sight = {},
): Promise<Pick<RenderReleaseOptions, 'capabilities' | 'fetchObject'>> {
  if (cluster === undefined) return {};
  const options = { signal, secrets };
  const served = await clusterCapabilities(cluster, options);
  return {
    capabilities: withDeclaredKinds(served, declaredCrds),
    fetchObject: noLookup ? undefined : withoutDeclaredKinds(clusterLookup(cluster, options), served, declaredCrds),
  };
}

interface CrdSpec {
  readonly group?: string;
  readonly names?: { readonly kind?: string };
  readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[];
}

/**
 * The capabilities that a cluster will have when the chart's CRDs are there. A chart is rendered before its CRDs are
 * sent, so that its mistakes are found while nothing has been changed.
 */
export const withDeclaredKinds = (capabilities: Capabilities, crds: readonly Manifest[]): Capabilities => {
  const apiVersions = new Set([...capabilities.apiVersions, ...crds.flatMap(({ object }) => apiVersionsOf(object))]);
  if (apiVersions.size === capabilities.apiVersions.length) return capabilities;
  return { ...capabilities, apiVersions: [...apiVersions].sort(compareText) };
};

/** `lookup` that finds no objects of kinds which only the chart's CRDs will define. */
function withoutDeclaredKinds(
  fetchObject: FetchObject,
  { apiVersions }: Capabilities,
  crds: readonly Manifest[],
): FetchObject {
  const served = new Set(apiVersions);
  const declared = new Set(crds.flatMap(({ object }) => apiVersionsOf(object)).filter((name) => !served.has(name)));
  if (declared.size === 0) return fetchObject;
  return async (apiVersion, kind, namespace, name) => {
    if (!declared.has(`${apiVersion}/${kind}`)) return fetchObject(apiVersion, kind, namespace, name);
    return name === '' ? emptyList(apiVersion, kind) : undefined;
  };
}

const emptyList = (apiVersion: string, kind: string): GoMap =>
  new Map<string, Value>([
    ['apiVersion', apiVersion],
    ['kind', `${kind}List`],
    ['metadata', new Map()],
    ['items', []],
  ]);

function apiVersionsOf(crd: KubernetesObject): readonly string[] {
  if (crd.kind !== 'CustomResourceDefinition') return [];
  const { group, names, versions = [] } = (crd['spec'] ?? {}) as CrdSpec;
  return versions
    .filter(({ served }) => served === true)
    .flatMap(({ name }) => [`${group}/${name}`, `${group}/${name}/${names?.kind}`]);
}
