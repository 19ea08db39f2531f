import { addTo } from '../../../support/group-by.ts';

/** Edges from ids to ids. */
export type Edges = ReadonlyMap<string, readonly string[]>;

/** Everything that edges lead to from an id, over any number of steps. */
export function reach(id: string, edges: Edges): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const other of edges.get(next) ?? []) {
      if (found.has(other)) continue;
      found.add(other);
      open.push(other);
    }
  }
  return found;
}

/** The same edges the other way round. */
export function reversed(edges: Edges): Edges {
  const back = new Map<string, string[]>();
  for (const [from, ends] of edges) {
    for (const to of ends) addTo(back, to, from);
  }
  return back;
}
