import { compareText } from '../support/order.ts';

/** A node of a graph as it went. Times in milliseconds since the run began. */
export interface NodeTime {
  readonly id: string;
  readonly needs: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
}

/** A node that others had to wait for, up to the end of the run. */
export interface CriticalNode<N extends NodeTime> {
  readonly node: N;
  /** Between its being free to begin and its beginning: no place was free (`--concurrency`). */
  readonly waitedMs: number;
}

/** From the node that ended last back over the need of each that ended last; the first comes first. */
export function criticalNodes<N extends NodeTime>(nodes: readonly N[]): readonly CriticalNode<N>[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const path: CriticalNode<N>[] = [];
  for (let node = lastOf(nodes); node !== undefined; ) {
    const before = lastOf(node.needs.flatMap((id) => byId.get(id) ?? []));
    path.unshift({ node, waitedMs: waitOf(node, before?.endMs ?? 0, nodes) });
    node = before;
  }
  return path;
}

/** Until the last of those that ended meanwhile made a place; what begins late for another reason waited for none. */
function waitOf({ startMs }: NodeTime, freeMs: number, nodes: readonly NodeTime[]): number {
  const ends = nodes.map(({ endMs }) => endMs).filter((endMs) => endMs > freeMs && endMs <= startMs);
  return Math.max(freeMs, ...ends) - freeMs;
}

/** Among equals the first by name, so that the answer is always the same. */
const lastOf = <N extends NodeTime>(nodes: readonly N[]): N | undefined =>
  [...nodes].sort((a, b) => b.endMs - a.endMs || compareText(a.id, b.id))[0];
