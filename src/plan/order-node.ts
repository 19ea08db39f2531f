import type { Manifest } from '../manifest/types.ts';
import { compareText } from '../support/order.ts';

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
  readonly place: () => string;
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

/** How a cycle of ids is told: what the nodes are, and below it `bar waits for foo by KEY of Deployment/bar (shop/templates/bar.yaml:12)` for each edge. */
export function cycleText(what: string, cycle: readonly string[], nodes: ReadonlyMap<string, OrderNode>): string {
  const names = cycle.map((id) => (nodes.get(id) as OrderNode).name);
  const lines = cycle.map((id, index) => {
    const next = cycle[(index + 1) % cycle.length] as string;
    const node = nodes.get(id) as OrderNode;
    const edges = node.edges.filter(({ to }) => to === next);
    const [first] = edges.map((edge) => ({ edge, place: edge.place() })).sort((a, b) => compareText(a.place, b.place));
    const { edge, place } = first as { edge: Edge; place: string };
    return `\n  ${node.name} waits for ${edge.name} by ${edge.by?.() ?? edge.why}${throughText(edge)} (${place})`;
  });
  return `${what} wait for each other: ${[...names, names[0]].join(' -> ')}; remove one of these:${lines.join('')}`;
}
