import { nearestLabel } from '../../support/near-name.ts';
import type { StackNode } from '../plan-stack.ts';

/** Some releases that one job of another engine applies. */
export interface StackJob {
  /** Lower case letters, digits and dashes, beginning with a letter; no two jobs have the same. */
  readonly id: string;
  readonly nodes: readonly StackNode[];
  /** The ids of the jobs that have to be done before. */
  readonly needs: readonly string[];
}

/**
 * The releases of a graph as jobs: one for each, or at most so many. Then levels of the graph that follow each other, or
 * releases of one level, share a job, so that jobs never wait for each other in a circle.
 */
export function jobsOf(nodes: readonly StackNode[], most?: number): readonly StackJob[] {
  const parts = most === undefined || nodes.length <= most ? nodes.map((node) => [node]) : partsOf(nodes, most);
  const ids = jobIds(parts);
  const jobOf = new Map(parts.flatMap((part, index) => part.map((node) => [node.id, ids[index] as string] as const)));
  return parts.map((part, index) => {
    const id = ids[index] as string;
    const needed = part.flatMap((node) => node.needs.flatMap((need) => jobOf.get(need) ?? []));
    return { id, nodes: part, needs: [...new Set(needed)].filter((need) => need !== id) };
  });
}

function partsOf(nodes: readonly StackNode[], most: number): readonly (readonly StackNode[])[] {
  const levels = levelsOf(nodes);
  if (levels.length >= most) return chunks(levels, most).map((several) => several.flat());
  const counts = levels.map(() => 1);
  for (let spare = most - levels.length; spare > 0; spare--) {
    const load = (index: number): number => (levels[index] as readonly StackNode[]).length / (counts[index] as number);
    const fullest = counts.reduce((best, _count, index) => (load(index) > load(best) ? index : best), 0);
    if (load(fullest) <= 1) break;
    counts[fullest] = (counts[fullest] as number) + 1;
  }
  return levels.flatMap((level, index) => chunks(level, counts[index] as number));
}

/** Those that wait for nobody, then those that wait for these alone, and so on. */
function levelsOf(nodes: readonly StackNode[]): readonly (readonly StackNode[])[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const known = new Map<string, number>();
  const levelOf = (node: StackNode): number => {
    const found = known.get(node.id);
    if (found !== undefined) return found;
    const before = node.needs.flatMap((id) => byId.get(id) ?? []).map(levelOf);
    const level = before.length === 0 ? 0 : Math.max(...before) + 1;
    known.set(node.id, level);
    return level;
  };
  const levels: StackNode[][] = [];
  for (const node of nodes) (levels[levelOf(node)] ??= []).push(node);
  return levels;
}

/** In so many parts of about the same size, in order. */
function chunks<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  return Array.from({ length: count }, (_, index) =>
    items.slice(Math.floor((index * items.length) / count), Math.floor(((index + 1) * items.length) / count)),
  ).filter((part) => part.length > 0);
}

function jobIds(parts: readonly (readonly StackNode[])[]): readonly string[] {
  const taken = new Set<string>();
  return parts.map((part, index) => {
    const [first] = part;
    const wanted = part.length === 1 && first !== undefined ? plainId(first.id) : `part-${index + 1}`;
    let id = wanted;
    for (let number = 2; taken.has(id); number++) id = `${wanted}-${number}`;
    taken.add(id);
    return id;
  });
}

function plainId(id: string): string {
  const plain = nearestLabel(id);
  return /^[a-z]/.test(plain) ? plain : `r-${plain}`;
}
