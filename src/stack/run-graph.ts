import { createLimiter } from '../support/concurrency.ts';

/** Something that waits for others of its kind. */
export interface GraphNode {
  readonly id: string;
  /** The ids of those it waits for; ids that are no nodes are not waited for. */
  readonly needs: readonly string[];
}

export type NodeOutcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Never begun: `because` is the node that failed, undefined where the whole run was ended. */
  | { readonly kind: 'skipped'; readonly because: string | undefined };

export interface RunGraphOptions<N> {
  /** Nodes at a time. */
  readonly concurrency: number;
  /** The first failure keeps everything from beginning that has not begun. */
  readonly failFast?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Is told of a node that is not begun, and because of which one, the moment that is known. */
  readonly onSkip?: ((node: N, because: string | undefined) => void) | undefined;
}

/**
 * Works on each node as soon as all that it needs are done, at most so many at a time. A node that fails stops only those
 * that need it. The graph has no circles.
 */
export async function runGraph<N extends GraphNode, T>(
  nodes: readonly N[],
  work: (node: N) => Promise<T>,
  { concurrency, failFast = false, signal, onSkip }: RunGraphOptions<N>,
): Promise<ReadonlyMap<string, NodeOutcome<T>>> {
  const limit = createLimiter(concurrency);
  const started = new Map<string, Promise<NodeOutcome<T>>>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  let isEnded = false;
  const run = async (node: N): Promise<NodeOutcome<T>> => {
    const needed = node.needs.filter((id) => byId.has(id));
    const before = await Promise.all(needed.map(async (id) => ({ id, outcome: await outcomeOf(id) })));
    const stopped = before.find(({ outcome }) => outcome.kind !== 'done');
    const skipped = (because: string | undefined): NodeOutcome<T> => {
      onSkip?.(node, because);
      return { kind: 'skipped', because };
    };
    if (stopped !== undefined) return skipped(causeOf(stopped));
    return limit(async () => {
      if (isEnded || signal?.aborted) return skipped(undefined);
      try {
        return { kind: 'done', value: await work(node) };
      } catch (error) {
        isEnded ||= failFast;
        return { kind: 'failed', error };
      }
    });
  };
  const outcomeOf = (id: string): Promise<NodeOutcome<T>> => {
    const known = started.get(id) ?? run(byId.get(id) as N);
    started.set(id, known);
    return known;
  };
  const outcomes = await Promise.all(
    nodes.map(async ({ id }): Promise<[string, NodeOutcome<T>]> => [id, await outcomeOf(id)]),
  );
  return new Map(outcomes);
}

/** What came of the nodes that are done, in their order. */
export const doneIn = <T>(nodes: readonly GraphNode[], outcomes: ReadonlyMap<string, NodeOutcome<T>>): readonly T[] =>
  nodes.flatMap(({ id }) => {
    const outcome = outcomes.get(id);
    return outcome?.kind === 'done' ? [outcome.value] : [];
  });

const causeOf = <T>({ id, outcome }: { readonly id: string; readonly outcome: NodeOutcome<T> }): string | undefined =>
  outcome.kind === 'skipped' ? outcome.because : id;
