import type { Manifest } from '../manifest/types.ts';
import { type FileLine, fileLineText } from '../support/file-line.ts';
import { compareText } from '../support/order.ts';
import { disabledChartsText } from '../words/order.ts';
import { type OrderProblem, orderProblem } from './problems.ts';

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
  /** Nothing declares it: the rest of a chart comes last. */
  readonly isImplied?: boolean | undefined;
  /** The annotation as it is written, and its resource. */
  readonly by?: (() => { readonly key: string; readonly resource: string }) | undefined;
  /** The file that declares it, with the line where known; looked for only when it is asked for. */
  readonly place: () => FileLine;
}

/** Where the edges lead, each place once. */
export const idsOf = (edges: readonly Edge[]): readonly string[] => [...new Set(edges.map(({ to }) => to))];

/** Each edge once, as the reason for a node's place; of several reasons for one, the first. */
export function becauseOf(edges: readonly Edge[]): readonly string[] {
  const first = new Map<string, Edge>();
  for (const edge of edges) if (!first.has(edge.to)) first.set(edge.to, edge);
  return [...first.values()].map((edge) => `${edge.name}${disabledChartsText(edge.through ?? [])} (${edge.why})`);
}

/** The problem that nodes wait for each other. */
export function cycleProblem(
  of: 'subcharts' | 'resource groups',
  ids: readonly string[],
  nodes: ReadonlyMap<string, OrderNode>,
  { chart, file }: { readonly chart: string; readonly file: string },
): OrderProblem {
  const waits = ids.map((id, index) => {
    const next = ids[(index + 1) % ids.length] as string;
    const node = nodes.get(id) as OrderNode;
    const [first] = node.edges
      .filter(({ to }) => to === next)
      .map((edge) => ({ edge, place: edge.place() }))
      .sort((a, b) => compareText(fileLineText(a.place), fileLineText(b.place)));
    const { edge, place } = first as { edge: Edge; place: FileLine };
    const by = edge.by?.() ?? { key: edge.why };
    return { from: node.name, to: edge.name, through: edge.through ?? [], ...by, ...place };
  });
  const cycle = waits.map(({ from }) => from);
  return orderProblem({ code: 'order-cycle', of, chart, cycle, waits }, { file });
}
