import { compareText } from '../support/order.ts';

/** A node of a graph of waiting: `after` holds the ids of what it waits for, each of them a node too. */
export interface GraphNode {
  readonly id: string;
  readonly after: readonly string[];
}

export interface Leveled {
  /** Level 0 waits for nothing, level n for something on level n−1. Nodes that a cycle keeps from starting have none. */
  readonly levels: ReadonlyMap<string, number>;
  /** Each cycle as its ids, each waiting for the next and the last for the first; the smallest id comes first. */
  readonly cycles: readonly (readonly string[])[];
}

/**
 * docs/ordering.md, 4: "Batches are the levels of the graph: level 0 waits for nothing, level n waits for something on
 * level n-1". In time linear in nodes and edges. The cycles are the same in whatever order the graph is given.
 */
export function levelsOf(nodes: readonly GraphNode[]): Leveled {
  const levels = new Map<string, number>();
  const open = new Map(nodes.map(({ id, after }) => [id, new Set(after).size]));
  const waiting = waitingFor(nodes);
  const ready = nodes.filter(({ id }) => open.get(id) === 0).map(({ id }) => id);
  for (const id of ready) levels.set(id, 0);
  for (let next = 0; next < ready.length; next++) {
    const id = ready[next] as string;
    for (const other of waiting.get(id) ?? []) {
      levels.set(other, Math.max(levels.get(other) ?? 0, (levels.get(id) as number) + 1));
      const left = (open.get(other) as number) - 1;
      open.set(other, left);
      if (left === 0) ready.push(other);
    }
  }
  const done = new Set(ready);
  const blocked = nodes.filter(({ id }) => !done.has(id));
  for (const { id } of blocked) levels.delete(id);
  return { levels, cycles: cyclesOf(blocked) };
}

/** Who waits for each node. */
function waitingFor(nodes: readonly GraphNode[]): ReadonlyMap<string, readonly string[]> {
  const waiting = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { id, after } of nodes) for (const before of new Set(after)) waiting.get(before)?.push(id);
  return waiting;
}

/** One cycle after another is taken out until none is left, beginning with the smallest id that lies on one. */
function cyclesOf(blocked: readonly GraphNode[]): readonly (readonly string[])[] {
  const left = new Map(blocked.map(({ id, after }) => [id, [...after].sort(compareText)]));
  const cycles: (readonly string[])[] = [];
  for (const start of [...left.keys()].sort(compareText)) {
    const cycle = shortestCycle(start, left);
    if (cycle === undefined) continue;
    cycles.push(cycle);
    for (const id of cycle) left.delete(id);
  }
  return cycles;
}

/** The shortest way from a node back to itself along what it waits for; of several, the first in text order. */
function shortestCycle(start: string, after: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = after.has(start) ? [start] : [];
  for (let next = 0; next < queue.length; next++) {
    const id = queue[next] as string;
    for (const before of after.get(id) ?? []) {
      if (before === start) return wayTo(id, start, cameFrom);
      if (cameFrom.has(before) || !after.has(before)) continue;
      cameFrom.set(before, id);
      queue.push(before);
    }
  }
  return undefined;
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [end];
  while (way[0] !== start) way.unshift(cameFrom.get(way[0] as string) as string);
  return way;
}

/** The nodes that no other node waits for. */
export function lastOf(nodes: readonly GraphNode[]): readonly string[] {
  const awaited = new Set(nodes.flatMap(({ after }) => after));
  return nodes.map(({ id }) => id).filter((id) => !awaited.has(id));
}
