import type { PreparedChart, Rendered, Renderer, RenderRequest } from '../../change/context.ts';
import type { Chart } from '../../chart/types.ts';
import type { Cluster } from '../../cluster/types.ts';
import type { GoMap } from '../../go/value.ts';
import { prepareChart, type RenderReleaseOptions, renderRelease } from '../../render/release.ts';
import { clusterCapabilities, clusterLookup } from './cluster-view.ts';
import { withDeclaredKinds, withoutDeclaredKinds } from './declared-kinds.ts';

/** What every render of a command has in common; `capabilities` are for renders without a cluster. */
export type RendererOptions = Pick<
  RenderReleaseOptions,
  'capabilities' | 'postRenderer' | 'postRenderStrategy' | 'downloadSchema' | 'now' | 'randomBytes' | 'timeZone'
>;

/** Renders charts as Helm's install and upgrade do; Helm 2's hook events count, and ordering annotations become legal. */
export const helmRenderer = (common: RendererOptions = {}): Renderer => ({
  prepare: async (chart: Chart, values: GoMap) => prepareChart(chart, values),
  render: async (prepared: PreparedChart, values: GoMap, request: RenderRequest): Promise<Rendered> =>
    renderRelease(prepared, values, {
      ...common,
      now: timeOf(request) ?? common.now,
      ...(await seenInCluster(request.cluster, request)),
      release: {
        name: request.release.name,
        namespace: request.release.namespace,
        revision: request.release.revision,
        isInstall: !request.release.isUpgrade,
      },
      enableDns: request.enableDns,
      skipSchemaValidation: request.skipSchemaValidation,
      renderSubchartNotes: request.subchartNotes,
      hideSecrets: request.hideSecrets,
      knowHelm2Events: true,
      legalAnnotations: true,
    }),
});

const timeOf = ({ now }: RenderRequest): (() => Date) | undefined => (now === undefined ? undefined : () => now);
type SeenOptions = Pick<RenderRequest, 'signal' | 'secrets' | 'noLookup' | 'declaredCrds'>;

/** What templates may know of the cluster: nothing without one. */
export async function seenInCluster(
  cluster: Cluster | undefined,
  { signal, secrets, noLookup, declaredCrds = [] }: SeenOptions = {},
): Promise<Pick<RenderReleaseOptions, 'capabilities' | 'fetchObject'>> {
  if (cluster === undefined) return {};
  const options = { signal, secrets };
  const served = await clusterCapabilities(cluster, options);
  return {
    capabilities: withDeclaredKinds(served, declaredCrds),
    fetchObject: noLookup ? undefined : withoutDeclaredKinds(clusterLookup(cluster, options), served, declaredCrds),
  };
}
