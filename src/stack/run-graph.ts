import { addTo } from '../support/group-by.ts';

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

/** Thrown by the work on a node that turns out not to be possible now: it counts as never begun. */
export class LeftOut extends Error {
  /** What it needs, in words that stand for a node's id. */
  readonly because: string;

  constructor(because: string) {
    super(`needs ${because}`);
    this.because = because;
  }
}

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
 * Works on each node as soon as all that it needs are done, at most so many at a time: where places are short, the one
 * behind which the longest way of others is goes first. A node that fails stops only those that need it. The graph has
 * no circles.
 */
export function runGraph<N extends GraphNode, T>(
  nodes: readonly N[],
  work: (node: N) => Promise<T>,
  options: RunGraphOptions<N>,
): Promise<ReadonlyMap<string, NodeOutcome<T>>> {
  return new Promise((resolve, reject) => {
    new GraphRun(nodes, work, { ...options, resolve, reject }).begin();
  });
}

interface Ending<T> {
  readonly resolve: (outcomes: ReadonlyMap<string, NodeOutcome<T>>) => void;
  readonly reject: (error: unknown) => void;
}

class GraphRun<N extends GraphNode, T> {
  readonly #nodes: readonly N[];
  readonly #work: (node: N) => Promise<T>;
  readonly #options: RunGraphOptions<N> & Ending<T>;
  readonly #outcomes = new Map<string, NodeOutcome<T>>();
  readonly #dependents: ReadonlyMap<string, readonly N[]>;
  readonly #heights: ReadonlyMap<string, number>;
  /** Of each node, how many that it needs have not ended. */
  readonly #missing: Map<string, number>;
  /** What could begin and has no place yet: the highest is last, of equals the first. */
  readonly #ready: N[] = [];
  #atWork = 0;
  #isEnded = false;

  constructor(nodes: readonly N[], work: (node: N) => Promise<T>, options: RunGraphOptions<N> & Ending<T>) {
    this.#nodes = nodes;
    this.#work = work;
    this.#options = options;
    this.#dependents = dependentsOf(nodes);
    this.#heights = heightsOf(nodes, this.#dependents);
    this.#missing = missingOf(nodes);
  }

  begin(): void {
    for (const node of this.#nodes) if (this.#missing.get(node.id) === 0) this.#getReady(node);
    this.#go();
  }

  #go(): void {
    while (this.#atWork < this.#options.concurrency && this.#ready.length > 0) {
      const node = this.#ready.pop() as N;
      if (this.#isEnded || this.#options.signal?.aborted) this.#end(node, this.#skipped(node, undefined));
      else void this.#workOn(node).catch(this.#options.reject);
    }
    if (this.#outcomes.size < this.#nodes.length) return;
    this.#options.resolve(new Map(this.#nodes.map(({ id }) => [id, this.#outcomes.get(id) as NodeOutcome<T>])));
  }

  #getReady(node: N): void {
    const heightOf = ({ id }: N): number => this.#heights.get(id) ?? 0;
    const height = heightOf(node);
    let [from, to] = [0, this.#ready.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (heightOf(this.#ready[middle] as N) < height) from = middle + 1;
      else to = middle;
    }
    this.#ready.splice(from, 0, node);
  }

  async #workOn(node: N): Promise<void> {
    this.#atWork += 1;
    const outcome = await this.#outcomeOf(node);
    this.#atWork -= 1;
    this.#end(node, outcome);
    this.#go();
  }

  async #outcomeOf(node: N): Promise<NodeOutcome<T>> {
    try {
      return { kind: 'done', value: await this.#work(node) };
    } catch (error) {
      this.#isEnded ||= this.#options.failFast === true;
      if (error instanceof LeftOut) return this.#skipped(node, error.because);
      return { kind: 'failed', error };
    }
  }

  #skipped(node: N, because: string | undefined): NodeOutcome<T> {
    this.#options.onSkip?.(node, because);
    return { kind: 'skipped', because };
  }

  /** A node has ended, and with a failure all that need it, directly or not: none of them begins. */
  #end(first: N, its: NodeOutcome<T>): void {
    const ended: [N, NodeOutcome<T>][] = [[first, its]];
    for (const [{ id }, outcome] of ended) {
      this.#outcomes.set(id, outcome);
      for (const node of this.#dependents.get(id) ?? []) {
        const missing = (this.#missing.get(node.id) as number) - 1;
        this.#missing.set(node.id, missing);
        if (missing > 0) continue;
        const stopping = node.needs.find((need) => (this.#outcomes.get(need)?.kind ?? 'done') !== 'done');
        if (stopping === undefined) this.#getReady(node);
        else ended.push([node, this.#skipped(node, causeOf(stopping, this.#outcomes.get(stopping)))]);
      }
    }
  }
}

/** By each need, who waits for it. */
export function dependentsOf<N extends GraphNode>(nodes: readonly N[]): ReadonlyMap<string, readonly N[]> {
  const dependents = new Map<string, N[]>();
  for (const node of nodes) {
    for (const need of new Set(node.needs)) addTo(dependents, need, node);
  }
  return dependents;
}

/** Of each node, how many nodes it needs. */
function missingOf(nodes: readonly GraphNode[]): Map<string, number> {
  const ids = new Set(nodes.map(({ id }) => id));
  return new Map(nodes.map(({ id, needs }) => [id, new Set(needs.filter((need) => ids.has(need))).size]));
}

/** Each node after those that it needs; those of a circle, and what needs them, are left out. */
export function inOrderOfNeeds<N extends GraphNode>(
  nodes: readonly N[],
  dependents: ReadonlyMap<string, readonly N[]> = dependentsOf(nodes),
): readonly N[] {
  const missing = missingOf(nodes);
  const order = nodes.filter(({ id }) => missing.get(id) === 0);
  for (const { id } of order) {
    for (const node of dependents.get(id) ?? []) {
      const left = (missing.get(node.id) as number) - 1;
      missing.set(node.id, left);
      if (left === 0) order.push(node);
    }
  }
  return order;
}

/** How many nodes follow one another behind each, at most. */
function heightsOf<N extends GraphNode>(
  nodes: readonly N[],
  dependents: ReadonlyMap<string, readonly N[]>,
): ReadonlyMap<string, number> {
  const heights = new Map<string, number>();
  for (const { id } of [...inOrderOfNeeds(nodes, dependents)].reverse()) {
    const behind = (dependents.get(id) ?? []).map((node) => (heights.get(node.id) ?? 0) + 1);
    heights.set(
      id,
      behind.reduce((highest, one) => Math.max(highest, one), 0),
    );
  }
  return heights;
}

/** What came of the nodes that are done, in their order. */
export const doneIn = <T>(nodes: readonly GraphNode[], outcomes: ReadonlyMap<string, NodeOutcome<T>>): readonly T[] =>
  nodes.flatMap(({ id }) => {
    const outcome = outcomes.get(id);
    return outcome?.kind === 'done' ? [outcome.value] : [];
  });

/** Why a node was never begun. */
export const whyLeftOut = (because: string | undefined): string =>
  because === undefined ? 'not started before the run ended' : `needs ${because}`;

const causeOf = (id: string, outcome: NodeOutcome<unknown> | undefined): string | undefined =>
  outcome?.kind === 'skipped' ? outcome.because : id;
