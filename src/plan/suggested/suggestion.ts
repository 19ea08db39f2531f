import { chartNamesOf } from '../../chart/paths.ts';
import { groupBy } from '../../support/group-by.ts';
import { declarationOf, isGrouped } from '../declarations.ts';
import type { Item } from '../derived/object-index.ts';
import type { Evidence } from './types.ts';

/** That a part of a chart waits for another one: a workload of its own, or a whole subchart. */
export interface SuggestedEdge {
  /** The path of the chart whose parts they are; `.` for the outermost. */
  readonly chart: string;
  readonly from: Part;
  readonly to: Part;
  readonly evidence: readonly Evidence[];
}

export type Part =
  | { readonly kind: 'workload'; readonly item: Item }
  /** By its name below the chart. */
  | { readonly kind: 'subchart'; readonly name: string };

export interface Suggestion {
  readonly chosen: readonly SuggestedEdge[];
  /** Those that would wait for each other. */
  readonly mutual: readonly SuggestedEdge[];
  /** A subchart cannot wait for single resources of the chart around it; what declares an order already is left as it is. */
  readonly impossible: readonly Evidence[];
}

/** The edges that evidence speaks for, and never a cycle: none of those that lie on one is chosen. */
export function suggestionOf(evidence: readonly Evidence[]): Suggestion {
  const impossible: Evidence[] = [];
  const edges = new Map<string, SuggestedEdge & { readonly evidence: Evidence[] }>();
  for (const one of evidence) {
    const edge = edgeOf(one);
    if (edge === undefined) impossible.push(one);
    else {
      const key = [edge.chart, partKey(edge.from), partKey(edge.to)].join(' ');
      const known = edges.get(key);
      if (known === undefined) edges.set(key, { ...edge, evidence: [one] });
      else known.evidence.push(one);
    }
  }
  return { ...withoutCycles([...edges.values()]), impossible };
}

/** Of workloads that name each other, the naming that does not say which of them is first, wherever their charts are. */
export const mutualEvidence = (evidence: readonly Evidence[]): readonly Evidence[] =>
  withoutCycles(
    evidence.map((one) => ({
      chart: '.',
      from: { kind: 'workload', item: one.user },
      to: { kind: 'workload', item: one.needed },
      evidence: [one],
    })),
  ).mutual.flatMap((edge) => edge.evidence);

function withoutCycles(all: readonly SuggestedEdge[]): Omit<Suggestion, 'impossible'> {
  const onCycle = edgesOnCycles(all);
  // An init container that waits says which of two is first.
  const waiting = onCycle.filter((edge) => edge.evidence.some(({ isWaitedFor }) => isWaitedFor));
  const uncertain = new Set(edgesOnCycles(waiting));
  const certain = new Set(waiting.filter((edge) => !uncertain.has(edge)));
  const mutual = new Set(onCycle.filter((edge) => !certain.has(edge)));
  return { chosen: all.filter((edge) => !mutual.has(edge)), mutual: [...mutual] };
}

const partKey = (part: Part): string =>
  part.kind === 'subchart'
    ? `chart ${part.name}`
    : `${part.item.id.kind}/${part.item.id.namespace}/${part.item.id.name}`;

/** Where the ways to the two charts part, there one part waits for the other. */
function edgeOf({ user, needed }: Evidence): Omit<SuggestedEdge, 'evidence'> | undefined {
  const users = chartNamesOf(user.manifest.source).slice(1);
  const neededs = chartNamesOf(needed.manifest.source).slice(1);
  let depth = 0;
  while (depth < users.length && depth < neededs.length && users[depth] === neededs[depth]) depth++;
  // The chart around a subchart begins when that is ready.
  if (users.length > depth && neededs.length === depth) return undefined;
  if (users.length === depth && isOrdered(user)) return undefined;
  if (users.length === depth && neededs.length === depth && isOrdered(needed)) return undefined;
  const chart = users.slice(0, depth).join('/') || '.';
  return { chart, from: partAt(user, users[depth]), to: partAt(needed, neededs[depth]) };
}

const partAt = (item: Item, subchart: string | undefined): Part =>
  subchart === undefined ? { kind: 'workload', item } : { kind: 'subchart', name: subchart };

function isOrdered({ manifest }: Item): boolean {
  const declared = declarationOf(manifest);
  return isGrouped(declared) || declared.weight !== undefined;
}

/** Those that lead to where something leads back to their beginning. */
function edgesOnCycles(edges: readonly SuggestedEdge[]): readonly SuggestedEdge[] {
  const ends = edges.map((edge) => ({
    edge,
    from: `${edge.chart} ${partKey(edge.from)}`,
    to: `${edge.chart} ${partKey(edge.to)}`,
  }));
  const next = groupBy(ends, ({ from }) => from);
  return ends
    .filter(({ from, to }) => {
      const found = new Set([to]);
      for (const key of found) for (const end of next.get(key) ?? []) found.add(end.to);
      return found.has(from);
    })
    .map(({ edge }) => edge);
}
