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
  /** Where that is declared, for people. */
  readonly why: string;
  /** The file that declares it, with the line where known; looked for only when it is asked for. */
  readonly place: () => string;
}

export const idsOf = (edges: readonly Edge[]): readonly string[] => [...new Set(edges.map(({ to }) => to))];

/** Each edge once, as the reason for a node's place. */
export const becauseOf = (edges: readonly Edge[]): readonly string[] => [
  ...new Set(edges.map(({ name, why }) => `${name} (${why})`)),
];

/** `bar waits for foo (shop/Chart.yaml:12)` for each edge of a cycle of ids. */
export function cycleText(cycle: readonly string[], nodes: ReadonlyMap<string, OrderNode>): readonly string[] {
  return cycle.map((id, index) => {
    const next = cycle[(index + 1) % cycle.length] as string;
    const node = nodes.get(id) as OrderNode;
    const places = node.edges.filter(({ to }) => to === next).map(({ place }) => place());
    const [place] = places.sort(compareText);
    return `${node.name} waits for ${(nodes.get(next) as OrderNode).name} (${place})`;
  });
}
