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
 * Works on each node as soon as all that it needs are done, at most so many at a time: where places are short, the one
 * behind which the longest way of others stands goes first. A node that fails stops only those that need it. The graph has
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
  /** What could begin and has no place yet. */
  readonly #ready: N[] = [];
  #atWork = 0;
  #isEnded = false;

  constructor(nodes: readonly N[], work: (node: N) => Promise<T>, options: RunGraphOptions<N> & Ending<T>) {
    const ids = new Set(nodes.map(({ id }) => id));
    this.#nodes = nodes;
    this.#work = work;
    this.#options = options;
    this.#dependents = dependentsOf(nodes);
    this.#heights = heightsOf(nodes, this.#dependents);
    this.#missing = new Map(nodes.map(({ id, needs }) => [id, new Set(needs.filter((need) => ids.has(need))).size]));
  }

  begin(): void {
    for (const node of this.#nodes) if (this.#missing.get(node.id) === 0) this.#ready.push(node);
    this.#go();
  }

  #go(): void {
    while (this.#atWork < this.#options.concurrency && this.#ready.length > 0) {
      const node = this.#takeHighest();
      if (this.#isEnded || this.#options.signal?.aborted) this.#skip(node, undefined);
      else void this.#workOn(node).catch(this.#options.reject);
    }
    if (this.#outcomes.size < this.#nodes.length) return;
    this.#options.resolve(new Map(this.#nodes.map(({ id }) => [id, this.#outcomes.get(id) as NodeOutcome<T>])));
  }

  #takeHighest(): N {
    const heightOf = ({ id }: N): number => this.#heights.get(id) ?? 0;
    const best = this.#ready.reduce((highest, node) => (heightOf(node) > heightOf(highest) ? node : highest));
    this.#ready.splice(this.#ready.indexOf(best), 1);
    return best;
  }

  async #workOn(node: N): Promise<void> {
    this.#atWork += 1;
    const outcome = await this.#tried(node);
    this.#atWork -= 1;
    this.#end(node, outcome);
    this.#go();
  }

  async #tried(node: N): Promise<NodeOutcome<T>> {
    try {
      return { kind: 'done', value: await this.#work(node) };
    } catch (error) {
      this.#isEnded ||= this.#options.failFast === true;
      return { kind: 'failed', error };
    }
  }

  #skip(node: N, because: string | undefined): void {
    this.#options.onSkip?.(node, because);
    this.#end(node, { kind: 'skipped', because });
  }

  #end({ id }: N, outcome: NodeOutcome<T>): void {
    this.#outcomes.set(id, outcome);
    for (const node of this.#dependents.get(id) ?? []) {
      const missing = (this.#missing.get(node.id) as number) - 1;
      this.#missing.set(node.id, missing);
      if (missing === 0) this.#becomeReady(node);
    }
  }

  #becomeReady(node: N): void {
    const stopping = node.needs.find((id) => (this.#outcomes.get(id)?.kind ?? 'done') !== 'done');
    if (stopping === undefined) this.#ready.push(node);
    else this.#skip(node, causeOf(stopping, this.#outcomes.get(stopping)));
  }
}

/** By each need, who waits for it. */
function dependentsOf<N extends GraphNode>(nodes: readonly N[]): ReadonlyMap<string, readonly N[]> {
  const dependents = new Map<string, N[]>();
  for (const node of nodes) {
    for (const need of new Set(node.needs)) {
      const known = dependents.get(need);
      if (known === undefined) dependents.set(need, [node]);
      else known.push(node);
    }
  }
  return dependents;
}

/** How many nodes stand one after another behind each, at most. */
function heightsOf<N extends GraphNode>(
  nodes: readonly N[],
  dependents: ReadonlyMap<string, readonly N[]>,
): ReadonlyMap<string, number> {
  const heights = new Map<string, number>();
  const heightOf = ({ id }: GraphNode): number => {
    const known = heights.get(id) ?? Math.max(0, ...(dependents.get(id) ?? []).map((one) => heightOf(one) + 1));
    heights.set(id, known);
    return known;
  };
  nodes.forEach(heightOf);
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
  because === undefined ? 'the run ended before its turn' : `needs ${because}`;

const causeOf = (id: string, outcome: NodeOutcome<unknown> | undefined): string | undefined =>
  outcome?.kind === 'skipped' ? outcome.because : id;
