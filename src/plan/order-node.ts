import type { Manifest } from '../manifest/types.ts';
import { compareText } from '../support/order.ts';
import { type LinePlace, placeText } from './problems.ts';

/** A node of one chart's graph, before it has a level. */
export interface OrderNode {
  readonly id: string;
  readonly name: string;
  /** Nothing for a subchart, whose resources are its own unit's. */
  readonly manifests: readonly Manifest[];
  readonly edges: readonly Edge[];
}

/** That a node waits for another one. */
export interface Edge {
  readonly to: string;
  /** The other one's name. */
  readonly name: string;
  /** The subcharts that lie between the two and are switched off. */
  readonly through?: readonly string[] | undefined;
  /** Where that is declared, for people. */
  readonly why: string;
  /** The annotation as it is written, and its resource: `helm.sh/depends-on/resource-groups of Deployment/web`. */
  readonly by?: (() => string) | undefined;
  /** The file that declares it, with the line where known; looked for only when it is asked for. */
  readonly place: () => LinePlace;
}

/** Where the edges lead, each place once. */
export const idsOf = (edges: readonly Edge[]): readonly string[] => [...new Set(edges.map(({ to }) => to))];

/** Each edge once, as the reason for a node's place; of several reasons for one, the first. */
export function becauseOf(edges: readonly Edge[]): readonly string[] {
  const first = new Map<string, Edge>();
  for (const edge of edges) if (!first.has(edge.to)) first.set(edge.to, edge);
  return [...first.values()].map((edge) => `${edge.name}${throughText(edge)} (${edge.why})`);
}

/** `, through b, which is off`. */
function throughText({ through = [] }: Edge): string {
  if (through.length === 0) return '';
  return `, through ${through.join(' and ')}, which ${through.length === 1 ? 'is' : 'are'} off`;
}

/** A cycle of ids: what the nodes are, and below it `bar waits for foo by KEY of Deployment/bar (shop/templates/bar.yaml:12)` for each edge. */
export function cycleMistake(what: string, ids: readonly string[], nodes: ReadonlyMap<string, OrderNode>) {
  const cycle = ids.map((id) => (nodes.get(id) as OrderNode).name);
  const edges = ids.map((id, index) => {
    const next = ids[(index + 1) % ids.length] as string;
    const node = nodes.get(id) as OrderNode;
    const [first] = node.edges
      .filter(({ to }) => to === next)
      .map((edge) => ({ edge, place: edge.place() }))
      .sort((a, b) => compareText(placeText(a.place), placeText(b.place)));
    const { edge, place } = first as { edge: Edge; place: LinePlace };
    const by = `${edge.by?.() ?? edge.why}${throughText(edge)}`;
    return { place, text: `\n  ${node.name} waits for ${edge.name} by ${by} (${placeText(place)})` };
  });
  const lines = edges.map(({ text }) => text).join('');
  const message = `${what} wait for each other: ${[...cycle, cycle[0]].join(' -> ')}; remove one of these:${lines}`;
  return { cycle, message, edges: edges.map(({ place }) => place) };
}
